import { z } from 'zod';
import { robustnessSchema } from './condition.ts';
import { decisionSchema } from './decision.ts';
import { estimateSchema, noiseSchema, reliabilitySchema } from './estimate.ts';
import { unreadExpectationSchema } from './expectation.ts';
import { selectionSchema } from './selection.ts';
import { judgeSummarySchema, percentilesSchema, usageSummarySchema } from './usage.ts';

/** How far pairs of metrics rank the same answers alike, whatever their units. */
const correlationsSchema = z.lazy(() =>
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

/** One of the two verdicts that contradict each other. */
const sideSchema = z.object({
  /** The metric's name in this run. */
  metric: z.string(),
  value: z.number(),
});

/** One answer on which metrics contradict each other. */
const contradictionSchema = z.lazy(() =>
  z.object({
    /** Place of the trial in the plan. */
    ordinal: z.int().nonnegative(),
    caseId: z.string(),
    target: z.string(),
    high: sideSchema,
    low: sideSchema,
  }),
);
export type Contradiction = z.infer<typeof contradictionSchema>;

const countsSchema = {
  /** Answers on which both sides have a verdict. */
  compared: z.int().nonnegative(),
  /** Those on which the two contradict each other. */
  count: z.int().nonnegative(),
};

/** One way in which metrics of a run can contradict each other, and how often they did. */
const disagreementSchema = z.lazy(() =>
  z.object({
    /** Kebab-case. */
    kind: z.string(),
    title: z.string(),
    /** What is most likely behind it. */
    reading: z.string(),
    ...countsSchema,
    targets: z.array(z.object({ target: z.string(), ...countsSchema })),
    /** The widest apart first; not all of them when there are many. */
    widest: z.array(contradictionSchema),
  }),
);
/** One way in which metrics of a run can contradict each other, and how often they did. */
export type Disagreement = z.infer<typeof disagreementSchema>;

/**
 * The targets of a run side by side on one measure, paired by case: a case counts once, with the mean of its attempts.
 */
const targetComparisonSchema = z.lazy(() =>
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

export { type Decision, decisionSchema } from './decision.ts';

/** Where every planned trial went. `planned` is always the sum of `measured` to `notNeeded`. */
export const trialCountsSchema = z.lazy(() =>
  z.object({
    planned: z.int().nonnegative(),
    /** With a total; without a scorecard, with a verdict of every metric. */
    measured: z.int().nonnegative(),
    /** The target threw, timed out or gave nothing usable. */
    errors: z.int().nonnegative(),
    /** Answered, but at least one weighted criterion has no verdict. */
    notMeasured: z.int().nonnegative(),
    cancelled: z.int().nonnegative(),
    notRun: z.int().nonnegative(),
    /** Not made, or not scored any more, since the verdict on their case or the gate was settled; absent where there are none. */
    notNeeded: z.int().positive().optional(),
    /** Of the measured ones. */
    passed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    /** Answered, but the answer is an error report; among the measured and the not measured ones. */
    errorReports: z.int().nonnegative(),
    /** Not to be held against the target, since who played the user was at fault; among the not measured ones. */
    spoilt: z.int().positive().optional(),
    /** A recording holds no answer to them; among the not measured ones. */
    notRecorded: z.int().positive().optional(),
    /** Answered, but a verdict is missing because the judge failed; among the measured and the not measured ones. */
    judgeFaults: z.int().positive().optional(),
    /** Answered, but their case expects nothing that can be checked; among the not measured ones. */
    unchecked: z.int().positive().optional(),
    /** Answered and not scored yet, as when a run is stopped; among the not measured ones. */
    unscored: z.int().positive().optional(),
  }),
);
export type TrialCounts = z.infer<typeof trialCountsSchema>;

/** One metric over all trials of a target. */
export const metricSummarySchema = z.lazy(() =>
  z.object({
    metric: z.string(),
    unit: z.string().optional(),
    estimate: estimateSchema,
    planned: z.int().nonnegative(),
    scored: z.int().nonnegative(),
    notApplicable: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    /** Of the failed ones: because the judge failed. */
    judgeFaults: z.int().positive().optional(),
    /** How often each class was given, where the metric gives classes beside values. */
    labels: z.record(z.string(), z.int().positive()).optional(),
    /** Nearest-rank percentiles; only for measured quantities. */
    percentiles: percentilesSchema.optional(),
  }),
);
export type MetricSummary = z.infer<typeof metricSummarySchema>;

/** One category of one target. */
export const categorySummarySchema = z.lazy(() =>
  z.object({
    category: z.string(),
    score: estimateSchema,
    counts: trialCountsSchema,
    /** Every metric over the cases of the category. */
    metrics: z.array(metricSummarySchema).optional(),
  }),
);
export type CategorySummary = z.infer<typeof categorySummarySchema>;

/** The numbers of a target with each category counted as much as the configuration says, and not as often as the dataset has it. */
export const weightedSummarySchema = z.lazy(() =>
  z.object({
    score: estimateSchema,
    passRate: estimateSchema,
    /** What each category counts; adds up to 1. */
    categories: z.record(z.string(), z.number()),
  }),
);
export type WeightedSummary = z.infer<typeof weightedSummarySchema>;

/** How many trials had one outcome. */
export const outcomeSummarySchema = z.lazy(() =>
  z.object({
    outcome: z.string(),
    trials: z.int().nonnegative(),
    /** Of those whose outcome is known. */
    share: estimateSchema,
  }),
);
export type OutcomeSummary = z.infer<typeof outcomeSummarySchema>;

/** How often one criterion that is true or false was not as it should be, and what that cost. */
export const criterionSummarySchema = z.lazy(() =>
  z.object({
    criterion: z.string(),
    weight: z.number(),
    unmet: z.int().nonnegative(),
    measured: z.int().nonnegative(),
    notApplicable: z.int().nonnegative(),
    notMeasured: z.int().nonnegative(),
    /** Of the measured ones, those that did not meet it. */
    share: estimateSchema,
  }),
);
export type CriterionSummary = z.infer<typeof criterionSummarySchema>;

/** One target over the whole dataset. */
export const targetSummarySchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** Mean total of the measured cases, in [0, 1]. */
    score: estimateSchema,
    /** Share of measured trials that passed. */
    passRate: estimateSchema,
    counts: trialCountsSchema,
    /** Share of planned and needed trials that were measured, and of which no verdict is missing for a fault of the judge. */
    coverage: z.number(),
    /** The score if everything not measured had come out as badly, or as well, as it could. */
    worstCase: z.number().nullable(),
    bestCase: z.number().nullable(),
    /** Share of the trials called that ended in an error of any kind, an error report for an answer included. */
    errorRate: estimateSchema,
    grades: z.record(z.string(), z.int().nonnegative()),
    /** In the order of the rules; absent from a scorecard without outcomes. */
    outcomes: z.array(outcomeSummarySchema).optional(),
    /** The criteria that are true or false, in the order of the scorecard; absent from a scorecard without outcomes. */
    criteria: z.array(criterionSummarySchema).optional(),
    /** Absent when each case is tried once, and without a scorecard. */
    reliability: reliabilitySchema.optional(),
    /** Absent when each case is tried once and each answer judged once. */
    noise: noiseSchema.optional(),
    metrics: z.array(metricSummarySchema),
    categories: z.array(categorySummarySchema),
    /** Absent unless the configuration weighs the categories. */
    weighted: weightedSummarySchema.optional(),
    usage: usageSummarySchema,
    /** Which of its trials a report tells of. */
    selection: selectionSchema,
  }),
);
/** One target over the whole dataset. */
export type TargetSummary = z.infer<typeof targetSummarySchema>;

/** A run in numbers. */
export const summarySchema = z.lazy(() =>
  z.object({
    targets: z.array(targetSummarySchema),
    /** Measure by measure, the targets side by side; empty for a single target. */
    comparisons: z.array(targetComparisonSchema),
    /** Ways in which metrics could contradict each other, those that did on most answers first; absent when there are none. */
    disagreements: z.array(disagreementSchema).optional(),
    /** Absent when there are no two metrics to hold against each other. */
    correlations: correlationsSchema.optional(),
    /** How the targets stand up to conditions, in the order of the run; absent from a run without conditions. */
    robustness: z.array(robustnessSchema).optional(),
    /** Absent when nothing was judged. */
    judge: judgeSummarySchema.optional(),
    /** Expectations of the cases that no metric reads; absent where every one is read, or none was counted. */
    unread: z.array(unreadExpectationSchema).min(1).optional(),
    decision: decisionSchema,
  }),
);
/** A run in numbers. */
export type Summary = z.infer<typeof summarySchema>;
