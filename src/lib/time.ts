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

/**
 * The time that a server's dates are held against, in milliseconds since 1970: what its reply says that it is, since its
 * clock and ours may be hours apart; else ours.
 */
export function timeOfReply(headers: Readonly<Record<string, unknown>>): number {
  const date = Date.parse(String(headers['date']));
  return Number.isNaN(date) ? Date.now() : date;
}

/**
 * The milliseconds that a Retry-After header asks for, whether it says seconds or a date; undefined when it says
 * neither.
 */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
