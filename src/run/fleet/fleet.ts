import { TouchstoneError } from '../../errors.ts';
import { sequentialOf } from '../../schema/gate.ts';
import type { Run } from '../../schema/run.ts';
import type { Evaluation } from '../evaluation.ts';
import { forgetFleet } from './fleet-records.ts';
import { resumeRun } from '../prepare/prepare-run.ts';
import type { ResumedRun } from '../prepare/resume.ts';
import type { RunNeeds } from '../run-needs.ts';

/**
 * Lets the fleet work on a run, if there is one, and returns what it has left: nothing, unless processes died or were stopped.
 * Throws `usage-invalid` for a run whose trials depend on each other's results.
 */
export async function leaveToFleet(
  resumed: ResumedRun,
  evaluation: Evaluation,
  needs: RunNeeds,
): Promise<ResumedRun> {
  const { fleet, store } = needs;
  if (fleet === undefined) return resumed;
  const { run } = resumed;
  refuseOneByOne(run);
  await forgetFleet(run.id, store);
  await fleet.work(run, needs);
  // What was made meanwhile has been reported by those who made it.
  const plan = { run, isResumed: true, [Symbol.asyncDispose]: () => Promise.resolve() };
  const left = await resumeRun(plan, evaluation, { ...needs, observer: {} });
  const accounts = await forgetFleet(run.id, store);
  return { ...left, run: { ...left.run, ...(accounts.length > 0 && { accounts }) } };
}

/** A gate that decides as early as it can, and targets that take turns, need the trials in one order. */
function refuseOneByOne({ gate, isInterleaved }: Run): void {
  if (sequentialOf(gate) !== undefined) {
    throw new TouchstoneError(
      'usage-invalid',
      'A gate that ends the run early needs all trials in one process.',
      {
        remedy: 'Add `--no-sequential`, or leave out `--workers`.',
      },
    );
  }
  if (isInterleaved === true)
    throw new TouchstoneError('usage-invalid', 'Targets that take turns are asked by one process.', {
      remedy: 'Leave out `--workers`.',
    });
}
