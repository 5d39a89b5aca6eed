import { z } from 'zod';
import { conditionSchema } from './condition.ts';
import { weightsSchema } from './estimate.ts';
import {
  expectationCountSchema,
  expectationSchema,
  nameExpectations,
  type UnreadExpectation,
} from './expectation.ts';
import { caseRuleSchema } from './expected.ts';
import { gateSchema } from './gate.ts';
import type { Outcome } from './result.ts';
import { summarySchema } from './summary.ts';
import { accountRecordSchema } from './usage.ts';
import { useSchema } from './use.ts';
import { criterionSchema, gradeSchema, metricFamilySchema, outcomeRuleSchema } from './verdict.ts';

/** What was checked out in the git work tree of a run, when it began. Of remotes nothing is kept. */
export const gitStateSchema = z.lazy(() =>
  z.object({
    /** The full id of the commit, in hexadecimal. */
    commit: z.string().regex(/^(?:[\da-f]{40}|[\da-f]{64})$/),
    /** null when none was checked out and the environment of a build names none either. */
    branch: z.string().min(1).nullable(),
    /** Whether tracked files differed from the commit; null when that could not be told in time. */
    dirty: z.boolean().nullable(),
  }),
);
export type GitState = z.infer<typeof gitStateSchema>;

/** One kind of failure, and how many trials ended in it. */
const failureKindSchema = z.lazy(() =>
  z.object({
    code: z.string(),
    /** As the first of them said it. */
    message: z.string(),
    trials: z.int().positive(),
  }),
);
export type FailureKind = z.infer<typeof failureKindSchema>;

/**
 * Why a run was ended before all was done, not counting who interrupted it: its limit of `cost` or of `time`, `failures` of
 * a target that gave no answer any more, or that the gate was `decided` without the rest. Where a target is named, the
 * others went on.
 */
const runStopSchema = z.lazy(() =>
  z.object({
    reason: z.enum(['cost', 'time', 'failures', 'decided']),
    /** The target that was stopped; absent where all were. */
    target: z.string().optional(),
    /** In a sentence. */
    message: z.string(),
    /** The first kinds of failures, each once. */
    failures: z.array(failureKindSchema).optional(),
  }),
);
export type RunStop = z.infer<typeof runStopSchema>;

export { type Gate, gateSchema } from './gate.ts';

/** A target as a run remembers it. The fingerprint changes when anything that can change its answers does. */
export const runTargetSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    use: useSchema,
    fingerprint: z.string(),
    /** Present where this is another target of the run, put under a condition. */
    condition: conditionSchema.optional(),
  }),
);
/** One execution of a plan, kept for ever. Its cases, trials and scores are stored beside it. */
export type RunTarget = z.infer<typeof runTargetSchema>;

/** Who plays the users that have a goal, as a run remembers it. The fingerprint says whether it is still the same. */
export const runUserSchema = z.object({ name: z.string(), use: useSchema, fingerprint: z.string() });
export type RunUser = z.infer<typeof runUserSchema>;

/** A metric as a run remembers it. */
export const runMetricSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    use: useSchema,
    version: z.int().positive(),
    fingerprint: z.string(),
    /** What its verdicts say; absent where that is not known. */
    family: metricFamilySchema.optional(),
    /** The expectations of a case that it reads; absent where it reads none. */
    reads: z.array(expectationSchema).optional(),
    /** The judge that it asks. */
    judge: z.object({ name: z.string(), fingerprint: z.string() }).optional(),
  }),
);
export type RunMetric = z.infer<typeof runMetricSchema>;

/** A scorecard as a run remembers it: enough to explain every total again without the configuration. */
export const runScorecardSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    use: useSchema,
    version: z.int().positive(),
    criteria: z.array(criterionSchema),
    grades: z.array(gradeSchema),
    /** Absent from a scorecard without outcomes. */
    outcomes: z.array(outcomeRuleSchema).optional(),
    passMark: z.number(),
  }),
);
export type RunScorecard = z.infer<typeof runScorecardSchema>;

/** One execution of a plan, kept for ever. Its cases, trials and scores are stored beside it. */
export const runSchema = () =>
  z.object({
    id: z.string(),
    status: z.enum(['planning', 'running', 'interrupted', 'completed']),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().optional(),
    description: z.string().optional(),
    touchstoneVersion: z.string(),
    /** What was checked out; absent outside of a git work tree, and where nobody asked for it. */
    git: gitStateSchema.optional(),
    /** The run whose answers to the same cases were taken over. */
    continues: z.string().optional(),
    /** The run whose stored trials these are, scored anew. */
    rescoredFrom: z.string().optional(),
    dataset: z.object({
      sources: z.array(z.string()),
      cases: z.int().nonnegative(),
      /** Hash of every case in order: its id and content, category, tags, cluster and mark for the gate. */
      hash: z.string(),
      /** How many there are of each category, in the order in which these first occur; absent from older runs. */
      categories: z.array(z.object({ category: z.string(), cases: z.int().positive() })).optional(),
      /** How many cases have each expectation; absent where that was not counted. */
      expectations: z.array(expectationCountSchema).optional(),
      /** Cases that expect nothing that can be checked; absent where there are none. */
      withoutExpectations: z.int().positive().optional(),
      /** Rows that were left out because their id had been there before; absent where there were none. */
      duplicates: z.int().positive().optional(),
      /** Cases that list nothing, on purpose: any answer without an error gets full marks. Absent where there are none. */
      nothingNeeded: z.int().positive().optional(),
    }),
    targets: z.array(runTargetSchema).min(1),
    /** Absent when the configuration names none. */
    user: runUserSchema.optional(),
    metrics: z.array(runMetricSchema),
    scorecard: runScorecardSchema.nullable(),
    attempts: z.int().positive(),
    /** By which the attempts at a case make it pass or fail; absent where every attempt counts for itself. */
    caseRule: caseRuleSchema.optional(),
    seed: z.int().nonnegative(),
    /** Targets take turns, side by side on every case in an order drawn from the seed, instead of each by itself. */
    isInterleaved: z.literal(true).optional(),
    /** Cases are asked in a random order, which follows from this seed; absent where they are asked in that of the plan. */
    order: z.object({ seed: z.int().nonnegative() }).optional(),
    settings: z.object({
      concurrency: z.int().positive(),
      timeLimitMs: z.number().positive(),
      maxRetries: z.int().nonnegative(),
      /** For a trial with all its calls; absent without such a limit, as the others below. */
      trialTimeLimitMs: z.number().positive().optional(),
      /** For the run. */
      maxDurationMs: z.number().positive().optional(),
      /** Calls made again, over all trials. */
      maxRunRetries: z.int().nonnegative().optional(),
      /** In US dollars: targets, judges, and models that play users or rewrite questions, together. */
      maxCost: z.number().nonnegative().optional(),
      /** Failures in a row after which a target is not asked any more; null for never. */
      stopAfterFailures: z.int().positive().nullable().optional(),
    }),
    gate: gateSchema,
    /** Expectations that the configuration leaves unread on purpose; absent where it lists none. */
    unread: z.array(expectationSchema).optional(),
    /** What each category counts beside the plain mean; absent where all cases count the same. */
    weights: weightsSchema.optional(),
    /** Why it was ended before all was done; absent where nothing of the kind happened. */
    stops: z.array(runStopSchema).optional(),
    /** What became of the calls on each account; absent where none was used. */
    accounts: z.array(accountRecordSchema).optional(),
    /** Answers that came after their call was given up; they were dropped. */
    lateAnswers: z.int().positive().optional(),
    /** While it is imported, or for ever where that was ended: what is kept under its name is not whole. */
    isImporting: z.literal(true).optional(),
    summary: summarySchema.optional(),
  });
export type Run = z.infer<ReturnType<typeof runSchema>>;

/** Returns the expectations of a run's cases that none of its metrics reads, from the record of the run alone. */
export function findUnread({
  dataset: { expectations: counted = [] },
  metrics,
  unread: accepted = [],
}: Pick<Run, 'dataset' | 'metrics' | 'unread'>): UnreadExpectation[] {
  const read = new Set(metrics.flatMap(({ reads = [] }) => reads));
  return counted
    .filter(({ expectation }) => !read.has(expectation))
    .map((each) => (accepted.includes(each.expectation) ? { ...each, isAccepted: true } : each));
}

/** Returns those of them that the configuration does not list: they keep a gate from deciding. */
export function findUnchecked(run: Pick<Run, 'dataset' | 'metrics' | 'unread'>): UnreadExpectation[] {
  return findUnread(run).filter(({ isAccepted }) => isAccepted !== true);
}

/** Returns a clause on an expectation that no metric reads. */
export function describeUnread({ expectation, cases }: UnreadExpectation): string {
  return `${cases} of ${cases} ${nameExpectations(expectation)} are read by no metric`;
}

/** Says of outcomes of a run whether the error-handling metric, where there is one, saw an error report for an answer. */
export function createErrorReportTest(run: Pick<Run, 'metrics'>): (outcome: Outcome) => boolean {
  const metric = run.metrics.find(({ use }) => use.use === 'error-handling')?.name;
  if (metric === undefined) return () => false;
  return ({ trial, verdicts }) => {
    const verdict = verdicts[metric];
    return trial.status === 'completed' && verdict?.status === 'scored' && verdict.passed === false;
  };
}
