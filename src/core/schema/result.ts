import { z } from 'zod';
import { type Case, caseSchema } from './case.ts';
import type { PlayedUser } from './conversation.ts';
import { isTargetError, type Trial, type TrialError, trialSchema } from './trial.ts';
import {
  type ScorecardResult,
  scorecardResultSchema,
  type Verdict,
  type VerdictNumbers,
  verdictSchema,
} from './verdict.ts';

/** A case as the plan of a run fixed it: its place in the plan and the hash of its content. */
export const plannedCaseSchema = z.lazy(() =>
  z.object({
    /** The position in the dataset, from 0. */
    position: z.int().nonnegative(),
    hash: z.string(),
    /** The place of the row, `file:line`. */
    place: z.string(),
    case: caseSchema,
  }),
);
export type PlannedCase = z.infer<typeof plannedCaseSchema>;

/** The names of a case under which reports count it. */
export type CaseNames = Pick<Case, 'id' | 'category' | 'cluster'>;

export const resultSchema = z.lazy(() =>
  z.object({
    case: caseSchema,
    trial: trialSchema(),
    /** The verdicts by the metric's name in this run. */
    verdicts: z.record(z.string(), verdictSchema),
    /** The scorecard result; null when the run has no scorecard, or the trial is not scored yet. */
    scorecard: scorecardResultSchema.nullable(),
  }),
);
/**
 * Everything known about one trial: the case, the trial itself, the verdicts of the metrics and the scorecard result.
 */
export type Result = z.infer<typeof resultSchema>;

/** The part of a result from which numbers are computed. A whole result is one too. */
export interface Outcome {
  readonly case: Pick<Case, 'category' | 'cluster' | 'weight'>;
  readonly trial: Pick<
    Trial,
    | 'ordinal'
    | 'caseId'
    | 'target'
    | 'status'
    | 'usage'
    | 'cost'
    | 'latency'
    | 'retries'
    | 'untouched'
    | 'toolsUnknown'
    | 'unread'
    | 'rewriting'
  > & {
    readonly error?: Pick<TrialError, 'code'>;
    /** Present when a model played the user, with its usage and cost. */
    readonly conversation?: { readonly user?: Pick<PlayedUser, 'usage' | 'cost'> };
  };
  readonly verdicts: Readonly<Record<string, VerdictNumbers>>;
  /**
   * The number of planned attempts that the trial represents in a mean, when a case rule stopped further attempts;
   * absent for one.
   */
  readonly weight?: number;
  /** The number of attempts at the case that were not needed, recorded with the first attempt. */
  readonly notNeeded?: number;
  readonly scorecard: Pick<
    ScorecardResult,
    'samples' | 'total' | 'lower' | 'upper' | 'grade' | 'outcome' | 'passed'
  > | null;
}

/** A trial with the case it belongs to. */
export interface CasedTrial {
  readonly case: Case;
  readonly trial: Trial;
}

/** A trial with its verdicts and its scorecard result. */
export interface ScoredTrial extends CasedTrial {
  /** The verdicts by the metric's name in this run. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** The scorecard result; null when the run has no scorecard. */
  readonly scorecard: ScorecardResult | null;
}

/** The outcome of a trial. `unscored` is an answer in a run without a scorecard. */
export type TrialOutcome = 'passed' | 'failed' | 'error' | 'not-measured' | 'unscored';

/** Returns the outcome of a trial: an answer without a total was not measured, whatever else is known about it. */
export function outcomeOfTrial(
  run: { readonly scorecard: object | null },
  { trial, scorecard }: Outcome,
): TrialOutcome {
  if (isTargetError(trial)) return 'error';
  if (trial.status !== 'completed') return 'not-measured';
  if (run.scorecard === null) return 'unscored';
  if (scorecard === null || scorecard.total === null || scorecard.passed === null) return 'not-measured';
  return scorecard.passed ? 'passed' : 'failed';
}

/** Returns whether a trial did not pass, for any reason, in a run where trials can pass. */
export function isUnresolved(mark: TrialOutcome): boolean {
  return mark !== 'passed' && mark !== 'unscored';
}
