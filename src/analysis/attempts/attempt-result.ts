import type { Outcome } from '../../schema/result.ts';

/** Whether an attempt passed; null where that was not measured. */
export function attemptResult({
  trial,
  scorecard,
}: {
  readonly trial: Pick<Outcome['trial'], 'status'>;
  readonly scorecard: Pick<NonNullable<Outcome['scorecard']>, 'total' | 'passed'> | null;
}): boolean | null {
  if (trial.status !== 'completed' || scorecard === null || scorecard.total === null) return null;
  return scorecard.passed;
}
