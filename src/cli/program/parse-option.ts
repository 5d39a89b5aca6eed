import { InvalidArgumentError } from 'commander';

// Parsers of option values for commander. Each throws `InvalidArgumentError` for a text that is not such a value.

/** Returns a parser of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}

/** Parses a percentage such as 85. A share such as 0.85 is refused, since it would mean less than one per cent. */
export function percentage(text: string): number {
  const value = Number(text.replace(/\s*%$/, ''));
  if (text.trim() === '' || !(value >= 0 && value <= 100)) {
    throw new InvalidArgumentError('It must be a percentage from 0 to 100.');
  }
  if (value > 0 && value <= 1) {
    const meant = Number((value * 100).toPrecision(12));
    throw new InvalidArgumentError(`It must be a percentage: for ${meant} % write ${meant}.`);
  }
  return value;
}

/** Parses a coefficient of agreement, from 0 to 1. */
export function coefficient(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1, such as 0.4.');
}

/** Parses a distance of texts: one minus the cosine of the angle between their vectors, from 0 to 2. */
export function distance(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 2) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 2, such as 0.35.');
}

/** Parses a share, such as `1%` or `0.01`, into a number from 0 to 1. */
export function share(text: string): number {
  const [, number = '', sign] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text) ?? [];
  const value = sign === '%' ? Number(number) / 100 : Number(number);
  if (number !== '' && value <= 1) return value;
  throw new InvalidArgumentError('It must be a share, such as 5% or 0.05.');
}

/** Parses an amount of money in US dollars, such as `2.50` or `$3`. */
export function amount(text: string): number {
  const value = Number(text.replace(/^\$/, ''));
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be an amount in US dollars, such as 2.50.');
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, m: 60_000, h: 3_600_000 };

/** Parses a duration such as `30min`, `2h` or `90s` into milliseconds. */
export function duration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)$/.exec(text.trim()) ?? [];
  const milliseconds = Number(number) * (unitMs[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= 2_147_483_647) return milliseconds;
  throw new InvalidArgumentError('It must be a duration up to 24 days, such as 90s, 30min or 2h.');
}

/** Checks a rule on attempts: `4 of 5`, or `4` of however many attempts the config sets. */
export function caseRule(text: string): string {
  const [rule, passes, , made] = /^\s*([1-9]\d{0,3})(\s+of\s+([1-9]\d{0,3}))?\s*$/.exec(text) ?? [];
  if (made !== undefined && Number(passes) > Number(made))
    throw new InvalidArgumentError(`${passes} attempts cannot pass where ${made} are made: write "4 of 5".`);
  if (rule !== undefined) return text.trim();
  throw new InvalidArgumentError('It must be a number of attempts, such as "4 of 5".');
}

/** Collects the values of an option that may be repeated. */
export function gather(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** Parses weights by name, such as `correct time=0.35,clear explanation=0.1`; the option may be repeated. */
export function weights(
  text: string,
  previous: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const pairs = text.split(',').map((part): [string, number] => {
    const [, name = '', value = ''] = /^(.+)=([^=]+)$/.exec(part.trim()) ?? [];
    const weight = Number(value);
    if (name.trim() !== '' && value.trim() !== '' && weight >= 0 && weight <= 1) return [name.trim(), weight];
    throw new InvalidArgumentError(
      `"${part.trim()}" is not a weight. Write "name=0.3", with a number from 0 to 1.`,
    );
  });
  return new Map([...previous, ...pairs]);
}

/** Parses a tag such as `prompt=v7`, and adds it to those before. */
export function tag(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const tags = tagChange(text, previous);
  if (!Object.values(tags).includes('')) return tags;
  throw new InvalidArgumentError('It must be KEY=VALUE, such as prompt=v7.');
}

/** Parses a tag such as `prompt=v7`, or `prompt=` for a tag that goes, and adds it to those before. */
export function tagChange(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key.trim() !== '') return { ...previous, [key.trim()]: value.trim() };
  throw new InvalidArgumentError('It must be KEY=VALUE, such as prompt=v7.');
}

const isoMoment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const agoUnitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Parses a day such as 2026-02-11 (midnight UTC), an ISO 8601 time, or an age (`36h`, `14d`, `8w`) into milliseconds
 * since 1970.
 */
export function moment(text: string): number {
  const trimmed = text.trim();
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(trimmed) ?? [];
  const ago = Number(count) * (agoUnitMs[unit] ?? 0);
  if (ago > 0) return Date.now() - ago;
  const at = isoMoment.test(trimmed) && isDay(trimmed.slice(0, 10)) ? Date.parse(trimmed) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('It must be a day such as 2026-02-11, a time, or an age: 36h, 14d, 8w.');
}

/** Parses the length of a window, such as `1d`, `36h` or `1w`, from an hour to 30 days, into milliseconds. */
export function timeWindow(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([hdw])$/.exec(text.trim()) ?? [];
  const milliseconds = Number(count) * (agoUnitMs[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= 30 * 86_400_000) return milliseconds;
  throw new InvalidArgumentError('It must be a time of an hour to 30 days up to now, such as 1d, 36h or 1w.');
}

/** Returns whether the day exists. `Date.parse` takes 31 February for a day in March. */
function isDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** Parses a difference in percentage points, such as 5 or 0.5, into a share. */
export function points(text: string): number {
  const value = Number(text.replace(/\s*points?$/, ''));
  if (text.trim() !== '' && value >= 0 && value < 100) return value / 100;
  throw new InvalidArgumentError('It must be a number of points from 0 to below 100, such as 5 or 0.5.');
}
