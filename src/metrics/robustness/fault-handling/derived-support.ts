import { createSupport, type Supports } from '../../grounding/fact-support.ts';
import type { Fact } from '../../grounding/fact.ts';
import { createSourceReader } from '../../grounding/read-source.ts';
import type { CalendarDate, DateStyle } from '../../values/find-dates.ts';
import { usualLocales } from '../../values/month-names.ts';

const dayMs = 86_400_000;
const quarterHour = 15;

/**
 * The look-up of `supported-facts`, and beyond it what anybody may work out from a date: its day of the week; and from an
 * instant, such as 2026-03-26T13:00Z: the time of day in whatever zone, and the day before or after.
 */
export function createDerivedSupport(
  texts: readonly string[],
  style: DateStyle,
  read = createSourceReader(style),
): Supports {
  const supports = createSupport(texts, style, read);
  const instants = texts.flatMap(findInstants);
  const quarters = new Set(instants.map((instant) => (instant / 60_000) % quarterHour));
  const days = new Set(
    instants.flatMap((instant) => [-1, 0, 1].map((by) => Math.floor(instant / dayMs) + by)),
  );
  const weekdays = new Set(texts.flatMap((text) => read(text).dates()).flatMap(weekdaysOf));
  for (const day of days) weekdays.add(weekdayOf(day));
  return (fact) => supports(fact) || isDerived(fact, { quarters, days, weekdays });
}

interface Derivable {
  /** Minutes past the quarter of an hour. */
  readonly quarters: ReadonlySet<number>;
  /** Days since 1970. */
  readonly days: ReadonlySet<number>;
  /** 0 for Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

function isDerived(fact: Fact, { quarters, days, weekdays }: Derivable): boolean {
  switch (fact.kind) {
    case 'time':
      return fact.readings.some((minute) => quarters.has(minute % quarterHour));
    case 'date':
      return fact.readings.some((date) => days.has(dayOf(date)));
    case 'name':
      return fact.words.every((word) => {
        const weekday = weekdayNames().get(plain(word));
        return weekday !== undefined && weekdays.has(weekday);
      });
    default:
      return false;
  }
}

function findInstants(text: string): number[] {
  const found = text.matchAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/g);
  return Array.from(found, ([instant]) => Date.parse(`${instant}Z`)).filter(
    (instant) => !Number.isNaN(instant),
  );
}

function weekdaysOf(date: CalendarDate): number[] {
  return date.day === undefined ? [] : [weekdayOf(dayOf(date))];
}

function dayOf({ year, month, day = Number.NaN }: CalendarDate): number {
  return Date.UTC(year, month - 1, day) / dayMs;
}

function weekdayOf(day: number): number {
  return new Date(day * dayMs).getUTCDay();
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('.', '');
}

let names: Map<string, number> | undefined;

/** The days of the week in the usual languages, long and short, lower case. */
function weekdayNames(): ReadonlyMap<string, number> {
  if (names !== undefined) return names;
  names = new Map();
  for (const locale of usualLocales) {
    for (const weekday of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
      // January 4, 1970 was a Sunday.
      for (let day = 0; day < 7; day += 1) names.set(plain(format.format((3 + day) * dayMs)), day);
    }
  }
  return names;
}
