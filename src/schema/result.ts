import { z } from 'zod';
import { type Case, caseSchema } from './case.ts';
import type { PlayedUser } from './conversation.ts';
import { type Trial, type TrialError, trialSchema } from './trial.ts';
import {
  type ScorecardResult,
  scorecardResultSchema,
  type Verdict,
  type VerdictNumbers,
  verdictSchema,
} from './verdict.ts';

/** A case as a run froze it: its place in the plan and the hash of its content. */
export const plannedCaseSchema = z.lazy(() =>
  z.object({
    /** Counts from 0 in the order of the dataset. */
    position: z.int().nonnegative(),
    hash: z.string(),
    /** Where the row stood, `file:line`. */
    place: z.string(),
    case: caseSchema,
  }),
);
export type PlannedCase = z.infer<typeof plannedCaseSchema>;

/** The names of a case under which it is counted. */
export type CaseNames = Pick<Case, 'id' | 'category' | 'cluster'>;

export const resultSchema = z.lazy(() =>
  z.object({
    case: caseSchema,
    trial: trialSchema(),
    /** By the metric's name in this run. */
    verdicts: z.record(z.string(), verdictSchema),
    /** null when the run has no scorecard, or the trial has not been scored yet. */
    scorecard: scorecardResultSchema.nullable(),
  }),
);
/** Everything known of one trial: what was asked, what came back, what the metrics and the scorecard say. */
export type Result = z.infer<typeof resultSchema>;

/** The part of a result that numbers are made of. A whole result is one too. */
export interface Outcome {
  readonly case: Pick<Case, 'category' | 'cluster'>;
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
    | 'rewriting'
  > & {
    readonly error?: Pick<TrialError, 'code'> | undefined;
    /** Present when a model played the user, with what that took. */
    readonly conversation?: { readonly user?: Pick<PlayedUser, 'usage' | 'cost'> | undefined } | undefined;
  };
  readonly verdicts: Readonly<Record<string, VerdictNumbers>>;
  /** For how many planned attempts it stands in a mean, where attempts were stopped by their case; absent for one. */
  readonly weight?: number;
  /** Attempts at the case that were not needed; told with the first of them. */
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

/** A trial with what the metrics and the scorecard said of it. */
export interface ScoredTrial extends CasedTrial {
  /** By the metric's name in this run. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** null when the run has no scorecard. */
  readonly scorecard: ScorecardResult | null;
}
