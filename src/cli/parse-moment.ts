import { InvalidArgumentError } from 'commander';

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
