import { z } from 'zod';

/** How much parts of the dataset count in the weighted numbers of a run; only the proportions matter. */
export const weightsSchema = z.object({
  category: z
    .record(z.string(), z.number().nonnegative())
    .refine((weights) => Object.values(weights).some((weight) => weight > 0), {
      message: 'at least one weight has to be above 0',
    })
    .describe(
      'What each category counts, such as its share of real traffic: `{ billing: 70, legal: 30 }`; 0 leaves one out. Only the proportions matter.',
    ),
});
export type Weights = z.infer<typeof weightsSchema>;

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
  /** Clusters behind the number, a case without one being its own; absent when no two cases share one. */
  clusters: z.int().positive().optional(),
  /** Clusters of equal size that would say as much (Kish: n² / Σ size²); absent when no two cases share one. */
  effectiveClusters: z.number().positive().optional(),
  confidence: z.number(),
  method: z.string(),
  reason: z.string().optional(),
  /** Present when the number says next to nothing of other cases; see `isTooFew`. */
  tooFew: z.literal(true).optional(),
  /** Present when clusters are so few, or so unequal, that the interval may be too narrow; see `hasFewClusters`. */
  fewClusters: z.literal(true).optional(),
});
/**
 * A number with its doubt. `value` is null when nothing was measured; `lower` and `upper` are null, with the reason,
 * when the data cannot support an interval.
 */
export type Estimate = z.infer<typeof estimateSchema>;

/** Below this many cases a number says nothing of others. */
const leastCases = 5;
/** Nor does a share whose interval reaches further than this to either side. */
const widestMargin = 0.25;

/**
 * Whether an estimate is too uncertain to say anything: of fewer than 5 cases, or, for a share, with an interval of more
 * than ±25 points.
 * @param unit - Of a measured quantity; undefined for a share.
 */
export function isTooFew(
  { n, lower, upper }: Pick<Estimate, 'n' | 'lower' | 'upper'>,
  unit?: string,
): boolean {
  if (n < leastCases) return true;
  return unit === undefined && lower !== null && upper !== null && upper - lower > 2 * widestMargin;
}

/** Below this many clusters of equal size, how they vary is itself a guess. */
const leastClusters = 20;
/** Where clusters are so unequal that they say no more than this share of their number, large ones outweigh the others. */
const leastShare = 0.5;

/**
 * Whether an interval rests on so few or so unequal clusters that it may be too narrow. In simulations nominal 95 % intervals
 * of skewed scores covered 93 % with 20 clusters of one size, 90 % with 10 and 86 % with 5; 71 to 89 % where a few large
 * clusters outweigh many small ones. See `docs/intervals.md`.
 */
export function hasFewClusters({
  clusters,
  effectiveClusters,
}: Pick<Estimate, 'clusters' | 'effectiveClusters'>): boolean {
  if (clusters === undefined || effectiveClusters === undefined) return false;
  return effectiveClusters < leastClusters - 1e-9 || effectiveClusters < leastShare * clusters;
}
