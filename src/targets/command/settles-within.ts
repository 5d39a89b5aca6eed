/** Whether a promise is fulfilled before so many milliseconds are over. */
export async function settlesWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  const { promise: timedOut, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, timeMs, false);
  try {
    return await Promise.race([promise.then(() => true), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
