import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { isScored } from '../prepare/resume.ts';
import type { RunControl } from './run-control.ts';
import { createAttemptGatherer } from '../../gate/sequential/case-order.ts';
import { createGateWatch } from '../../gate/sequential/gate-watch.ts';

/**
 * Lets a run end once its gate is decided: gives what is to be told of all trials that are scored. For a gate that has
 * everything asked, that does nothing. What is kept of an earlier part of the run counts.
 */
export async function stopWhenDecided(
  run: Run,
  store: Store,
  control: Pick<RunControl, 'stop'>,
): Promise<(scored: readonly Outcome[]) => void> {
  const watch = await createGateWatch(run, store);
  if (watch === undefined) return () => {};
  const look = () => {
    const standing = watch.standing();
    if (standing === 'continue') return;
    control.stop({
      reason: 'decided',
      message: `the gate is decided: ${standing}; the other questions are not needed`,
    });
  };
  const gather = createAttemptGatherer(run);
  const add = (outcome: Outcome) => {
    for (const gathered of gather(outcome)) watch.add(gathered);
  };
  for await (const outcomes of store.readOutcomes(run.id)) {
    for (const outcome of outcomes) if (isScored(outcome)) add(outcome);
  }
  look();
  return (scored) => {
    for (const outcome of scored) if (outcome.trial.status !== 'cancelled') add(outcome);
    look();
  };
}
