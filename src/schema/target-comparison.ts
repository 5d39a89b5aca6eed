import { z } from 'zod';
import { estimateSchema } from './estimate.ts';

/**
 * The targets of a run side by side on one measure, paired by case: a case counts once, with the mean of its attempts.
 */
export const targetComparisonSchema = z.lazy(() =>
  z.object({
    measure: z.enum([
      'score',
      'passed',
      'errors',
      'metric',
      'latency',
      'input-tokens',
      'output-tokens',
      'cost',
      'category',
    ]),
    /** The metric or the category; for the others the same as `measure`. */
    name: z.string(),
    /** Missing for shares in [0, 1]. */
    unit: z.string().optional(),
    /** Which way is better; null where neither is. */
    better: z.enum(['higher', 'lower']).nullable(),
    /** The mean of every target over the cases that it measured, in the order of the run. */
    means: z.array(estimateSchema.extend({ target: z.string() })),
    /** The target with the best mean; null when nothing was measured or neither way is better. */
    leader: z.string().nullable(),
    /** The leader's mean minus each other target's, over the cases that both measured. */
    differences: z.array(estimateSchema.extend({ target: z.string() })),
    /**
     * The largest of the two-sided p-values of these differences; null where one has too few cases, and without a leader.
     * Absent in summaries of earlier versions.
     */
    pValue: z.number().nullable().optional(),
    /** The same, corrected by Holm's method: the first comparison of a run by itself, all others together. */
    adjustedPValue: z.number().nullable().optional(),
    /**
     * The leader, when its difference to every other measured target is beyond the noise: the corrected p-value is below 5 %,
     * and the interval is on its side of 0 even if all cases that only one of the two measured had gone against it.
     */
    best: z.string().nullable(),
  }),
);
export type TargetComparison = z.infer<typeof targetComparisonSchema>;
