import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Random } from '../../../core/stats/random.ts';
import { type Fault, corruptResult } from './fault.ts';

const youngestDays = 40;
const oldestDays = 400;

/** An old result from a cache that is marked as such: earlier dates, other amounts. */
export const stale: Fault = {
  kind: 'stale',
  version: 1,
  summary: 'An old result from a cache, marked as such: earlier dates, other amounts.',
  corrupt: (result, random) => {
    const days = youngestDays + random.integer(oldestDays - youngestDays);
    const mark = `stale: this copy is ${days} days old`;
    return corruptResult(
      result,
      (value) => marked(ageValue(value, { days, random }), mark),
      (text) => `[cache ${mark}]\n${ageText(text, { days, random })}`,
    );
  },
};

/** Marks every row, since programs read rows and not lists. */
function marked(value: Json, cache: string): Json {
  if (Array.isArray(value)) return value.map((item) => marked(item, cache));
  if (!isContainer(value)) return value;
  return { ...value, cache };
}

/** The age that a value is given. */
interface Ageing {
  readonly days: number;
  readonly random: Random;
}

/** Returns a result as it was some time ago: dates earlier by that time, amounts and counts slightly different. Ids stay. */
export function ageValue(value: Json, ageing: Ageing, key = ''): Json {
  if (Array.isArray(value)) return value.map((item) => ageValue(item, ageing, key));
  if (isContainer(value)) {
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, member]) => [name, ageValue(member, ageing, name)]));
  }
  if (identifying.test(key)) return value;
  if (typeof value === 'number') return ageNumber(value, ageing);
  return typeof value === 'string' ? ageText(value, ageing) : value;
}

/** Returns a text as it was some time ago: its dates of the form 2025-01-31 and its amounts of money change. */
function ageText(text: string, ageing: Ageing): string {
  return text
    .replace(isoDate, (date) => shiftDate(date, -ageing.days))
    .replace(amount, (_found, currency: string, digits: string) => currency + ageDigits(digits, ageing));
}

/** Keys that identify or locate a thing, whose values do not change with time. */
const identifying =
  /(?:^|[_.-])(?:id|ids|key|code|zip|postcode|phone|number|no|nr|year|month|day|lat|lon|lng|page|limit|offset|score|rank|index|version|port|url)$|(?:Id|Key|Code|Number|Year|Month|Day|Index|Version|Url)$/;
const isoDate = /(?<!\d)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g;
const amount = /([$€£]\s?)(\d[\d,]*(?:\.\d+)?)/g;

const dayMs = 86_400_000;
const earliest = Date.parse('0001-01-01T00:00:00Z');

function shiftDate(date: string, days: number): string {
  const shifted = Date.parse(`${date}T00:00:00Z`) + days * dayMs;
  // February 30 is not a date, and dates before year 1 are written differently.
  return shifted > earliest ? new Date(shifted).toISOString().slice(0, 10) : date;
}

/**
 * Returns a number changed by up to a fifth; a small whole number becomes one less. It always changes, except 0, 1 and
 * numbers that may be a year.
 */
function ageNumber(value: number, { random }: Ageing): number {
  const size = Math.abs(value);
  if (isYear(value)) return value;
  if (Number.isInteger(value) && size < 20) return size < 2 ? value : value - Math.sign(value);
  const factor = 1 + (0.05 + 0.15 * random.next()) * (random.integer(2) === 0 ? 1 : -1);
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
  const aged = Number((value * factor).toFixed(decimals));
  return aged === value ? Number((value + 10 ** -decimals).toFixed(decimals)) : aged;
}

function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1800 && value <= 2200;
}

function ageDigits(digits: string, ageing: Ageing): string {
  const aged = ageNumber(Number(digits.replaceAll(',', '')), ageing);
  const [, decimals = ''] = digits.split('.');
  return aged.toLocaleString('en-US', {
    minimumFractionDigits: decimals.length,
    maximumFractionDigits: decimals.length,
    useGrouping: digits.includes(','),
  });
}
