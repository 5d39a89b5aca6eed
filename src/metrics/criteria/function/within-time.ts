/** What a promise gives, unless it takes longer; then rejects with an error that says so. */
export async function withinTime<Value>(work: Promise<Value>, timeLimitMs: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeLimitMs} ms`)), timeLimitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
