import { z } from 'zod';
import { hashContent } from '../lib/content-hash.ts';
import { modelOption } from '../models/model.ts';
import { createJudge } from './asking/create-judge.ts';
import { createOutageGuard } from './asking/outage-guard.ts';
import { redactorOf } from './asking/redactor-of.ts';
import { consultModel } from './chat-model/consult-model.ts';
import { estimatePrompts } from './chat-model/estimate-prompts.ts';
import { defineJudge } from './judge.ts';
import { promptVersion } from './prompt/write-prompt.ts';

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
