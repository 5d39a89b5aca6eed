import type { Outcome } from './result.ts';
import type { Run } from './run.ts';
import { isTargetError } from './trial.ts';

/** How a trial came out. `unscored` is an answer in a run without a scorecard. */
export type Mark = 'passed' | 'failed' | 'error' | 'not-measured' | 'unscored';

/** Says how a trial came out: an answer without a total was not measured, whatever else is known of it. */
export function markOf(run: Pick<Run, 'scorecard'>, { trial, scorecard }: Outcome): Mark {
  if (isTargetError(trial)) return 'error';
  if (trial.status !== 'completed') return 'not-measured';
  if (run.scorecard === null) return 'unscored';
  if (scorecard === null || scorecard.total === null || scorecard.passed === null) return 'not-measured';
  return scorecard.passed ? 'passed' : 'failed';
}

/** Whether a trial did not pass, for whatever reason, where there is something to pass. */
export function isUnresolved(mark: Mark): boolean {
  return mark !== 'passed' && mark !== 'unscored';
}
