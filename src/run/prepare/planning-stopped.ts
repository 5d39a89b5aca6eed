import { TouchstoneError } from '../../errors.ts';

/** Of a run that was stopped before anything was called. */
export function planningStopped(): TouchstoneError {
  return new TouchstoneError(
    'run-stopped',
    'Stopped while the dataset was read: nothing was called, and no new run is kept.',
  );
}

/**
 * What work gives. Throws `run-stopped` as soon as the signal is aborted, also while the work waits, say for standard input.
 * @param toError - Makes what is thrown.
 */
export async function unlessStopped<Result>(
  work: Promise<Result>,
  stop: AbortSignal,
  toError = planningStopped,
): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const onStop = () => stopped.reject(toError());
  if (stop.aborted) onStop();
  stop.addEventListener('abort', onStop, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}
