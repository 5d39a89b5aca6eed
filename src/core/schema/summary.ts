import { z } from 'zod';
import { targetAttacksSchema } from './attacks/attack-rates.ts';
import { robustnessSchema } from './condition.ts';
import { decisionSchema } from './decision.ts';
import { estimateSchema, noiseSchema, reliabilityLevelSchema, reliabilitySchema } from './estimate.ts';
import { unreadExpectationSchema } from './expectation.ts';
import { judgedMetricReportSchema } from './review/certification.ts';
import { correlationsSchema, neverRetrievedSchema } from './metric.ts';
import { failedAgainSchema, selectionSchema } from './selection.ts';
import { toolCountsSchema } from './tools/run-tools.ts';
import { unreadMemberSchema } from './trial.ts';
import { judgedSchema, judgeSummarySchema, percentilesSchema, usageSummarySchema } from './usage.ts';
import { positiveInt, wholeNumber } from './json.ts';

/** One of two verdicts that contradict each other, with the name of the metric in this run. */
const sideSchema = z.object({ metric: z.string(), value: z.number() });

/** An answer on which two metrics contradict each other. */
const contradictionSchema = z.lazy(() =>
  z.object({
    /** Place of the trial in the plan. */
    ordinal: wholeNumber(),
    caseId: z.string(),
    target: z.string(),
    high: sideSchema,
    low: sideSchema,
  }),
);
export type Contradiction = z.infer<typeof contradictionSchema>;

const countsSchema = {
  /** Answers on which both sides have a verdict. */
  compared: wholeNumber(),
  /** Answers on which both sides contradict each other. */
  count: wholeNumber(),
};

/** A way in which metrics of a run can contradict each other, with its frequency. */
export const disagreementSchema = z.lazy(() =>
  z.object({
    /** Kebab-case. */
    kind: z.string(),
    title: z.string(),
    /** The most likely explanation. */
    reading: z.string(),
    ...countsSchema,
    targets: z.array(z.object({ target: z.string(), ...countsSchema })),
    /** The largest contradictions first; not all of them when there are many. */
    widest: z.array(contradictionSchema),
  }),
);
export type Disagreement = z.infer<typeof disagreementSchema>;

/** The targets of a run compared on one measure, paired by case: a case counts once, with the mean of its attempts. */
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
    /** The metric or the category; otherwise the same as `measure`. */
    name: z.string(),
    /** The unit; absent for shares in [0, 1]. */
    unit: z.string().optional(),
    /** The direction that is better; null when neither is. */
    better: z.enum(['higher', 'lower']).nullable(),
    /** The mean of each target over the cases that it measured, in the order of the run. */
    means: z.array(estimateSchema.extend({ target: z.string() })),
    /** The target with the best mean; null when nothing was measured or neither direction is better. */
    leader: z.string().nullable(),
    /** The leader's mean minus the mean of each other target, over the cases that both measured. */
    differences: z.array(estimateSchema.extend({ target: z.string() })),
    /**
     * The largest two-sided p-value of these differences; null when one has too few cases, or there is no leader.
     * Absent in summaries of earlier versions.
     */
    pValue: z.number().nullable().optional(),
    /** The p-value corrected by Holm's method: the first comparison of a run on its own, all others together. */
    adjustedPValue: z.number().nullable().optional(),
    /** The same of the sign test: as many questions for the leader as against it; null where more are against it. */
    signPValue: z.number().nullable().optional(),
    /** The leader, when it is not `best`, and the corrected `signPValue` is below 5 %: rare losses could outweigh that. */
    bestOnMost: z.string().optional(),
    /**
     * The leader, when its difference from every other measured target exceeds the noise: the corrected p-value is
     * below 5 %, and the interval stays on its side of 0 even if all cases that only one of the two measured had gone
     * against it.
     */
    best: z.string().nullable(),
  }),
);
export type TargetComparison = z.infer<typeof targetComparisonSchema>;

/** The number of trials by outcome. `planned` is always the sum of `measured` to `notNeeded`. */
export const trialCountsSchema = z.lazy(() =>
  z.object({
    planned: wholeNumber(),
    /** Trials with a total; without a scorecard, trials with a verdict of every metric. */
    measured: wholeNumber(),
    /** Trials in which the target threw, timed out or returned nothing usable. */
    errors: wholeNumber(),
    /** Answered trials in which at least one weighted criterion has no verdict. */
    notMeasured: wholeNumber(),
    cancelled: wholeNumber(),
    notRun: wholeNumber(),
    /**
     * Trials not made, or no longer scored, because the verdict on their case or the gate was settled; absent when
     * there are none.
     */
    notNeeded: positiveInt().optional(),
    /** Measured trials that passed, and those that failed. */
    passed: wholeNumber(),
    failed: wholeNumber(),
    /** Answered trials whose answer is an error report; included in the measured and the not measured ones. */
    errorReports: wholeNumber(),
    /** Trials that do not count against the target, as the simulated user was at fault; included in the not measured ones. */
    spoilt: positiveInt().optional(),
    /** Trials for which a recording holds no answer; included in the not measured ones. */
    notRecorded: positiveInt().optional(),
    /** Trials that were not made, since their questions have pictures or other files that the target does not take; absent for none. */
    untaken: positiveInt().optional(),
    /**
     * Answered trials in which a verdict is missing because the judge failed; included in the measured and the not
     * measured ones.
     */
    judgeFaults: positiveInt().optional(),
    /** Answered trials whose case expects nothing that can be checked; included in the not measured ones. */
    unchecked: positiveInt().optional(),
    /**
     * Answered trials that are not scored yet, for instance because the run was stopped; included in the not measured
     * ones.
     */
    unscored: positiveInt().optional(),
  }),
);
export type TrialCounts = z.infer<typeof trialCountsSchema>;

/** One metric over all trials of a target. */
export const metricSummarySchema = z.lazy(() =>
  z.object({
    metric: z.string(),
    unit: z.string().optional(),
    estimate: estimateSchema,
    planned: wholeNumber(),
    scored: wholeNumber(),
    notApplicable: wholeNumber(),
    failed: wholeNumber(),
    /** Failed verdicts that are missing because the judge failed. */
    judgeFaults: positiveInt().optional(),
    /** Frequency of each class; present for metrics that give classes besides values. */
    labels: z.record(z.string(), positiveInt()).optional(),
    /** Answers with a verdict of the judge, and how many of them it passes; present for judged metrics. */
    judged: judgedSchema.optional(),
    /** The mean as people would say it; present in runs without a scorecard where it rests on a certified judge. */
    corrected: estimateSchema.optional(),
    /** The reason why that is not known; such a mean is not shown as one of people. */
    notCorrected: z.string().optional(),
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
    /** Each metric over the cases of the category. */
    metrics: z.array(metricSummarySchema).optional(),
    /** pass@k and pass^k over the cases of the category, for all k planned attempts; absent for one attempt at each case. */
    reliability: reliabilityLevelSchema.optional(),
  }),
);
export type CategorySummary = z.infer<typeof categorySummarySchema>;

/** The numbers of a target with each category weighted as configured, rather than by its frequency in the dataset. */
export const weightedSummarySchema = z.lazy(() =>
  z.object({
    score: estimateSchema,
    passRate: estimateSchema,
    /** The weight of each category; the weights add up to 1. */
    categories: z.record(z.string(), z.number()),
  }),
);
export type WeightedSummary = z.infer<typeof weightedSummarySchema>;

/** The number of trials with one outcome. */
export const outcomeSummarySchema = z.lazy(() =>
  z.object({
    outcome: z.string(),
    trials: wholeNumber(),
    /** Share of the trials whose outcome is known. */
    share: estimateSchema,
  }),
);
export type OutcomeSummary = z.infer<typeof outcomeSummarySchema>;

/** The frequency with which one boolean criterion was not met, with its weight. */
export const criterionSummarySchema = z.lazy(() =>
  z.object({
    criterion: z.string(),
    weight: z.number(),
    unmet: wholeNumber(),
    measured: wholeNumber(),
    notApplicable: wholeNumber(),
    notMeasured: wholeNumber(),
    /** Share of the measured trials that did not meet it. */
    share: estimateSchema,
  }),
);
export type CriterionSummary = z.infer<typeof criterionSummarySchema>;

/** A member of replies that nothing read. */
export const unreadKeySchema = unreadMemberSchema.extend({ trials: positiveInt() });
export type UnreadKey = z.infer<typeof unreadKeySchema>;

/** One target over the whole dataset. */
export const targetSummarySchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** Present in a run that asks again what failed in an earlier one: its means are not measured. */
    failedAgain: failedAgainSchema.optional(),
    /** Mean total of the measured cases, in [0, 1]. */
    score: estimateSchema,
    /** The score that people would give, by the certificates of its judges; absent where it rests on no certified judge. */
    corrected: estimateSchema.optional(),
    /** The reason why that is not known, where the score rests on a certified judge. */
    notCorrected: z.string().optional(),
    /** Share of measured trials that passed. */
    passRate: estimateSchema,
    counts: trialCountsSchema,
    /** Absent where an expected document was found, and where none is expected. */
    neverRetrieved: neverRetrievedSchema.optional(),
    /** Share of the planned and needed trials that were measured and have no verdict missing because of the judge. */
    coverage: z.number(),
    weightCoverage: z.number().optional(), // The same by the weights of the cases; absent where all weigh the same.
    /** The score if everything not measured had the worst, or the best, possible result. */
    worstCase: z.number().nullable(),
    bestCase: z.number().nullable(),
    /** Share of the called trials that ended in an error of any kind, including an error report as the answer. */
    errorRate: estimateSchema,
    grades: z.record(z.string(), wholeNumber()),
    /** Outcomes in the order of the rules; absent from a scorecard without outcomes. */
    outcomes: z.array(outcomeSummarySchema).optional(),
    /** The boolean criteria in the order of the scorecard; absent from a scorecard without outcomes. */
    criteria: z.array(criterionSummarySchema).optional(),
    /** Absent when each case is tried once, or there is no scorecard. */
    reliability: reliabilitySchema.optional(),
    /** Absent when each case is tried once and each answer is judged once. */
    noise: noiseSchema.optional(),
    metrics: z.array(metricSummarySchema),
    categories: z.array(categorySummarySchema),
    /** Absent unless the configuration sets weights of categories. */
    weighted: weightedSummarySchema.optional(),
    usage: usageSummarySchema,
    /** The members of replies that nothing read, the most frequent first; absent when there were none. */
    unreadKeys: z.array(unreadKeySchema).min(1).optional(),
    /** The trials that a report shows in full. */
    selection: selectionSchema,
  }),
);
export type TargetSummary = z.infer<typeof targetSummarySchema>;

/** The numbers of a run. */
export const summarySchema = z.lazy(() =>
  z.object({
    targets: z.array(targetSummarySchema),
    /** The run of which only what failed was asked again, and what else is another since; absent from every other run. */
    failedAgain: z.object({ run: z.string(), changes: z.array(z.string()) }).optional(),
    /** Comparisons of the targets, one for each measure; empty for a single target. */
    comparisons: z.array(targetComparisonSchema),
    /** Ways in which metrics could contradict each other, the most frequent first; absent when there are none. */
    disagreements: z.array(disagreementSchema).optional(),
    /** Absent when fewer than two metrics can be compared. */
    correlations: correlationsSchema.optional(),
    /** Robustness of the targets to conditions, in the order of the run, and the attacks on each; absent from a run without any. */
    robustness: z.array(robustnessSchema).optional(),
    attacks: z.array(targetAttacksSchema).optional(),
    /** The judge, and the judged metrics with their certificates and corrected pass rates; absent when nothing was judged. */
    judge: judgeSummarySchema.optional(),
    judged: z.array(judgedMetricReportSchema).min(1).optional(),
    /** Expectations of the cases that no metric reads; absent when all are read, or when they were not counted. */
    unread: z.array(unreadExpectationSchema).min(1).optional(),
    tools: toolCountsSchema.optional(),
    decision: decisionSchema,
  }),
);
export type Summary = z.infer<typeof summarySchema>;
