import type { Run } from '../../schema/run.ts';
import type { Trial } from '../../schema/trial.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { LiveTarget } from '../evaluation.ts';
import type { RunControl } from './run-control.ts';
import { describeFailureStop, describeTurnsStop } from './stop-messages.ts';

/** Sees to it that a lane is not worked through any more once the run ends or a target of it is beyond help. */
export interface LaneGuard {
  readonly stop: AbortSignal;
  add(trial: Trial): void;
}

const leastFailures = 20;

/**
 * Watches the target of a lane, or the several that take turns in it. Only what a target does without a condition counts:
 * that it fails under one is what is measured there. Of targets that take turns, one that is beyond help ends the run:
 * nothing is left to pair the answers of the others with.
 * @param targets - Those without a condition.
 */
export function createLaneGuard(
  targets: readonly Pick<LiveTarget, 'name'>[],
  { concurrency, stopAfterFailures }: Run['settings'],
  control: RunControl,
): LaneGuard {
  // Those in flight when a target goes down fail with it; of one that never answered, fewer of them are enough.
  const limits =
    stopAfterFailures === undefined
      ? {
          most: leastFailures + concurrency,
          mostAtFirst: leastFailures + Math.min(concurrency, leastFailures),
        }
      : { most: stopAfterFailures ?? Infinity };
  const breakers = new Map(targets.map(({ name }) => [name, createCircuitBreaker(limits)]));
  const own = new AbortController();
  return {
    stop: AbortSignal.any([control.signals.stop, own.signal]),
    add: (trial) => {
      const { target } = trial;
      const breaker = breakers.get(target);
      const failures = breaker?.add(trial);
      if (breaker === undefined || failures === undefined) return;
      const inARow = breaker.inARow();
      own.abort();
      const stop = { reason: 'failures', failures } as const;
      if (breakers.size > 1) control.stop({ ...stop, message: describeTurnsStop(target, inARow) });
      else control.stop({ ...stop, target, message: describeFailureStop(target, inARow) });
    },
  };
}
