import type { Run } from '../schema/run.ts';
import type { Decision } from '../schema/summary.ts';
import { interrupted } from './interrupts.ts';

const codes: Readonly<Record<Decision['outcome'], number>> = {
  pass: 0,
  fail: 1,
  'not-measured': 2,
  inconclusive: 3,
};

/** The exit code of a run that was made: what the gate decided, or that it was interrupted. */
export function exitCodeOf(run: Run, wasInterrupted: boolean): number {
  return wasInterrupted ? interrupted : codes[run.summary?.decision.outcome ?? 'not-measured'];
}
