import { z } from 'zod';
import { preferenceRuleSchema } from './api/preference/report.ts';
import { conditionSchema, gridPlaceSchema } from './condition.ts';
import { erasureSchema } from './erasure/erasure.ts';
import { weightsSchema } from './estimate.ts';
import {
  expectationCountSchema,
  expectationSchema,
  nameExpectations,
  type Expectation,
  type UnreadExpectation,
  unreadColumnSchema,
} from './expectation.ts';
import { caseRuleSchema } from './expected.ts';
import { gateSchema } from './gate.ts';
import { gitStateSchema } from './git-state.ts';
import { metricAspectSchema, metricFamilySchema, metricPartSchema, metricsMeasuring } from './metric.ts';
import type { Outcome } from './result.ts';
import { summarySchema } from './summary.ts';
import { runToolsSchema } from './tools/run-tools.ts';
import { accountRecordSchema } from './usage.ts';
import { useSchema } from './use.ts';
import { criterionSchema, gradeSchema, outcomeRuleSchema } from './verdict.ts';
import { amount, nonEmpty, positiveInt, wholeNumber } from './json.ts';

/** One kind of failure with the number of trials that ended in it. */
const failureKindSchema = z.lazy(() =>
  z.object({
    code: z.string(),
    /** The message of the first such failure. */
    message: z.string(),
    trials: positiveInt(),
  }),
);
export type FailureKind = z.infer<typeof failureKindSchema>;

/**
 * The reason why a run ended early, apart from an interruption by the user: its limit of `cost` or of `time`,
 * repeated `failures` of a target, a gate that was `decided` without the remaining trials, a `batch` that was not waited for, or a
 * `person` on the dashboard. If a target is named, the others continued.
 */
const runStopSchema = z.lazy(() =>
  z.object({
    reason: z.enum(['cost', 'time', 'failures', 'decided', 'batch', 'person']),
    /** The stopped target; absent when all were stopped. */
    target: z.string().optional(),
    /** The reason in one sentence. */
    message: z.string(),
    /** The first kinds of failure, each once. */
    failures: z.array(failureKindSchema).optional(),
  }),
);
export type RunStop = z.infer<typeof runStopSchema>;

/** A target as recorded in a run. The fingerprint changes with anything that can change its answers. */
export const runTargetSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    use: useSchema,
    fingerprint: z.string(),
    condition: conditionSchema.optional().describe('Present for another target of the run under it.'),
    grid: gridPlaceSchema.optional().describe('Present for a cell of a grid of settings.'),
    isRecorded: z.literal(true).optional().describe('Present when its answers are recorded ones.'),
    isDeterministic: z.literal(true).optional().describe('Present when the config says so.'),
  }),
);
export type RunTarget = z.infer<typeof runTargetSchema>;

/** The simulated user as recorded in a run. The fingerprint shows whether it is still the same. */
export const runUserSchema = z.object({ name: z.string(), use: useSchema, fingerprint: z.string() });
export type RunUser = z.infer<typeof runUserSchema>;

/** A metric as recorded in a run. */
export const runMetricSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    use: useSchema,
    version: positiveInt(),
    fingerprint: z.string(),
    /** The family of the metric; absent when unknown. */
    family: metricFamilySchema.optional(),
    /** The aspect that it measures; null when it declares none, absent from runs of 0.1.0. */
    aspect: metricAspectSchema.nullable().optional(),
    /** The parts of its verdicts that have an aspect of their own; absent when it declares none. */
    parts: z.array(metricPartSchema).min(1).optional(),
    /** The expectations of a case that it reads; absent when it reads none. */
    reads: z.array(expectationSchema).optional(),
    /** The judge that it uses. */
    judge: z.object({ name: z.string(), fingerprint: z.string() }).optional(),
  }),
);
export type RunMetric = z.infer<typeof runMetricSchema>;

/** A scorecard as recorded in a run, with enough to explain every total again without the configuration. */
export const runScorecardSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    use: useSchema,
    version: positiveInt(),
    criteria: z.array(criterionSchema),
    grades: z.array(gradeSchema),
    /** Absent from a scorecard without outcomes. */
    outcomes: z.array(outcomeRuleSchema).optional(),
    passMark: z.number(),
  }),
);
export type RunScorecard = z.infer<typeof runScorecardSchema>;

/** The surroundings of the process that began a run. They change no answer that a fingerprint does not show. */
const runEnvironmentSchema = z.object({
  /** The major version of Node.js. */
  node: positiveInt(),
  /** The hash of the lock file of the packages; absent when there is none. */
  lockHash: z.string().optional(),
  /** The image of the container, as TOUCHSTONE_IMAGE names it. */
  image: z.string().optional(),
});
export type RunEnvironment = z.infer<typeof runEnvironmentSchema>;

/** The weights of a run's cases, which differ. */
const caseWeightsSchema = z.lazy(() =>
  z.object({
    /** The sum of the weights. */
    total: z.number().positive(),
    /** The number of cases of equal weight that would say as much: (Σ w)² / Σ w². */
    effectiveCases: z.number().positive(),
    /** The case of the greatest weight, the first of several. */
    heaviest: z.object({ id: z.string(), weight: z.number().positive() }),
  }),
);

/** One execution of a plan, stored permanently. Its cases, trials and scores are stored separately. */
export const runSchema = () =>
  z.object({
    id: z.string(),
    status: z.enum(['planning', 'running', 'interrupted', 'completed']),
    /** The time at which the run was begun; for recorded answers that state their times, the time of the first of them. */
    createdAt: z.iso.datetime(),
    /** The time at which recorded answers with times of their own were read; absent from every other run. */
    importedAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
    description: z.string().optional(),
    /** The name that finds it: of several runs with it, the newest. */
    name: z.string().optional(),
    note: z.string().optional(),
    tags: z.record(z.string(), z.string()).optional(),
    /** The arguments that ask its questions again, in the folder where it was begun; absent where no command line began it. */
    command: z.array(z.string()).min(1).optional(),
    touchstoneVersion: z.string(),
    /** The git state; absent outside of a git work tree, and when it is not recorded. */
    git: gitStateSchema.optional(),
    /** The surroundings of the process that began it; absent from a run without workers. */
    environment: runEnvironmentSchema.optional(),
    /** The run whose answers to the same cases were reused. */
    continues: z.string().optional(),
    /** The run of which only the cases that did not pass were asked again. */
    failedOf: z.string().optional(),
    /** The run whose stored trials were scored again. */
    rescoredFrom: z.string().optional(),
    dataset: z.object({
      sources: z.array(z.string()),
      cases: wholeNumber(),
      /** Hash of every case in order: its id and content, category, tags, cluster, gate mark and weight. */
      hash: z.string(),
      /** Number of cases of each category, in order of first occurrence; absent from older runs. */
      categories: z.array(z.object({ category: z.string(), cases: positiveInt() })).optional(),
      /** Number of cases with each expectation; absent when that was not counted. */
      expectations: z.array(expectationCountSchema).optional(),
      /** Number of cases that expect nothing that can be checked; absent when there are none. */
      withoutExpectations: positiveInt().optional(),
      /** Number of rows skipped because their id occurred earlier; absent when there are none. */
      duplicates: positiveInt().optional(),
      /**
       * Number of cases with a list that is empty on purpose: any answer without an error gets full marks. Absent
       * when there are none.
       */
      nothingNeeded: positiveInt().optional(),
      /** Number of cases with a pass mark of their own; absent when there are none. */
      passMarks: positiveInt().optional(),
      /** The weights of cases; absent when all weigh the same. */
      caseWeights: caseWeightsSchema.optional(),
      /** The columns that look like expectations and that nothing reads; absent when there are none. */
      unreadColumns: z.array(unreadColumnSchema).min(1).optional(),
    }),
    targets: z.array(runTargetSchema).min(1),
    tools: runToolsSchema.optional(),
    /** Absent when the configuration names no simulated user. */
    user: runUserSchema.optional(),
    metrics: z.array(runMetricSchema),
    scorecard: runScorecardSchema.nullable(),
    attempts: positiveInt(),
    /** The rule by which the attempts at a case make it pass or fail; absent when every attempt counts on its own. */
    caseRule: caseRuleSchema.optional(),
    seed: wholeNumber(),
    /** True when targets take turns on every case, in an order drawn from the seed, rather than one after the other. */
    isInterleaved: z.literal(true).optional(),
    /** Present when cases are asked in a random order derived from this seed, not in the order of the plan. */
    order: z.object({ seed: wholeNumber() }).optional(),
    settings: z.object({
      concurrency: positiveInt(),
      timeLimitMs: z.number().positive(),
      maxRetries: wholeNumber(),
      /** Limit for a trial with all its calls; this and the following limits are absent when not set. */
      trialTimeLimitMs: z.number().positive().optional(),
      /** Limit for the whole run. */
      maxDurationMs: z.number().positive().optional(),
      /** Limit of repeated calls over all trials. */
      maxRunRetries: wholeNumber().optional(),
      /** Limit in US dollars for targets, judges and models that play users or rephrase questions, together. */
      maxCost: amount().optional(),
      /** Number of consecutive failures after which a target is not called again; null for no limit. */
      stopAfterFailures: positiveInt().nullable().optional(),
    }),
    gate: gateSchema,
    /** Expectations that the configuration leaves unread on purpose; absent when it lists none. */
    unread: z.array(expectationSchema).optional(),
    /** The weight of each category, in addition to the plain mean; absent when all cases count the same. */
    weights: weightsSchema.optional(),
    /** The reasons why the run ended early; absent when it did not. */
    stops: z.array(runStopSchema).optional(),
    /** The calls on each account; absent when none was used. */
    accounts: z.array(accountRecordSchema).optional(),
    /** Number of answers that arrived after their call was given up, or after another process had given one; they were discarded. */
    lateAnswers: positiveInt().optional(),
    /** The known cost of these answers in US dollars; absent when none is known. */
    lateCost: z.number().positive().optional(),
    /** True while the run is being imported, and permanently when the import failed: its stored data are incomplete. */
    isImporting: z.literal(true).optional(),
    /** True with `isImporting` when the run is sent by another machine, which can continue what was cut off. */
    isSent: z.literal(true).optional(),
    /** The tags of legal holds, such as a case at court: a run with one is not deleted. */
    holds: z.array(nonEmpty()).min(1).optional(),
    /** The days on which texts of the run were erased, in order; absent while it is as it was made. */
    erasures: z.array(erasureSchema).optional(),
    /** The comparisons of answers in pairs whose judgements are stored with the run; absent when there are none. */
    preferences: z.array(preferenceRuleSchema).optional(),
    summary: summarySchema.optional(),
  });
export type Run = z.infer<ReturnType<typeof runSchema>>;

/** Returns when the last answer of a run was given, as far as is known: at its end, or when its recorded answers were. */
export function endOfAnswers({ createdAt, importedAt, finishedAt }: Run): string {
  return importedAt === undefined ? (finishedAt ?? createdAt) : createdAt;
}

/** The part of a run that says which expectations its cases have, and which of them its metrics read. */
interface ReadRun {
  readonly dataset: Pick<Run['dataset'], 'expectations' | 'unreadColumns'>;
  readonly metrics: readonly Pick<Run['metrics'][number], 'reads'>[];
  readonly unread?: readonly Expectation[];
}

/** Returns the expectations of a run's cases that none of its metrics reads, using the record of the run alone. */
export function findUnread({
  dataset: { expectations: counted = [], unreadColumns = [] },
  metrics,
  unread: accepted = [],
}: ReadRun): UnreadExpectation[] {
  const read = new Set(metrics.flatMap(({ reads = [] }) => reads));
  const hasChecks = read.has('checks');
  const unread = counted.flatMap(({ expectation, cases, readByChecks = 0 }): UnreadExpectation[] => {
    const left = hasChecks ? cases - readByChecks : cases;
    if (left === 0 || read.has(expectation)) return [];
    const found = { expectation, cases: left, ...(left < cases && { of: cases }) };
    return [accepted.includes(expectation) ? { ...found, isAccepted: true } : found];
  });
  return [...unread, ...unreadColumns];
}

/** Returns the unread expectations that the configuration does not list: they keep a gate from deciding. */
export function findUnchecked(run: ReadRun): UnreadExpectation[] {
  return findUnread(run).filter(({ isAccepted }) => isAccepted !== true);
}

/** Returns a clause on each expectation that keeps a gate from deciding: every place that shows a run says the same. */
export function describeUnchecked(run: ReadRun): string[] {
  return findUnchecked(run).map(describeUnread);
}

/** Returns a clause on an expectation that no metric reads. */
export function describeUnread({ expectation, column, cases, of = cases }: UnreadExpectation): string {
  if (expectation === undefined)
    return `the column "${column}" of ${cases === 1 ? '1 question' : `${cases} questions`} is read by no metric`;
  return `${cases} of ${of} ${nameExpectations(expectation)} ${cases === 1 ? 'is' : 'are'} read by no metric`;
}

/**
 * Creates a test of whether an outcome is an error report in place of an answer, according to the run's
 * metric of errors if it has one.
 */
export function createErrorReportTest(
  run: Pick<Run, 'metrics'>,
): (outcome: Pick<Outcome, 'verdicts'> & { readonly trial: Pick<Outcome['trial'], 'status'> }) => boolean {
  const metric = metricsMeasuring(run, 'no-error')[0]?.name;
  if (metric === undefined) return () => false;
  return ({ trial, verdicts }) => {
    const verdict = verdicts[metric];
    return trial.status === 'completed' && verdict?.status === 'scored' && verdict.passed === false;
  };
}
