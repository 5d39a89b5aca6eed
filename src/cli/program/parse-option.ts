import { InvalidArgumentError } from 'commander';

/** A whole number from `least` on, for commander. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} on.`);
  };
}

/** A percentage such as 85. A share such as 0.85 is refused, since it would mean less than one per cent. */
export function percentage(text: string): number {
  const value = Number(text.replace(/\s*%$/, ''));
  if (text.trim() === '' || !(value >= 0 && value <= 100)) {
    throw new InvalidArgumentError('It is a percentage from 0 to 100.');
  }
  if (value > 0 && value <= 1) {
    const meant = Number((value * 100).toPrecision(12));
    throw new InvalidArgumentError(`It is a percentage: for ${meant} % write ${meant}.`);
  }
  return value;
}

/** An amount of money in US dollars. */
export function amount(text: string): number {
  const value = Number(text.replace(/^\$/, ''));
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It is an amount in US dollars, such as 2.50.');
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, m: 60_000, h: 3_600_000 };

/** A duration such as `30min`, `2h` or `90s`, in milliseconds. */
export function duration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h)$/.exec(text.trim()) ?? [];
  const milliseconds = Number(number) * (unitMs[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= 2_147_483_647) return milliseconds;
  throw new InvalidArgumentError('It is a duration up to 24 days, such as 90s, 30min or 2h.');
}

/** How many attempts at a case have to pass: `4 of 5`, or `4` of as many as are made. */
export function caseRule(text: string): string {
  if (/^\s*[1-9]\d{0,3}(\s+of\s+[1-9]\d{0,3})?\s*$/.test(text)) return text.trim();
  throw new InvalidArgumentError('It is a number of attempts, such as "4 of 5".');
}

/** Gathers the values of an option that may be given several times. */
export function gather(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** Weights by name: `correct time=0.35,clear explanation=0.1`; may be given several times. */
export function weights(
  text: string,
  previous: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const given = text.split(',').map((part): [string, number] => {
    const [, name = '', value = ''] = /^(.+)=([^=]+)$/.exec(part.trim()) ?? [];
    const weight = Number(value);
    if (name.trim() !== '' && value.trim() !== '' && weight >= 0 && weight <= 1) return [name.trim(), weight];
    throw new InvalidArgumentError(
      `"${part.trim()}" is no weight. Write "name=0.3", with a number from 0 to 1.`,
    );
  });
  return new Map([...previous, ...given]);
}

const isoMoment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const agoUnitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A day such as 2026-02-11, which begins at midnight UTC, a moment, or how long ago (`36h`, `14d`, `8w`), in milliseconds since 1970. */
export function moment(text: string): number {
  const given = text.trim();
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(given) ?? [];
  const ago = Number(count) * (agoUnitMs[unit] ?? 0);
  if (ago > 0) return Date.now() - ago;
  const at = isoMoment.test(given) && isDay(given.slice(0, 10)) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('It is a day such as 2026-02-11, a moment, or how long ago: 36h, 14d, 8w.');
}

/** Whether there is such a day: 31 February would be taken for one of March. */
function isDay(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** A difference in points, such as 5 or 0.5, as a share; for commander. */
export function points(text: string): number {
  const value = Number(text.replace(/\s*points?$/, ''));
  if (text.trim() !== '' && value >= 0 && value < 100) return value / 100;
  throw new InvalidArgumentError('It is a number of points from 0 to below 100, such as 5 or 0.5.');
}
