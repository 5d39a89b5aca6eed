/**
 * Returns the milliseconds since 1970 on a clock that is never adjusted while this process runs: the system's clock at
 * its start plus the time since then. The difference of two such times is the time that really passed.
 */
export function millisecondsNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The last time and its text: trials that begin in the same millisecond share it. */
let latest = { milliseconds: Number.NaN, text: '' };

/** Returns the current time in ISO 8601, in UTC and to the millisecond. */
export function timeNow(): string {
  const milliseconds = Math.floor(millisecondsNow());
  if (milliseconds !== latest.milliseconds) {
    latest = { milliseconds, text: new Date(milliseconds).toISOString() };
  }
  return latest.text;
}

/**
 * Returns the current time of a server in milliseconds since 1970, from its reply, since its clock and ours may be
 * hours apart; without a date in the reply, our own.
 */
export function timeOfReply(headers: Readonly<Record<string, unknown>>): number {
  const date = Date.parse(String(headers['date']));
  return Number.isNaN(date) ? Date.now() : date;
}

/**
 * Returns the milliseconds that a Retry-After header asks for, given in seconds or as a date; undefined for any other
 * header.
 */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
