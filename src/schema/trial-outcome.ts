import type { Outcome } from './result.ts';
import type { Run } from './run.ts';
import { isTargetError } from './trial.ts';

/** The outcome of a trial. `unscored` is an answer in a run without a scorecard. */
export type TrialOutcome = 'passed' | 'failed' | 'error' | 'not-measured' | 'unscored';

/** Returns the outcome of a trial: an answer without a total was not measured, whatever else is known about it. */
export function outcomeOfTrial(run: Pick<Run, 'scorecard'>, { trial, scorecard }: Outcome): TrialOutcome {
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
