import { onAbort } from './on-abort.ts';

/**
 * What work comes to; rejects with the signal's reason a turn after it is aborted, whether or not the work takes notice.
 * Work that does goes first: it may tell what it had come to. `onLate` is told of a result that comes all the same.
 */
export async function untilGivenUp<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  onLate?: () => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const giveUp = () => setImmediate(() => reject(signal.reason as Error));
  // What is not called off is kept for as long as the signal, which may be that of the whole run.
  const callOff = onAbort(signal, giveUp);
  if (signal.aborted) giveUp();
  work.then((result) => {
    if (signal.aborted) onLate?.();
    else resolve(result);
  }, reject);
  try {
    return await promise;
  } finally {
    callOff();
  }
}
