import { exitCodes } from '../../decide/gate/exit-codes.ts';
import type { Run } from '../../core/schema/run.ts';
import { interrupted } from '../interrupts.ts';

/** Returns the exit code of a run: the code of the gate's decision, or 130 when the run was interrupted. */
export function exitCodeOf(run: Run, wasInterrupted: boolean): number {
  return wasInterrupted ? interrupted : exitCodes[run.summary?.decision.outcome ?? 'not-measured'];
}
