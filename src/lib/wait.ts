/** The longest time in milliseconds that a timer of Node takes; it goes off at once when given more. */
export const longestTimerMs = 2 ** 31 - 1;

/** Waits; rejects with the signal's reason when it is aborted first. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let leftMs = milliseconds;
  do {
    await waitOnce(Math.min(leftMs, longestTimerMs), signal);
    leftMs -= longestTimerMs;
  } while (leftMs > 0);
}

async function waitOnce(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason as Error);
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
