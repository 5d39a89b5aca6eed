import { z } from 'zod';

/** How far pairs of metrics rank the same answers alike, whatever their units. */
export const correlationsSchema = z.lazy(() =>
  z.object({
    /** Answers with a verdict of some metric, and how many of them were drawn to be ranked: at random, by the run's seed. */
    trials: z.int().nonnegative(),
    sampled: z.int().nonnegative(),
    /** Pairs that can be ranked: both metrics vary over the answers on which both have a verdict. */
    pairs: z.array(
      z.object({
        metrics: z.tuple([z.string(), z.string()]),
        /** Spearman's coefficient: 1 when they rank alike, −1 when the other way round. */
        spearman: z.number().min(-1).max(1),
        /** Answers of the sample that both measured. */
        n: z.int().positive(),
      }),
    ),
  }),
);
export type Correlations = z.infer<typeof correlationsSchema>;
