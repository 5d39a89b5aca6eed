import type { Case } from './case.ts';
import type { ScorecardResult } from './scorecard-result.ts';
import type { Trial } from './trial.ts';
import type { Verdict } from './verdict.ts';

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
