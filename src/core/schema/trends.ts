import { z } from 'zod';
import { estimateSchema } from './estimate.ts';
import { gitStateSchema } from './git-state.ts';
import { percentilesSchema } from './usage.ts';
import { positiveInt, wholeNumber } from './json.ts';

/** The version of the format of trends. */
export const trendsVersion = 1;

/** A change between two runs because of which the numbers before and after it are not comparable. */
export const trendBreakSchema = z.lazy(() =>
  z.object({
    kind: z.enum(['dataset', 'scorecard', 'metric', 'judge', 'user']),
    /** The name of the metric, or of the metric whose judge changed; absent for the other kinds. */
    name: z.string().optional(),
    message: z.string(),
  }),
);
export type TrendBreak = z.infer<typeof trendBreakSchema>;

/** One run of a target, in order of time. */
export const trendPointSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    /** The name of the run; absent when it has none. */
    name: z.string().optional(),
    /** The time at which the answers were given: earlier than the time of a run that scores them again. */
    createdAt: z.string(),
    git: gitStateSchema.optional(),
    description: z.string().optional(),
    /** The watch of which it is a day, with questions of its own; absent from every other run. */
    watch: z.string().optional(),
    /** The value of the trend, the score or a metric; null if it was not measured. */
    value: estimateSchema,
    /** The value as people would say; absent unless it rests on a judge with a certificate by which it can be corrected. */
    corrected: estimateSchema.optional(),
    /** The reason why a value that rests on a certified judge is not corrected. */
    notCorrected: z.string().optional(),
    /** Absent without a scorecard, and when the trend is not about the score. */
    passRate: estimateSchema.optional(),
    measured: wholeNumber(),
    planned: wholeNumber(),
    coverage: z.number(),
    /** Milliseconds of one trial. */
    latency: percentilesSchema.nullable(),
    /** Mean cost of a call in US dollars; null when no call reported one. */
    cost: z.number().nullable(),
    /** The series of comparable runs that it belongs to, from 1; null when it belongs to none. */
    series: positiveInt().nullable(),
    /** The reason why it belongs to no series. */
    leftOut: z.string().optional(),
    /** Changes since the run before it. */
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
    /** The last run before the change and the first after it. */
    before: trendPlaceSchema,
    after: trendPlaceSchema,
    /** The change lies between these two, at the confidence of the series. */
    earliest: trendPlaceSchema,
    latest: trendPlaceSchema,
    /** Mean after minus mean before; for latency and cost, the mean after as a multiple of the mean before. */
    difference: z.number(),
    lower: z.number(),
    upper: z.number(),
    /** Corrected for all possible places in the series. */
    pValue: z.number(),
    finding: z.enum(['better', 'worse', 'different']),
  }),
);
export type TrendChange = z.infer<typeof trendChangeSchema>;

/** One measure over the runs of a series, searched for changes. */
export const trendSearchSchema = z.lazy(() =>
  z.object({
    measure: z.enum(['score', 'metric', 'category', 'latency', 'cost']),
    /** The metric or category; otherwise the same as `measure`. */
    name: z.string(),
    series: positiveInt(),
    runs: wholeNumber(),
    /** Absent for shares. */
    unit: z.string().optional(),
    /** The form of a change: a difference, or a multiple. */
    scale: z.enum(['difference', 'ratio']),
    confidence: z.number(),
    method: z.string(),
    /**
     * The source of the estimate of chance variation between runs: the same questions in the runs, the intervals of
     * the runs, or the steps between runs.
     */
    noise: z.enum(['questions', 'intervals', 'steps']),
    /** Number of looks, one after each run, for which the confidence is guaranteed. */
    looks: positiveInt().optional(),
    /** The assumption behind the confidence. */
    assumption: z.string().optional(),
    /** The value of the newest run. */
    newest: estimateSchema.optional(),
    changes: z.array(trendChangeSchema),
    /** The reason why the series was not searched. */
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
    /** Runs, the oldest first. */
    points: z.array(trendPointSchema),
    /**
     * Searches of every series of at least two runs, for the measure itself, latency and cost; for the newest series
     * also of each category.
     */
    searches: z.array(trendSearchSchema),
  }),
);
export type Trend = z.infer<typeof trendSchema>;

/** The result of `touchstone trends`. */
export const trendsSchema = z.lazy(() =>
  z.object({
    version: z.literal(trendsVersion),
    /** The only category that is included; absent for all. */
    category: z.string().optional(),
    /** Number of runs that were scored again by a newer run, which is shown in their place. */
    superseded: wholeNumber(),
    trends: z.array(trendSchema),
  }),
);
/** The result of `touchstone trends`. */
export type Trends = z.infer<typeof trendsSchema>;
