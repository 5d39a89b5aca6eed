import { z } from 'zod';
import { amount, positiveInt, wholeNumber } from './json.ts';

/** The verdicts on a case under a case rule: `undecided` when missing attempts could still change it. */
export const caseVerdicts = ['passed', 'failed', 'undecided'] as const;
export type CaseVerdict = (typeof caseVerdicts)[number];

/** The ways of correcting the pass rate of a judge. */
export const correctionMethodSchema = z.enum([
  'ppi',
  'stratified',
  'weighted-ppi',
  'rogan-gladen',
  'people-alone',
]);
export type CorrectionMethod = z.infer<typeof correctionMethodSchema>;

/**
 * A number with its uncertainty. `value` is null when nothing was measured; `lower` and `upper` are null, with the
 * reason, when the data cannot support an interval.
 */
export const estimateSchema = z.object({
  value: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** Independent cases behind the number; repeats of a case are averaged first. */
  n: wholeNumber(),
  /** Clusters behind the number, a case without one being its own; absent when no two cases share one. */
  clusters: positiveInt().optional(),
  /** Clusters of equal size that would say as much (Kish: n² / Σ size²); absent when no two cases share one. */
  effectiveClusters: z.number().positive().optional(),
  /** Cases of equal weight that would say as much (Kish: (Σ w)² / Σ w²); absent when all weigh the same. */
  effectiveCases: z.number().positive().optional(),
  confidence: z.number(),
  method: z.string(),
  reason: z.string().optional(),
  /** Present when the number says next to nothing of other cases; see `isTooFew`. */
  tooFew: z.literal(true).optional(),
  /** Present when clusters are so few, or so unequal, that the interval may be too narrow; see `hasFewClusters`. */
  fewClusters: z.literal(true).optional(),
});
/**
 * A number with its uncertainty. `value` is null when nothing was measured; `lower` and `upper` are null, with the
 * reason, when the data cannot support an interval.
 */
export type Estimate = z.infer<typeof estimateSchema>;

/** Returns the estimate of a number that was not measured, with the reason. */
export function notMeasured(reason: string): Estimate {
  return { value: null, lower: null, upper: null, n: 0, confidence: 0.95, method: 'none', reason };
}

/** The least number of cases: with fewer, a number says nothing about other cases. */
const leastCases = 5;
/** The largest half-width of a share's interval: beyond it, the share says nothing about other cases. */
const widestMargin = 0.25;

/**
 * Returns whether an estimate is too uncertain to be informative: fewer than 5 cases (effective ones, where they have
 * different weights) or, for a share, an interval
 * wider than ±25 points.
 * @param unit - The unit of a measured quantity; undefined for a share.
 */
export function isTooFew(
  { n, lower, upper, effectiveCases = n }: Pick<Estimate, 'n' | 'lower' | 'upper' | 'effectiveCases'>,
  unit?: string,
): boolean {
  if (n < leastCases || effectiveCases < leastCases) return true;
  return unit === undefined && lower !== null && upper !== null && upper - lower > 2 * widestMargin;
}

/** The least number of clusters of equal size: with fewer, their own variance is a guess. */
const leastClusters = 20;
/** The least share of effective clusters: below it, large clusters outweigh the others. */
const leastShare = 0.5;

/**
 * Returns whether an interval is based on so few or so unequal clusters that it may be too narrow. In simulations
 * nominal 95 % intervals of skewed scores covered 93 % with 20 clusters of one size, 90 % with 10 and 86 % with 5; 71
 * to 89 % where a few large clusters outweigh many small ones. Gaffke's bounds allow for an unseen cluster as large as
 * the largest, and are wide instead. See `docs/intervals.md`.
 */
export function hasFewClusters({
  clusters,
  effectiveClusters,
  method,
}: Pick<Estimate, 'clusters' | 'effectiveClusters' | 'method'>): boolean {
  if (clusters === undefined || effectiveClusters === undefined || method === 'gaffke') return false;
  return effectiveClusters < leastClusters - 1e-9 || effectiveClusters < leastShare * clusters;
}

/** The weights of parts of the dataset in the weighted numbers of a run; only the proportions matter. */
export const weightsSchema = z.object({
  category: z
    .record(z.string(), amount())
    .refine((weights) => Object.values(weights).some((weight) => weight > 0), {
      message: 'at least one weight has to be above 0',
    })
    .describe(
      'The weight of each category, such as its share of real traffic: `{ billing: 70, legal: 30 }`; 0 leaves one out. Only the proportions matter.',
    ),
});
export type Weights = z.infer<typeof weightsSchema>;

/** One component of a variance. */
const noisePartSchema = z.lazy(() =>
  z.object({
    /** The component in squared units of the measure; null when it is unknown. */
    variance: amount().nullable(),
    /** The reason why it is unknown, or what else it includes. */
    reason: z.string().optional(),
  }),
);
export type NoisePart = z.infer<typeof noisePartSchema>;

/** The variance components of one measure. */
export const measureNoiseSchema = z.lazy(() =>
  z.object({
    measure: z.enum(['score', 'metric']),
    /** The name of the metric; for the score, the name of the scorecard. */
    name: z.string(),
    /** Questions with at least one value. */
    questions: wholeNumber(),
    /** Attempts over all questions. */
    attempts: wholeNumber(),
    /** Samples of the judge over all attempts; one for each attempt if no judge was asked. */
    samples: wholeNumber(),
    /** Variance between questions: some are harder. */
    between: noisePartSchema,
    /** Variance between attempts at a question: the agent's answers differ. */
    agent: noisePartSchema,
    /** Variance between samples of the judge for one answer: the judge's verdicts differ. */
    judge: noisePartSchema,
  }),
);
export type MeasureNoise = z.infer<typeof measureNoiseSchema>;

/** The effect of more measurements on the score, or on the first judged metric. */
const noiseAdviceSchema = z.lazy(() =>
  z.object({
    /** The increase that reduces the uncertainty most for its price. */
    more: z.enum(['questions', 'attempts', 'judge-samples']),
    standardError: amount(),
    /** The standard error with twice as many of each. */
    choices: z.array(
      z.object({
        twice: z.enum(['questions', 'attempts', 'judge-samples']),
        standardError: amount(),
        /** Cost relative to the cost of the whole run. */
        costRatio: z.number().positive(),
      }),
    ),
    /**
     * The price of a question in attempts: where a question itself costs more, another attempt at each is worth more
     * than new questions.
     */
    questionPrice: amount().nullable(),
    /** True when prices are known; otherwise a call of the judge counts as much as one of the target. */
    isPriced: z.boolean(),
  }),
);
export type NoiseAdvice = z.infer<typeof noiseAdviceSchema>;

/** The variance components of a target's values, with advice. */
export const noiseSchema = z.lazy(() =>
  z.object({
    /** The score first, then every judged metric. */
    measures: z.array(measureNoiseSchema).min(1),
    /** Absent where the data allow no advice. */
    advice: noiseAdviceSchema.optional(),
  }),
);
export type Noise = z.infer<typeof noiseSchema>;

/** Cases with the same number of passed and of measured attempts. */
const reliabilityGroupSchema = z.lazy(() =>
  z.object({
    passed: wholeNumber(),
    /** Measured attempts; the same for all cases of the group. */
    measured: positiveInt(),
    cases: positiveInt(),
    /** The verdict of the run's case rule; absent where it has none. */
    verdict: z.enum(caseVerdicts).optional(),
    /** The first ids. */
    ids: z.array(z.string()),
  }),
);
export type ReliabilityGroup = z.infer<typeof reliabilityGroupSchema>;

/** The verdicts on cases under the case rule of the run, which requires a number of passed attempts. */
const caseRuleSummarySchema = z.lazy(() =>
  z.object({
    passes: positiveInt(),
    isCurtailed: z.boolean(),
    passed: wholeNumber(),
    failed: wholeNumber(),
    /** Cases whose verdict could still change with the missing attempts. */
    undecided: wholeNumber(),
    /** Share of passed cases among the decided ones. */
    share: estimateSchema,
    /** Planned attempts that were not made because the verdict on their case was settled. */
    notNeeded: wholeNumber(),
  }),
);
export type CaseRuleSummary = z.infer<typeof caseRuleSummarySchema>;

/** The shares of cases that pass in k attempts. */
export const reliabilityLevelSchema = z.lazy(() =>
  z.object({
    k: positiveInt(),
    /** pass@k: at least one of k attempts passes. */
    any: estimateSchema,
    /** pass^k: all of k attempts pass. */
    all: estimateSchema,
  }),
);

/**
 * The reliability of a target when each case is tried several times. A case counts for `k` when at least `k` of its
 * attempts were measured, by its own number of measured attempts; `n` of the estimate is the number of such cases.
 */
export const reliabilitySchema = z.lazy(() =>
  z.object({
    /** Planned attempts at each case. */
    attempts: z.int().min(2),
    /** Absent when every attempt counts on its own. */
    rule: caseRuleSummarySchema.optional(),
    levels: z.array(reliabilityLevelSchema),
    /**
     * Cases grouped by how many attempts passed: first the flaky ones, then those that never pass, then those that
     * always do.
     */
    groups: z.array(reliabilityGroupSchema),
    /** Cases without a measured attempt. */
    unmeasured: wholeNumber(),
  }),
);
export type Reliability = z.infer<typeof reliabilitySchema>;
