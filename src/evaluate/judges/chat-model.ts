import { z } from 'zod';
import { hashContent } from '../../core/lib/content-hash.ts';
import { type ChatModel, type ChatReply, modelOption } from '../models/model.ts';
import type { JudgeCall, Judgement } from '../../core/schema/judgement.ts';
import { askChatModel, type ChatSession, createReplyId } from './asking/ask-chat-model.ts';
import { createOutageGuard, type ModelCall, redactorOf, withoutSecrets } from './asking/call-model.ts';
import { createJudge, type JudgeReply } from './asking/create-judge.ts';
import { defineJudge, type JudgeEstimate, type JudgeQuestion } from './judge.ts';
import { promptVersion, writePrompt } from './prompt/write-prompt.ts';
import { readReply } from './reply/read-reply.ts';

type PromptMessage = JudgeCall['prompt'][number];
type Outcomes = ReadonlyMap<string, Judgement['outcome']>;

/** A judge that is any chat model. */
export const chatModel = defineJudge({
  name: 'chat-model',
  version: 2,
  summary: 'Any chat model, asked in a fixed form and read strictly.',
  words: 'LLM as a judge, model, grader, GPT, Claude, score by a model, evaluator, local model, cheap model',
  example: { model: { use: 'openai-chat', model: 'gpt-5' } },
  options: () =>
    z.strictObject({
      model: modelOption.describe('The model that judges: `{ use: openai-chat, model: gpt-5-mini }`.'),
      concurrency: z
        .int()
        .min(1)
        .max(1000)
        .default(8)
        .describe('The number of questions in flight at the same time.'),
      together: z
        .boolean()
        .default(false)
        .describe(
          'Whether the questions of several metrics about the same attempt are put in one prompt: cheaper, but each answer may be influenced by the others.',
        ),
    }),
  create: ({ model: use, concurrency, together }, { resolveModel, environment }) => {
    const model = resolveModel(use);
    const redactor = redactorOf(environment);
    const guard = createOutageGuard();
    const fingerprint = hashContent(['chat-model', 2, promptVersion, model.fingerprint, together]);
    return createJudge({
      name: model.name,
      fingerprint,
      concurrency,
      together,
      models: [model.name],
      open: async () => {
        guard.reset();
        await model.open?.();
      },
      close: async () => await model.close?.(),
      consult: async (questions, limits) =>
        await guard.watch(
          questions.length,
          async () => await consultModel(questions, { model, limits, redactor }),
        ),
      estimate: async (questions) => await estimatePrompts(questions, { model, together }),
    });
  },
});

/**
 * Sends questions to a model in one prompt. When a reply cannot be read, the model is asked once more, with the fault.
 * Rejects only when the signal is aborted.
 */
async function consultModel(
  questions: readonly JudgeQuestion[],
  session: ChatSession,
): Promise<JudgeReply[]> {
  const named = nameQuestions(questions.map((question) => withoutSecrets(question, session.redactor)));
  const id = createReplyId();
  const { system, user, form } = writePrompt(named, id);
  const responseSchema = { name: 'judgement', schema: form.schema };
  const prompt: PromptMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  const calls: JudgeCall[] = [];
  let outcomes: Outcomes = new Map();
  for (let round = 1; round <= 2; round += 1) {
    const asked = await askChatModel({ messages: [...prompt], responseSchema }, session);
    const read = asked.reply === undefined ? allFailed(named, asked) : readReply(asked.reply, named, id);
    const fault = findProblem(read);
    if (asked.isSent) calls.push({ ...asked.call, ...(fault !== undefined && { error: fault }) });
    outcomes = keepAnswered(outcomes, read);
    const problem = findProblem(outcomes);
    if (problem === undefined || asked.reply === undefined || problem.code === 'refused') break;
    prompt.push({ role: 'assistant', content: asked.reply.text || '(nothing)' });
    prompt.push({
      role: 'user',
      content: `That reply cannot be used: ${problem.message}. Reply again, with one JSON object of this form and nothing else: ${form.example}`,
    });
  }
  return Array.from(named.keys(), (name) => ({ outcome: outcomes.get(name) as Judgement['outcome'], calls }));
}

/** Names the questions for a reply. Several questions of one metric get a number each. */
function nameQuestions(questions: readonly JudgeQuestion[]): Map<string, JudgeQuestion> {
  const named = new Map<string, JudgeQuestion>();
  // `id` is the key of the request's own id.
  const isTaken = (name: string) => named.has(name) || name === 'id';
  for (const question of questions) {
    const name = question.id.replace(/@.*$/, '').replace(/[^\w-]/g, '_');
    let free = name;
    for (let copy = 2; isTaken(free); copy += 1) free = `${name}_${copy}`;
    named.set(free, question);
  }
  return named;
}

function allFailed(
  questions: ReadonlyMap<string, unknown>,
  { call: { error } }: ModelCall<ChatReply>,
): Outcomes {
  const failed = { status: 'failed', code: `judge-${error?.code}`, reason: error?.message ?? '' } as const;
  return new Map(Array.from(questions.keys(), (name) => [name, failed]));
}

/** Returns the outcomes with the answers of the first reply, which stay whatever the second says. */
function keepAnswered(before: Outcomes, now: Outcomes): Outcomes {
  const kept = [...before].filter(([, outcome]) => outcome.status === 'answered');
  return new Map([...now, ...kept]);
}

/** Returns the faults of the answers, with the code of the first one; undefined when there are none. */
function findProblem(outcomes: Outcomes): { code: string; message: string } | undefined {
  const failed = [...outcomes].flatMap(([name, outcome]) =>
    outcome.status === 'failed' ? [{ name, ...outcome }] : [],
  );
  const [first] = failed;
  if (first === undefined) return undefined;
  const isShared = failed.length === outcomes.size && failed.every(({ reason }) => reason === first.reason);
  const said = failed.map(({ name, reason }) => (outcomes.size === 1 ? reason : `${name}: ${reason}`));
  return { code: first.code.replace(/^judge-/, ''), message: isShared ? first.reason : said.join('; ') };
}

const charactersPerToken = 4;
const tokensPerAnswer = 130;

/** An id of the length of a real one, for estimates. */
const typicalId = 'a2345678';

/** Estimates the consumption of these questions: input tokens from the length of the prompts, and a short answer for each. */
async function estimatePrompts(
  questions: readonly JudgeQuestion[],
  { model, together }: { readonly model: ChatModel; readonly together: boolean },
): Promise<JudgeEstimate> {
  const shared = questions.filter((question) => together || question.together === true);
  const alone = questions.filter((question) => !shared.includes(question));
  const prompts = [...bySample(shared), ...alone.map((question) => [question])];
  const tokens = prompts.map((group) => {
    const named = new Map(group.map((question) => [question.id, question]));
    const { system, user } = writePrompt(named, typicalId);
    return Math.ceil((system.length + user.length) / charactersPerToken);
  });
  const inputTokens = tokens.reduce((sum, each) => sum + each, 0);
  const outputTokens = questions.length * tokensPerAnswer;
  const cost = await model.priceOf({ inputTokens, outputTokens });
  return { calls: prompts.length, inputTokens, outputTokens, cost };
}

function bySample(questions: readonly JudgeQuestion[]): JudgeQuestion[][] {
  return [...Map.groupBy(questions, ({ sample }) => sample).values()];
}
