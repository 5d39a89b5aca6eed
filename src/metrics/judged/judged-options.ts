import { z } from 'zod';
import { lazily } from '../../lib/lazily.ts';
import { judgeOption } from '../../judges/judge.ts';
import { useOrNameSchema } from '../../schema/use.ts';

/** A computed metric that can decide before the judge is asked. */
const decidingRuleSchema = z.lazy(() =>
  z.strictObject({
    metric: useOrNameSchema.describe('The metric that decides: `exact-match`, or one with its options.'),
    atLeast: z.number().optional().describe('It decides when its value is not less.'),
    atMost: z.number().optional().describe('It decides when its value is not more.'),
    score: z.number().min(0).max(1).describe('The score that it decides on.'),
  }),
);

/** Options that every judged metric has. */
export const judgedOptions = lazily(() =>
  z.strictObject({
    judge: judgeOption
      .optional()
      .describe("The judge to ask: `{ use: chat-model, model: … }`; the configuration's when left out."),
    samples: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('How often each question is asked: the mean counts, and the spread is shown.'),
    threshold: z.number().min(0).max(1).optional().describe('Least value for the verdict to pass.'),
    decidedBy: z
      .array(decidingRuleSchema)
      .default([])
      .describe(
        'Computed metrics that can decide without the judge: `[{ metric: exact-match, atLeast: 1, score: 1 }]`; the first that does counts.',
      ),
  }),
);
export type JudgedOptions = z.output<ReturnType<typeof judgedOptions>>;
