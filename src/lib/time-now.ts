/**
 * Milliseconds since 1970 on a clock that nobody sets while this process lives: the system's clock when it began, and how
 * long ago that was. What two such times are apart really passed between them.
 */
export function millisecondsNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The same as a time of ISO 8601, in UTC and to the millisecond. */
export function timeNow(): string {
  return new Date(millisecondsNow()).toISOString();
}
