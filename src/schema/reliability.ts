import { z } from 'zod';
import { estimateSchema } from './estimate.ts';

/** Cases whose attempts came out alike: so many of the measured attempts passed. */
export const reliabilityGroupSchema = z.object({
  passed: z.int().nonnegative(),
  /** Attempts that were measured; the same for all cases of the group. */
  measured: z.int().positive(),
  cases: z.int().positive(),
  /** The first of them. */
  ids: z.array(z.string()),
});
export type ReliabilityGroup = z.infer<typeof reliabilityGroupSchema>;

/**
 * How far a target can be relied on when each case is tried several times. A case counts for `k` when at least `k` of its
 * attempts were measured, by its own number of measured attempts; the estimate's `n` says how many cases that are.
 */
export const reliabilitySchema = z.object({
  /** Attempts planned for each case. */
  attempts: z.int().min(2),
  levels: z.array(
    z.object({
      k: z.int().positive(),
      /** pass@k: at least one of k attempts passes. */
      any: estimateSchema,
      /** pass^k: all of k attempts pass. */
      all: estimateSchema,
    }),
  ),
  /** Cases by how many of their attempts passed, the most reliable first. */
  groups: z.array(reliabilityGroupSchema),
  /** Cases of which no attempt was measured. */
  unmeasured: z.int().nonnegative(),
});
export type Reliability = z.infer<typeof reliabilitySchema>;
