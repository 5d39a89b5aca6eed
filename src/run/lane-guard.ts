import type { Run } from '../schema/run.ts';
import type { Trial } from '../schema/trial.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { LiveTarget } from './evaluation.ts';
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
  { concurrency, stopAfterFailures = leastFailures + concurrency }: Run['settings'],
  control: RunControl,
): LaneGuard {
  const threshold = stopAfterFailures ?? Infinity;
  const breakers = new Map(targets.map(({ name }) => [name, createCircuitBreaker(threshold)]));
  const own = new AbortController();
  return {
    stop: AbortSignal.any([control.signals.stop, own.signal]),
    add: (trial) => {
      const { target } = trial;
      const failures = breakers.get(target)?.add(trial);
      if (failures === undefined) return;
      own.abort();
      const stop = { reason: 'failures', failures } as const;
      if (breakers.size > 1) control.stop({ ...stop, message: describeTurnsStop(target, threshold) });
      else control.stop({ ...stop, target, message: describeFailureStop(target, threshold) });
    },
  };
}
