import { z } from 'zod';
import { hashContent } from '../../core/lib/content-hash.ts';
import { type ChatModel, modelOption } from '../models/model.ts';
import { createOutageGuard, redactorOf } from './asking/call-model.ts';
import { consultInBatch } from './asking/consult-in-batch.ts';
import { consultModel } from './asking/consult-model.ts';
import { createJudge } from './asking/create-judge.ts';
import { defineJudge, type JudgeEstimate, type JudgeQuestion } from './judge.ts';
import { promptVersion, writePrompt } from './prompt/write-prompt.ts';
import { kindsIn } from '../../core/schema/message.ts';

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
      takes: model.takes,
      models: [model.name],
      ...(model.batch && { batch: model.batch }),
      open: async () => {
        guard.reset();
        await model.open?.();
      },
      close: async () => await model.close?.(),
      consult: async (questions, limits, keys) =>
        await guard.watch(questions.length, async () => {
          const session = { model, limits, redactor };
          const { batched } = limits.judgements;
          // The bytes of files would be most of a batch.
          const hasFiles = questions.some(({ material }) => kindsIn(material).length > 0);
          if (model.batch === undefined || batched === undefined || hasFiles)
            return await consultModel(questions, session);
          const all = keys.map((key, index) => ({ key, question: questions[index] as JudgeQuestion }));
          return await consultInBatch(all, { ...session, batch: model.batch, batched });
        }),
      estimate: async (questions) => await estimatePrompts(questions, { model, together }),
    });
  },
});

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
  const usualCost = await model.priceOf({ inputTokens, outputTokens });
  const counts = { calls: prompts.length, inputTokens, outputTokens };
  if (model.batch === undefined || usualCost === undefined) return { ...counts, cost: usualCost };
  return { ...counts, cost: usualCost * model.batch.price, usualCost };
}

function bySample(questions: readonly JudgeQuestion[]): JudgeQuestion[][] {
  return [...Map.groupBy(questions, ({ sample }) => sample).values()];
}
