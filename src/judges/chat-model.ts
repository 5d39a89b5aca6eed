import { z } from 'zod';
import { hashContent } from '../lib/content-hash.ts';
import { type ChatModel, modelOption } from '../models/model.ts';
import { createJudge } from './asking/create-judge.ts';
import { createOutageGuard } from './asking/outage-guard.ts';
import { redactorOf } from './asking/redactor-of.ts';
import { consultModel } from './chat-model/consult-model.ts';
import { defineJudge, type JudgeEstimate, type JudgeQuestion } from './judge.ts';
import { promptVersion, writePrompt } from './prompt/write-prompt.ts';

const charactersPerToken = 4;
const tokensPerAnswer = 130;

/** As long as the id of a request. */
const typicalId = 'a2345678';

/** What it takes to put these questions to a model: tokens by the length of the prompts, a short answer for each. */
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

/** A judge that is any chat model. */
export const chatModel = defineJudge({
  name: 'chat-model',
  version: 2,
  summary: 'Any chat model, asked in a fixed form and read strictly.',
  options: () =>
    z.strictObject({
      model: modelOption.describe('The model that judges: `{ use: openai-chat, model: gpt-5-mini }`.'),
      concurrency: z
        .int()
        .min(1)
        .max(1000)
        .default(8)
        .describe('Questions that are with it at the same time.'),
      together: z
        .boolean()
        .default(false)
        .describe(
          'Whether the questions of several metrics about the same trial are put in one prompt: cheaper, but each answer may be coloured by the others.',
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
