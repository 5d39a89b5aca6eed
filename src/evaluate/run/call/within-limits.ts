import { onAbort, startClock } from '../../../core/lib/waiting.ts';
import { type TargetContext, TargetFailure } from '../../targets/target.ts';
import type { KeepBlob } from './keep-files.ts';
import type { FirstTurn, FirstTurnWatch } from './first-turn.ts';
import type { OutageGate } from '../limits/outage-gate.ts';

/** The limits of one trial. */
export interface CallLimits {
  /** The time limit of one call in milliseconds. */
  readonly timeLimitMs: number;
  /** The time limit of all calls of a trial together, repeats included, in milliseconds. */
  readonly trialTimeLimitMs?: number;
  /** The largest number of repeats after transient failures. */
  readonly maxRetries: number;
  /** Aborted when nothing new may be started. */
  readonly stop?: AbortSignal;
  /** Gives up a trial that waits for its first answer when nothing new may be started. */
  readonly firstTurn?: FirstTurn;
  /** Aborted when the run is stopped at once, or with the failure that the trial's time limit has passed. */
  readonly abort: AbortSignal;
  /** Takes one of the repeats that the whole run may make; returns false when none is left. */
  readonly takeRepeat?: () => Promise<boolean>;
  /** Holds repeats back while the target is down. */
  readonly outage?: OutageGate;
  /** Returns the bytes of a picture or another file by its hash. */
  readonly readBlob?: TargetContext['readBlob'];
  /** Answers a request to a model from a batch. */
  readonly askInBatch?: TargetContext['askInBatch'];
  /** Stores the bytes of a picture or another file of a reply. */
  readonly keepBlob?: KeepBlob;
  /** Called when an answer comes after its call was given up. */
  readonly onLate?: () => void;
  /** Called when a call begins (true) and ends (false) to wait for its turn. */
  readonly onWaiting?: (isWaiting: boolean) => void;
}

/**
 * Runs the work of a trial within the trial's time limit. Waiting for a turn does not count. Calls learn of the limit
 * by their `abort` signal.
 */
export function withinTrial<Result>(
  limits: CallLimits,
  work: (limits: CallLimits) => Promise<Result>,
): Promise<Result> {
  const { trialTimeLimitMs: limitMs } = limits;
  return limitMs === undefined ? work(limits) : withinTime(limitMs, limits, work);
}

async function withinTime<Result>(
  limitMs: number,
  limits: CallLimits,
  work: (limits: CallLimits) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const clock = startClock(limitMs, () => {
    const message = `the attempt took longer than ${limitMs} ms altogether`;
    controller.abort(new TargetFailure('timeout', message));
  });
  try {
    const either = AbortSignal.any([limits.abort, controller.signal]);
    return await work({ ...limits, abort: either, onWaiting: clock.onWaiting });
  } finally {
    clock.stop();
  }
}

/**
 * Runs one call, and rejects when its time limit has passed or the run is aborted, whether or not the call reacts to
 * its signal. A call that does react may add what the target wrote meanwhile to the failure. An answer that comes too
 * late is not used.
 */
export function withinLimits<Result>(
  { timeLimitMs, abort, firstTurn, onLate, onWaiting, readBlob, askInBatch }: Omit<CallLimits, 'maxRetries'>,
  work: (context: TargetContext) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  return new Promise<Result>((resolve, reject) => {
    const end = (failure: TargetFailure) => {
      settle();
      controller.abort(failure);
      setImmediate(reject, failure);
    };
    const stopListening = onAbort(abort, () => end(stoppedBy(abort)));
    const clock = startClock(timeLimitMs, () => {
      end(new TargetFailure('timeout', `no answer within ${timeLimitMs} ms`));
    });
    let watch: FirstTurnWatch | undefined;
    const settle = () => {
      clock.stop();
      stopListening();
      watch?.end();
    };
    const onCallWaiting = (isWaiting: boolean, isRepeat?: boolean) => {
      clock.onWaiting(isWaiting);
      onWaiting?.(isWaiting);
      watch ??= firstTurn?.watch(() => end(cancelled()));
      watch?.onWaiting(isWaiting, isRepeat);
    };
    const attempt = async () => {
      try {
        const { signal } = controller;
        const result = await work({ signal, onWaiting: onCallWaiting, onLate, readBlob, askInBatch });
        firstTurn?.onAnswered();
        if (controller.signal.aborted) onLate?.();
        else resolve(result);
      } catch (thrown) {
        firstTurn?.onFailed();
        const error = thrown as Error;
        // An error that only reports the abort is not a failure of its own.
        if (!controller.signal.aborted || error instanceof TargetFailure) reject(error);
      } finally {
        settle();
      }
    };
    void attempt();
  });
}

/** Returns why a call was aborted: the trial's time limit had passed, or the run was stopped. */
export function stoppedBy({ reason }: AbortSignal): TargetFailure {
  return reason instanceof TargetFailure ? reason : cancelled();
}

/** Returns the failure of a call that was cancelled with the run. */
function cancelled(): TargetFailure {
  return new TargetFailure('cancelled', 'the run was stopped');
}
