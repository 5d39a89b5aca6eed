import { z } from 'zod';
import { correlationsSchema } from './correlation.ts';
import { decisionSchema } from './decision.ts';
import { disagreementSchema } from './disagreement.ts';
import { estimateSchema } from './estimate.ts';
import { targetComparisonSchema } from './target-comparison.ts';
import { unreadExpectationSchema } from './expectation.ts';
import { judgeSummarySchema } from './judge-summary.ts';
import { noiseSchema } from './noise.ts';
import { reliabilitySchema } from './reliability.ts';
import { robustnessSchema } from './robustness.ts';
import { selectionSchema } from './selection.ts';
import { percentilesSchema, usageSummarySchema } from './usage-summary.ts';

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
