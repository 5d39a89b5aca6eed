/**
 * Milliseconds since 1970 on a clock that nobody sets while this process lives: the system's clock when it began, and how
 * long ago that was. What two such times are apart really passed between them.
 */
export function millisecondsNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Trials that begin in the same millisecond need one text. */
let latest = { milliseconds: Number.NaN, text: '' };

/** The same as a time of ISO 8601, in UTC and to the millisecond. */
export function timeNow(): string {
  const milliseconds = Math.floor(millisecondsNow());
  if (milliseconds !== latest.milliseconds) {
    latest = { milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return latest.text;
}
