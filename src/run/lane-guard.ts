import type { Run } from '../schema/run.ts';
import type { Trial } from '../schema/trial.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { RunControl } from './run-control.ts';
import { describeFailureStop } from './stop-messages.ts';

/** Sees to it that a target is not asked any more once the run ends or the target is beyond help. */
export interface LaneGuard {
  readonly stop: AbortSignal;
  add(trial: Trial): void;
}

const leastFailures = 20;

/**
 * Watches a target and those that are the same one under conditions. Only what the target does without a condition counts:
 * that it fails under one is what is measured there.
 */
export function createLaneGuard(
  name: string,
  { concurrency, stopAfterFailures = leastFailures + concurrency }: Run['settings'],
  control: RunControl,
): LaneGuard {
  const threshold = stopAfterFailures ?? Infinity;
  const breaker = createCircuitBreaker(threshold);
  const own = new AbortController();
  return {
    stop: AbortSignal.any([control.signals.stop, own.signal]),
    add: (trial) => {
      const failures = trial.target === name ? breaker.add(trial) : undefined;
      if (failures === undefined) return;
      own.abort();
      const message = describeFailureStop(name, threshold);
      control.stop({ reason: 'failures', target: name, message, failures });
    },
  };
}
