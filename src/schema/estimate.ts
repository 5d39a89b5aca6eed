import { z } from 'zod';

/**
 * A number with its doubt. `value` is null when nothing was measured; `lower` and `upper` are null, with the reason,
 * when the data cannot support an interval.
 */
export const estimateSchema = z.object({
  value: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** Independent cases behind the number; repeats of a case are averaged first. */
  n: z.int().nonnegative(),
  confidence: z.number(),
  method: z.string(),
  reason: z.string().optional(),
});
export type Estimate = z.infer<typeof estimateSchema>;
