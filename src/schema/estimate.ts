import { z } from 'zod';
import { caseVerdicts } from './expected.ts';

/** How many questions and attempts it takes to see a difference between two versions of a target. */
const sizePlanSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    /** The two targets whose differences were measured; or the one whose scores stand for both. */
    targets: z.array(z.string()).min(1).max(2),
    /** The mean difference to be seen, in [0, 1]. */
    difference: z.number(),
    power: z.number(),
    confidence: z.number(),
    /** What the plan rests on. */
    spread: z.object({
      questions: z.int().positive(),
      attempts: z.int().positive(),
      /** Variance of the differences between questions, their noise taken out where it is known. */
      betweenVariance: z.number().nonnegative(),
      /** Variance between attempts at a question, both versions together; null where each was tried once. */
      withinVariance: z.number().nonnegative().nullable(),
      /** False when the differences follow from an assumption: that two versions correlate by one half. */
      isMeasured: z.boolean(),
    }),
    choices: z.array(
      z.object({
        attempts: z.int().positive(),
        questions: z.int().positive(),
        /** Of both versions. */
        calls: z.int().positive(),
        /** In US dollars; null when unknown. */
        cost: z.number().nullable(),
        /** At the concurrency of the run; null when unknown. */
        timeMs: z.number().nullable(),
      }),
    ),
    /** The smallest difference that the questions and attempts of the run itself would show. */
    detectable: z.number(),
  }),
);
export type SizePlan = z.infer<typeof sizePlanSchema>;

/** One part of a variance. */
const noisePartSchema = z.lazy(() =>
  z.object({
    /** In squared units of the measure; null when it is not known. */
    variance: z.number().nonnegative().nullable(),
    /** Why it is not known, or what else is in it. */
    reason: z.string().optional(),
  }),
);
export type NoisePart = z.infer<typeof noisePartSchema>;

/** Where the differences between the values of one measure come from. */
const measureNoiseSchema = z.lazy(() =>
  z.object({
    measure: z.enum(['score', 'metric']),
    /** Of the metric; of the score, that of the scorecard. */
    name: z.string(),
    /** With at least one value. */
    questions: z.int().nonnegative(),
    /** Over all questions. */
    attempts: z.int().nonnegative(),
    /** Of the judge, over all attempts; where none was asked, one for each. */
    samples: z.int().nonnegative(),
    /** Between questions: some are harder. */
    between: noisePartSchema,
    /** Between attempts at a question: the agent does not always answer alike. */
    agent: noisePartSchema,
    /** Between samples of the judge for one answer: it does not always judge alike. */
    judge: noisePartSchema,
  }),
);
export type MeasureNoise = z.infer<typeof measureNoiseSchema>;

/** What more measuring would do for the score, or the first metric that is judged. */
const noiseAdviceSchema = z.lazy(() =>
  z.object({
    /** What lessens the doubt most for its price. */
    more: z.enum(['questions', 'attempts', 'judge-samples']),
    standardError: z.number().nonnegative(),
    /** What becomes of the standard error with twice as many. */
    choices: z.array(
      z.object({
        twice: z.enum(['questions', 'attempts', 'judge-samples']),
        standardError: z.number().nonnegative(),
        /** Of the cost of the whole run. */
        costRatio: z.number().positive(),
      }),
    ),
    /** In attempts: where a question by itself costs more, another attempt at each is worth more than new questions. */
    questionPrice: z.number().nonnegative().nullable(),
    /** Whether prices are known; else a call of the judge counts as much as one of the target. */
    isPriced: z.boolean(),
  }),
);
export type NoiseAdvice = z.infer<typeof noiseAdviceSchema>;

/** Where the differences between the values of a target come from, and what to do about them. */
export const noiseSchema = z.lazy(() =>
  z.object({
    /** The score first, then every metric that is judged. */
    measures: z.array(measureNoiseSchema).min(1),
    /** Absent where the data do not allow any. */
    advice: noiseAdviceSchema.optional(),
  }),
);
export type Noise = z.infer<typeof noiseSchema>;

/** Cases whose attempts came out alike: so many of the measured attempts passed. */
const reliabilityGroupSchema = z.lazy(() =>
  z.object({
    passed: z.int().nonnegative(),
    /** Attempts that were measured; the same for all cases of the group. */
    measured: z.int().positive(),
    cases: z.int().positive(),
    /** By the rule of the run; absent where it has none. */
    verdict: z.enum(caseVerdicts).optional(),
    /** The first of them. */
    ids: z.array(z.string()),
  }),
);
export type ReliabilityGroup = z.infer<typeof reliabilityGroupSchema>;

/** How cases came out by the rule of the run: so many of their attempts have to pass. */
const caseRuleSummarySchema = z.lazy(() =>
  z.object({
    passes: z.int().positive(),
    isCurtailed: z.boolean(),
    passed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    /** Attempts that are missing could still turn the verdict. */
    undecided: z.int().nonnegative(),
    /** Of the cases that are decided, those that passed. */
    share: estimateSchema,
    /** Planned attempts that were not made, since the verdict on their case was settled. */
    notNeeded: z.int().nonnegative(),
  }),
);
export type CaseRuleSummary = z.infer<typeof caseRuleSummarySchema>;

/**
 * How far a target can be relied on when each case is tried several times. A case counts for `k` when at least `k` of its
 * attempts were measured, by its own number of measured attempts; the estimate's `n` says how many cases that are.
 */
export const reliabilitySchema = z.lazy(() =>
  z.object({
    /** Attempts planned for each case. */
    attempts: z.int().min(2),
    /** Absent where every attempt counts for itself. */
    rule: caseRuleSummarySchema.optional(),
    levels: z.array(
      z.object({
        k: z.int().positive(),
        /** pass@k: at least one of k attempts passes. */
        any: estimateSchema,
        /** pass^k: all of k attempts pass. */
        all: estimateSchema,
      }),
    ),
    /** Cases by how many of their attempts passed: the flaky ones first, then those that never pass, then those that always do. */
    groups: z.array(reliabilityGroupSchema),
    /** Cases of which no attempt was measured. */
    unmeasured: z.int().nonnegative(),
  }),
);
export type Reliability = z.infer<typeof reliabilitySchema>;

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
