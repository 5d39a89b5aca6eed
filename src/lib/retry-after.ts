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
