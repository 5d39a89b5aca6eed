import type { FailureKind, Run } from '../../../core/schema/run.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { ResolvedTarget } from '../evaluation.ts';
import { describeFailureStop, describeTurnsStop, type RunControl } from './run-control.ts';

/** A breaker that stops a queue of trials once the run ends or one of its targets keeps failing. */
export interface QueueBreaker {
  /** Aborted when nothing of the queue may be started any more. */
  readonly stop: AbortSignal;
  /** Counts a recorded trial. Resolves when a further one may begin, if `stop` is not aborted. */
  add(trial: Trial): Promise<void>;
}

/**
 * Creates the breaker of a queue, which has one target or several that take turns. Only failures without a condition
 * count, since failures under a fault are what a condition measures. When targets take turns, the failure of one stops
 * the run, because nothing is left to pair the answers of the others with.
 * @param targets - The targets of the queue that are under no condition.
 */
export function createQueueBreaker(
  targets: readonly Pick<ResolvedTarget, 'name'>[],
  settings: Run['settings'],
  control: RunControl,
): QueueBreaker {
  const own = new AbortController();
  const onOpen = (target: string, failures: FailureKind[], inARow: number) => {
    own.abort();
    const stop = { reason: 'failures', failures } as const;
    if (targets.length > 1) control.stop({ ...stop, message: describeTurnsStop(target, inARow) });
    else control.stop({ ...stop, target, message: describeFailureStop(target, inARow) });
  };
  const { limits } = control;
  const breakers = new Map(
    targets.map(({ name }) => [
      name,
      limits.createBreaker(name, settings, (...found) => onOpen(name, ...found)),
    ]),
  );
  return {
    stop: AbortSignal.any([control.signals.stop, own.signal]),
    add: async (trial) => await breakers.get(trial.target)?.add(trial),
  };
}
