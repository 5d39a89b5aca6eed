import { z } from 'zod';
import { estimateSchema } from './estimate.ts';
import { gitStateSchema } from './run.ts';
import { percentilesSchema } from './usage.ts';

/** The version of the form in which trends are written. */
export const trendsVersion = 1;

/** Something that changed between two runs, so that the numbers before and after it are not comparable. */
export const trendBreakSchema = z.lazy(() =>
  z.object({
    kind: z.enum(['dataset', 'scorecard', 'metric', 'judge', 'user']),
    /** The metric that it is about, or whose judge; missing for the others. */
    name: z.string().optional(),
    message: z.string(),
  }),
);
export type TrendBreak = z.infer<typeof trendBreakSchema>;

/** One run of a target, in the order of time. */
export const trendPointSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    /** When the answers were given, which is before a run that scores them anew. */
    createdAt: z.string(),
    git: gitStateSchema.optional(),
    description: z.string().optional(),
    /** What the trend is about: the score, or a metric; null values were not measured. */
    value: estimateSchema,
    /** Absent without a scorecard, and where the trend is not about the score. */
    passRate: estimateSchema.optional(),
    measured: z.int().nonnegative(),
    planned: z.int().nonnegative(),
    coverage: z.number(),
    /** Milliseconds of one trial. */
    latency: percentilesSchema.nullable(),
    /** Mean cost of a call in US dollars; null when no call reported one. */
    cost: z.number().nullable(),
    /** Which series it belongs to, counted from 1: those that can be compared. null when it belongs to none. */
    series: z.int().positive().nullable(),
    /** Why it belongs to none. */
    leftOut: z.string().optional(),
    /** What changed since the run above it. */
    breaks: z.array(trendBreakSchema),
  }),
);
export type TrendPoint = z.infer<typeof trendPointSchema>;

/** A run on either side of a change. */
export const trendPlaceSchema = z.object({ run: z.string(), git: gitStateSchema.optional() });
export type TrendPlace = z.infer<typeof trendPlaceSchema>;

/** A place where the level of a series changed. */
export const trendChangeSchema = z.lazy(() =>
  z.object({
    /** The last run before it and the first after it. */
    before: trendPlaceSchema,
    after: trendPlaceSchema,
    /** It cannot lie outside of these two, at the confidence of the series. */
    earliest: trendPlaceSchema,
    latest: trendPlaceSchema,
    /** Mean after minus mean before; for latency and cost the mean after as a multiple of that before. */
    difference: z.number(),
    lower: z.number(),
    upper: z.number(),
    /** Corrected for every place in the series. */
    pValue: z.number(),
    finding: z.enum(['better', 'worse', 'different']),
  }),
);
export type TrendChange = z.infer<typeof trendChangeSchema>;

/** What was looked through for changes: one measure over the runs of a series. */
export const trendSearchSchema = z.lazy(() =>
  z.object({
    measure: z.enum(['score', 'metric', 'category', 'latency', 'cost']),
    /** The metric or category; for the others the same as `measure`. */
    name: z.string(),
    series: z.int().positive(),
    runs: z.int().nonnegative(),
    /** Absent for shares. */
    unit: z.string().optional(),
    /** Whether a change is told as a difference, or as a multiple. */
    scale: z.enum(['difference', 'ratio']),
    confidence: z.number(),
    method: z.string(),
    /**
     * Where it is known from how much runs vary by chance: from the same questions in the runs, from the intervals of the runs,
     * or from the steps between runs.
     */
    noise: z.enum(['questions', 'intervals', 'steps']),
    /** The confidence holds for a look after each of so many runs. */
    looks: z.int().positive().optional(),
    /** What the confidence rests on. */
    assumption: z.string().optional(),
    /** The number of the newest run. */
    newest: estimateSchema.optional(),
    changes: z.array(trendChangeSchema),
    /** Why nothing was looked for. */
    reason: z.string().optional(),
  }),
);
export type TrendSearch = z.infer<typeof trendSearchSchema>;

/** The runs of one target over time. */
export const trendSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** `score`, or the name of a metric. */
    measure: z.object({ type: z.enum(['score', 'metric']), name: z.string(), unit: z.string().optional() }),
    /** The oldest first. */
    points: z.array(trendPointSchema),
    /** Every series with two runs or more: the measure itself, latency and cost; and of the newest series each category. */
    searches: z.array(trendSearchSchema),
  }),
);
export type Trend = z.infer<typeof trendSchema>;

/** What `touchstone trends` found. */
export const trendsSchema = z.lazy(() =>
  z.object({
    version: z.literal(trendsVersion),
    /** The only category that is looked at; missing for all. */
    category: z.string().optional(),
    /** Runs whose answers were scored anew, and that newer run is shown in their place. */
    superseded: z.int().nonnegative(),
    trends: z.array(trendSchema),
  }),
);
/** What `touchstone trends` found. */
export type Trends = z.infer<typeof trendsSchema>;
