import { type TargetContext, TargetFailure } from '../targets/target.ts';

/** What bounds one trial. */
export interface CallLimits {
  /** Most milliseconds for one call. */
  readonly timeLimitMs: number;
  /** Calls made again after a passing fault. */
  readonly maxRetries: number;
  /** Aborted when the run is told to stop at once. */
  readonly abort: AbortSignal;
}

/**
 * Rejects when the time is over or the run is aborted, whether or not the work takes notice of its signal. Work that does
 * may add to the failure what the target wrote meanwhile; an answer that comes too late stays unused.
 */
export async function withinLimits<Result>(
  { timeLimitMs, abort }: Pick<CallLimits, 'timeLimitMs' | 'abort'>,
  work: (context: TargetContext) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  return await new Promise<Result>((resolve, reject) => {
    const end = (failure: TargetFailure) => {
      controller.abort(failure);
      setImmediate(reject, failure);
    };
    const onAbort = () => end(cancelled());
    const clock = startClock(timeLimitMs, () => {
      end(new TargetFailure('timeout', `no answer within ${timeLimitMs} ms`));
    });
    const settle = () => {
      clock.stop();
      abort.removeEventListener('abort', onAbort);
    };
    abort.addEventListener('abort', onAbort, { once: true });
    Promise.resolve()
      .then(() => work({ signal: controller.signal, onWaiting: clock.onWaiting }))
      .then(
        (result) => (controller.signal.aborted ? undefined : resolve(result)),
        (error: Error) => {
          // That it was stopped, in whatever words, is no failure of its own.
          if (!controller.signal.aborted || error instanceof TargetFailure) reject(error);
        },
      )
      .finally(settle);
  });
}

/** The failure of a call that the run was not to wait for any more. */
export function cancelled(): TargetFailure {
  return new TargetFailure('cancelled', 'the run was stopped');
}

/** Tells when so much time is over; while anything is being waited for, time stands still. */
function startClock(limitMs: number, onOver: () => void) {
  let leftMs = limitMs;
  let waits = 0;
  let startedAt = performance.now();
  let timer = setTimeout(onOver, limitMs);
  let isStopped = false;
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    onWaiting: (isWaiting: boolean) => {
      waits += isWaiting ? 1 : -1;
      if (isStopped || waits !== Number(isWaiting)) return;
      clearTimeout(timer);
      if (isWaiting) leftMs -= performance.now() - startedAt;
      else {
        startedAt = performance.now();
        timer = setTimeout(onOver, leftMs);
      }
    },
  };
}
