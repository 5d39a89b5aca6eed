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

/** The numbers of a Retry-After header from which on it is a time: some servers write when, in seconds or milliseconds since 1970. */
const leastTime = { seconds: 1e9, milliseconds: 1e11 };

/**
 * Returns the milliseconds that a Retry-After header asks for, given in seconds, as a date or as the time since 1970, which
 * is 0 when it is past; undefined for any other header.
 */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) {
    const number = Number(header);
    if (number > leastTime.milliseconds) return Math.max(0, number - now);
    return number > leastTime.seconds ? Math.max(0, number * 1000 - now) : number * 1000;
  }
  // Of a number with a sign, JavaScript would make a year.
  const date = /^\s*(?:[a-z]|\d{4}-\d)/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
