import type { Verdict } from '../../schema/verdict.ts';
import type { ActualCall } from './read-calls.ts';

/** The verdict where a rule asks what became of calls and the target does not say; undefined where it can be answered. */
export function missingOutcomes(isNeeded: boolean, calls: readonly ActualCall[]): Verdict | undefined {
  if (!isNeeded || !calls.some(({ outcome }) => outcome === 'unknown')) return undefined;
  return {
    status: 'failed',
    code: 'tool-results-missing',
    reason: 'a rule asks what became of the calls, and the target does not report what its tools gave back',
  };
}
