import { TargetFailure } from './target.ts';

/** The failure of a call that was told to stop: the caller's own reason where it gave one, with the logs so far. */
export function abortedFailure(signal: AbortSignal, logs: string = ''): TargetFailure {
  const reason: unknown = signal.reason;
  const options = logs === '' ? { cause: reason } : { cause: reason, logs };
  return reason instanceof TargetFailure
    ? new TargetFailure(reason.code, reason.message, options)
    : new TargetFailure('cancelled', 'the call was stopped', options);
}

/**
 * What the work comes to, or a failure as soon as the signal is aborted, whether or not the work reacts to
 * it. `onLate` is told of a result that comes all the same.
 */
export async function untilAborted<Result>(
  work: PromiseLike<Result>,
  signal: AbortSignal,
  onLate?: () => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = () => reject(abortedFailure(signal));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  work.then((result) => {
    if (signal.aborted) onLate?.();
    else resolve(result);
  }, reject);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
