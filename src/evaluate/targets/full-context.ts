import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import {
  batchesOf,
  beginConversation,
  conversationOptions,
  samplingOf,
  withContent,
} from './model-conversation.ts';
import { readTextFile, type SourceText } from './read-text-file.ts';
import { compilePrompt, type Prompt, promptOption, readPrompt, readVariables } from './prompts.ts';
import { defineTarget, type Target, type TargetNeeds, type TargetRequest } from './target.ts';

/**
 * The prompt of a `full-context` target that sets none. The part that is the same for every question comes first, so
 * that providers can reuse it from their prompt cache.
 */
const defaultPrompt = `You answer questions from the knowledge below, and from nothing else.

<knowledge>
{{knowledge}}
</knowledge>

Answer the question directly, in as few sentences as it takes. If the knowledge does not hold the answer, say that you do
not know.

Question: {{question}}`;

const options = () =>
  z.strictObject({
    ...conversationOptions(),
    knowledge: z
      .string()
      .min(1)
      .describe('A text file with all the knowledge of the bot; relative to the config file.'),
    prompt: promptOption
      .optional()
      .describe(
        'The prompt, with {{knowledge}} and {{question}} in it: a text, or `{ path }` of a file. By default, the model is ' +
          'asked to answer directly, and to say so when the knowledge does not contain the answer.',
      ),
  });
type Options = z.output<ReturnType<typeof options>>;

/**
 * A bot that receives all of its knowledge with every question: answer = M(f(k, q)). Earlier messages of a case precede
 * the prompt.
 */
export const fullContext = defineTarget({
  name: 'full-context',
  version: 1,
  summary: 'A model that is given a whole text of knowledge with every question.',
  words:
    'long context, document in the prompt, knowledge base, FAQ in the prompt, rag, documents in the prompt',
  example: { model: { use: 'openai-chat', model: 'gpt-5' }, knowledge: 'handbook.md' },
  options,
  create: (checked, needs): Target => {
    const model = needs.resolveModel(checked.model);
    let loaded: Promise<Loaded> | undefined;
    const load = () => (loaded ??= loadPrompt(checked, needs));
    const { temperature, maxTokens, seed } = checked;
    return {
      takes: model.takes,
      takesFrom: model.takesFrom,
      ...batchesOf(model, checked),
      identity: async () => {
        const { prompt } = await load();
        return {
          model: model.fingerprint,
          prompt: prompt.identity,
          temperature: temperature ?? null,
          maxTokens: maxTokens ?? null,
          seed,
        };
      },
      open: async () => {
        await load();
        await model.open?.();
      },
      call: async (request, context) => {
        const { prompt, knowledge } = await load();
        const conversation = beginConversation({
          model,
          request: samplingOf(checked, request),
          context,
          messages: fillMessages(prompt, knowledge, request),
        });
        await conversation.step();
        return {
          ...conversation.finish(),
          documents: [{ id: knowledge.file, text: knowledge.text, given: true }],
        };
      },
      close: async () => await model.close?.(),
    };
  },
});

interface Loaded {
  readonly prompt: Prompt;
  readonly knowledge: SourceText;
}

async function loadPrompt(checked: Options, { folder, environment }: TargetNeeds): Promise<Loaded> {
  const { text } = await readTextFile(checked.knowledge, 'knowledge', folder);
  const texts = await readVariables(checked.variables, folder);
  const source = await readPrompt(checked.prompt ?? defaultPrompt, { setting: 'prompt', folder });
  const prompt = compilePrompt(source, { texts: new Map([...texts, ['knowledge', text]]), environment });
  const hasQuestion = prompt.names.has('question') || prompt.names.has('input');
  if (prompt.names.has('knowledge') && hasQuestion)
    return { prompt, knowledge: { text, file: checked.knowledge } };
  const missing = hasQuestion ? 'knowledge' : 'question';
  throw new TouchstoneError('target-invalid', `${source.file} does not contain {{${missing}}}.`, {
    remedy: 'A prompt of a `full-context` target contains both {{knowledge}} and {{question}}.',
  });
}

/**
 * Returns the case's messages with the prompt in place of the question. The knowledge becomes the trial's document;
 * the transcript contains a note in its place.
 */
function fillMessages(prompt: Prompt, { text, file }: SourceText, request: TargetRequest) {
  const lastOfUser = request.messages.findLastIndex(({ role }) => role === 'user');
  const asked = lastOfUser === -1 ? request.messages.length - 1 : lastOfUser;
  const note = new Map([['knowledge', `[${file}, ${text.length} characters: see the attempt's document]`]]);
  return request.messages.map((message, index) => {
    const { attachments } = message;
    const write = (content: string) => withContent({ role: 'user', content, attachments }, content);
    return index === asked
      ? { sent: write(prompt.fill(request)), kept: write(prompt.fill(request, note)) }
      : { sent: message };
  });
}
