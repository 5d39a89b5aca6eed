import type { TrialRow } from '../../../core/schema/api/trial-row.ts';
import { isUnresolved } from '../../../core/schema/result.ts';

/** Returns the place in the plan of the attempt to open of a question: the first that did not pass, otherwise the listed one. */
export function firstToOpen({ ordinal, attempts }: Pick<TrialRow, 'ordinal' | 'attempts'>): number {
  const failed = attempts.findIndex((outcome) => outcome !== null && isUnresolved(outcome));
  return failed < 0 ? ordinal : ordinal - (ordinal % attempts.length) + failed;
}
