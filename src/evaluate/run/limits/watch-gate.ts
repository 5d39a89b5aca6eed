import { createAttemptGatherer } from '../../../decide/gate/watch/case-order.ts';
import { createGateWatch } from '../../../decide/gate/sequential/gate-watch.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import { isScored } from '../prepare/resume.ts';
import type { RunControl } from './run-control.ts';

/**
 * Watches the gate of a run, and stops the run once the gate is decided. Returns the function that must be called with all
 * trials as they are scored. Trials of an earlier part of the run count too. When the gate is not sequential, the function
 * does nothing.
 */
export async function watchGate(
  run: Run,
  store: Store,
  control: Pick<RunControl, 'stop'>,
): Promise<(scored: readonly Outcome[]) => void> {
  const watch = await createGateWatch(run, store);
  if (watch === undefined) return () => {};
  const stopIfDecided = () => {
    const status = watch.status();
    if (status === 'continue') return;
    control.stop({
      reason: 'decided',
      message: `the gate is decided: ${status}; the other questions are not needed`,
    });
  };
  const gather = createAttemptGatherer(run);
  const add = (outcome: Outcome) => {
    for (const gathered of gather(outcome)) watch.add(gathered);
  };
  for await (const outcomes of store.readOutcomes(run.id)) {
    for (const outcome of outcomes) if (isScored(outcome)) add(outcome);
  }
  stopIfDecided();
  return (scored) => {
    for (const outcome of scored) if (outcome.trial.status !== 'cancelled') add(outcome);
    stopIfDecided();
  };
}
