import type { SingleAnswers } from '../analysis/hash-answer.ts';
import type { CorrectedDifference } from '../certificates/corrected-difference.ts';
import type { CorrectedMean } from '../certificates/corrected-mean.ts';
import type { Baseline, RuleDecision } from '../../core/schema/decision.ts';
import type { Run } from '../../core/schema/run.ts';
import type { TargetSummary } from '../../core/schema/summary.ts';
import type { CaseNumbers } from './case-numbers.ts';
import type { Subject } from './phrases.ts';

/** A case of the plan, without its content. */
export interface GateCase {
  readonly position: number;
  readonly id: string;
  readonly hash: string;
  readonly category: string;
  readonly cluster?: string;
  /** Its weight in means; 1 by default. */
  readonly weight?: number;
}

/** The baseline that a run is compared with, or the reason why there is none. */
export type FoundBaseline = { readonly baseline: Baseline } | { readonly reason: string };

/** The evidence on which rules decide about one target. */
export interface GateEvidence {
  readonly run: Run;
  readonly target: string;
  /** The summary over the cases that count. */
  readonly summary: TargetSummary;
  /** The summary over all cases. */
  readonly whole: TargetSummary;
  /** The cases that count, in the order of the plan; only the cases of one category when the rule has one. */
  readonly cases: readonly GateCase[];
  /** The category that the cases are limited to. */
  readonly category?: string;
  /** Every case of the plan, including exempt ones, by the hash of its content. */
  readonly planned: ReadonlyMap<string, GateCase>;
  /** The times of the trials in milliseconds, over the cases that count. */
  readonly latencies: readonly number[];
  readonly baseline: FoundBaseline;
  /** The answers; undefined unless a rule is about these questions after one attempt. */
  readonly answers: SingleAnswers | undefined;
  /**
   * Returns the mean of a subject over the cases as it would be by the verdicts of people; undefined for a subject that rests on
   * no certified judge.
   */
  correctionOf(subject: Subject, cases: CasesOfRule): CorrectedMean | { readonly reason: string } | undefined;
  /** Returns the difference from the baseline in the same way. */
  correctedSince(subject: Subject, cases: CasesOfRule): CorrectedDifference | NoCorrection | undefined;
  /** Returns the numbers of a subject, or the reason why the run does not have it. */
  numbersOf(subject: Subject): CaseNumbers | { readonly reason: string };
}

/** The cases that a rule is about. */
export type CasesOfRule = Pick<GateEvidence, 'cases' | 'category'>;

/** The result of a rule for a target. */
export type Finding = Omit<RuleDecision, 'name' | 'type' | 'target' | 'category'>;

/** Builds the finding of a rule that cannot be decided. */
export function notMeasured(reason: string, parts: Partial<Finding> = {}): Finding {
  return {
    outcome: 'not-measured',
    reason,
    arithmetic: 'nothing to compute with',
    value: null,
    threshold: null,
    n: 0,
    ...parts,
  };
}

/** The reason why no correction of a difference holds. */
export interface NoCorrection {
  readonly reason: string;
  /** True when nothing is known of the judge on the baseline: then it may be the judge that differs, and not the targets. */
  readonly isUnknown?: true;
}
