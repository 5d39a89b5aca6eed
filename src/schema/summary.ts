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

/** Where every planned trial went. `planned` is always the sum of the others but `passed` and `failed`. */
export const trialCountsSchema = z.object({
  planned: z.int().nonnegative(),
  /** With a total. */
  measured: z.int().nonnegative(),
  /** The target threw, timed out or gave nothing usable. */
  errors: z.int().nonnegative(),
  /** Answered, but at least one weighted criterion has no verdict. */
  notMeasured: z.int().nonnegative(),
  cancelled: z.int().nonnegative(),
  notRun: z.int().nonnegative(),
  /** Of the measured ones. */
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
});
export type TrialCounts = z.infer<typeof trialCountsSchema>;

/** One metric over all trials of a target. */
export const metricSummarySchema = z.object({
  metric: z.string(),
  unit: z.string().optional(),
  estimate: estimateSchema,
  planned: z.int().nonnegative(),
  scored: z.int().nonnegative(),
  notApplicable: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** Nearest-rank percentiles; only for measured quantities. */
  percentiles: z.object({ p50: z.number(), p90: z.number(), p99: z.number() }).optional(),
});
export type MetricSummary = z.infer<typeof metricSummarySchema>;

/** One category of one target. */
export const categorySummarySchema = z.object({
  category: z.string(),
  score: estimateSchema,
  counts: trialCountsSchema,
});
export type CategorySummary = z.infer<typeof categorySummarySchema>;

/** One target over the whole dataset. */
export const targetSummarySchema = z.object({
  target: z.string(),
  /** Mean total of the measured cases, in [0, 1]. */
  score: estimateSchema,
  /** Share of measured trials that passed. */
  passRate: estimateSchema,
  counts: trialCountsSchema,
  /** Share of planned trials with a total. */
  coverage: z.number(),
  /** The score if everything not measured had come out as badly, or as well, as it could. */
  worstCase: z.number().nullable(),
  bestCase: z.number().nullable(),
  /** Share of the trials called that ended in an error of any kind, an error report for an answer included. */
  errorRate: estimateSchema,
  grades: z.record(z.string(), z.int().nonnegative()),
  metrics: z.array(metricSummarySchema),
  categories: z.array(categorySummarySchema),
});
export type TargetSummary = z.infer<typeof targetSummarySchema>;

/** What a gate decided, and why. */
export const decisionSchema = z.object({
  outcome: z.enum(['pass', 'fail', 'inconclusive', 'not-measured']),
  reasons: z.array(z.string()),
});
export type Decision = z.infer<typeof decisionSchema>;

/** A run in numbers. */
export const summarySchema = z.object({
  targets: z.array(targetSummarySchema),
  decision: decisionSchema,
});
export type Summary = z.infer<typeof summarySchema>;
