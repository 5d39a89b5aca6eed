/**
 * The form of a date and time in ISO 8601, as the source of a regular expression: `2025-03-01T10:00:00.5+02:00`, with a
 * space for the T, without seconds, fraction or zone.
 */
export const instantForm = String.raw`(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,12}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?`;

const whole = new RegExp(`^${instantForm}$`);

/**
 * Reads a text that is a date and time in ISO 8601, and returns the form that all texts of the same instant share: in UTC,
 * to the last digit of a fraction. A time without a zone belongs to an unknown place, and equals only another one. Returns
 * undefined for any other text, a date alone, and a day or an hour that does not exist.
 */
export function readInstant(text: string): string | undefined {
  const match = whole.exec(text.trim());
  return match === null ? undefined : instantOf(match);
}

/** Returns the same of a match of `instantForm`. */
export function instantOf(match: readonly (string | undefined)[]): string | undefined {
  const [, year, month, day, hours, minutes, seconds = '00', part = '', zone] = match;
  const date = `${year}-${month}-${day}`;
  const fraction = part.slice(0, 3).padEnd(3, '0');
  const zoned = zone === undefined ? 'Z' : writeZone(zone);
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${fraction}${zoned}`);
  // The engine takes the 30th of February for the 2nd of March.
  const exists = !Number.isNaN(midnight) && new Date(midnight).getUTCDate() === Number(day);
  if (!exists || Number.isNaN(at)) return undefined;
  const rest = part.slice(3).replace(/0+$/, '');
  return `${zone === undefined ? 'local' : 'instant'} ${new Date(at).toISOString()}${rest}`;
}

function writeZone(zone: string): string {
  if (zone === 'z' || zone === 'Z') return 'Z';
  const [hours, minutes] = [zone.slice(0, 3), zone.slice(3).replace(':', '')];
  return `${hours}:${minutes === '' ? '00' : minutes}`;
}

/** The names of time zones that mean one distance from UTC, in hours. */
const offsets: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  CET: 1,
  WEST: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  JST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  AST: -4,
  EDT: -4,
  EST: -5,
  CDT: -5,
  CST: -6,
  MDT: -6,
  MST: -7,
  PDT: -7,
  PST: -8,
};

/**
 * Returns the seconds to add to a time of one zone for the time of another one: 0 between zones of one name, undefined where
 * one is not named or its name means several, as `IST` does.
 */
export function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  const [first, second] = [from.toUpperCase(), to.toUpperCase()];
  if (first === second) return 0;
  const [start, end] = [offsets[first], offsets[second]];
  return start === undefined || end === undefined ? undefined : (end - start) * 3600;
}
