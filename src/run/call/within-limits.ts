import { onAbort, startClock } from '../../lib/waiting.ts';
import { type TargetContext, TargetFailure } from '../../targets/target.ts';
import type { FirstTurn, FirstTurnWatch } from './first-turn.ts';
import type { OutageGate } from '../limits/outage-gate.ts';

/** What bounds one trial. */
export interface CallLimits {
  /** Most milliseconds for one call. */
  readonly timeLimitMs: number;
  /** Most milliseconds for all calls of a trial together, with their repeats. */
  readonly trialTimeLimitMs?: number | undefined;
  /** Calls made again after a passing fault. */
  readonly maxRetries: number;
  /** Aborted when nothing new is to be started. */
  readonly stop?: AbortSignal | undefined;
  /** Gives a trial up that has no answer yet and waits when nothing new is to be started. */
  readonly firstTurn?: FirstTurn | undefined;
  /** Aborted when the run is told to stop at once, or with the failure that the time for the trial is over. */
  readonly abort: AbortSignal;
  /** Takes a repeat from those that the whole run may make; false when there are none left. */
  readonly takeRepeat?: (() => boolean) | undefined;
  /** Holds repeats back while the target answers nothing. */
  readonly outage?: OutageGate | undefined;
  /** Told of an answer that came after its call was given up. */
  readonly onLate?: (() => void) | undefined;
  /** Told when a call begins (true) and ends (false) to wait for its turn. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

/** Bounds all that is done for a trial; waiting for a turn does not count. Calls are told by their `abort`. */
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
    const message = `the trial took longer than ${limitMs} ms altogether`;
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
 * Rejects when the time is over or the run is aborted, whether or not the work reacts to its signal. Work that does
 * may add to the failure what the target wrote meanwhile; an answer that comes too late stays unused.
 */
export function withinLimits<Result>(
  { timeLimitMs, abort, firstTurn, onLate, onWaiting }: Omit<CallLimits, 'maxRetries'>,
  work: (context: TargetContext) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  return new Promise<Result>((resolve, reject) => {
    const end = (failure: TargetFailure) => {
      settle();
      controller.abort(failure);
      setImmediate(reject, failure);
    };
    const callOff = onAbort(abort, () => end(stoppedBy(abort)));
    const clock = startClock(timeLimitMs, () => {
      end(new TargetFailure('timeout', `no answer within ${timeLimitMs} ms`));
    });
    let watch: FirstTurnWatch | undefined;
    const settle = () => {
      clock.stop();
      callOff();
      watch?.end();
    };
    const tellWaiting = (isWaiting: boolean, isRepeat?: boolean) => {
      clock.onWaiting(isWaiting);
      onWaiting?.(isWaiting);
      watch ??= firstTurn?.watch(() => end(cancelled()));
      watch?.onWaiting(isWaiting, isRepeat);
    };
    const attempt = async () => {
      try {
        const result = await work({ signal: controller.signal, onWaiting: tellWaiting, onLate });
        firstTurn?.onAnswered();
        if (controller.signal.aborted) onLate?.();
        else resolve(result);
      } catch (thrown) {
        firstTurn?.onFailed();
        const error = thrown as Error;
        // That it was stopped, in whatever words, is no failure of its own.
        if (!controller.signal.aborted || error instanceof TargetFailure) reject(error);
      } finally {
        settle();
      }
    };
    void attempt();
  });
}

/** Why a call was not to be waited for any more: the time for its trial was over, or the run was stopped. */
export function stoppedBy({ reason }: AbortSignal): TargetFailure {
  return reason instanceof TargetFailure ? reason : cancelled();
}

/** The failure of a call that the run was not to wait for any more. */
function cancelled(): TargetFailure {
  return new TargetFailure('cancelled', 'the run was stopped');
}
