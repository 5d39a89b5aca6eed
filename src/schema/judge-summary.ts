import { z } from 'zod';
import { totalSchema } from './usage-summary.ts';

/** What judging a run took, apart from what its targets took. */
export const judgeSummarySchema = z.lazy(() =>
  z.object({
    /** Judgements that the run asked for and paid. */
    asked: z.int().nonnegative(),
    /** Judgements that were there before, at no cost. */
    cached: z.int().nonnegative(),
    /** Verdicts that are missing because a judge failed. */
    failed: z.int().nonnegative(),
    /** Calls of models by the run, those that gave no usable reply included. */
    calls: z.int().nonnegative(),
    inputTokens: totalSchema,
    outputTokens: totalSchema,
    /** In US dollars. */
    cost: totalSchema,
  }),
);
export type JudgeSummary = z.infer<typeof judgeSummarySchema>;
