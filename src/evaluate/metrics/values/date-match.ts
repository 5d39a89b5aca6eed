import { z } from 'zod';
import { defineMetric, expectationsAt } from '../metric.ts';
import { noReference, referenceOptions, referencesOf, verdictOf } from '../text/references.ts';
import {
  type CalendarDate,
  findDates,
  type FoundDate,
  monthNames,
  usualLocales,
} from '../../../core/lib/numbers/find-dates.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Computes the share of the expected dates that the answer states in any notation, from 0 to 1. An expected month is
 * stated by any day in it. Not applicable when no date is expected, and when the verdict depends on whether 03/04/2024
 * is in March or April and `order` is not set.
 */
export const dateMatch = defineMetric({
  name: 'date-match',
  family: 'content',
  version: 1,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from) : []),
  summary: 'Share of the expected dates that the answer states, however they are written.',
  words: 'dates, deadline, day, month, year, calendar',
  options: () =>
    referenceOptions().extend({
      value: z
        .union([nonEmpty(), z.array(nonEmpty()).min(1)])
        .optional()
        .describe('The date, or a text with it; any one of several is enough. When absent, see `from`.'),
      order: z
        .enum(['day-first', 'month-first'])
        .optional()
        .describe('How to read 03/04/2024; when absent, such a date decides nothing.'),
      locales: z
        .array(z.string().min(2))
        .min(1)
        .refine((locales) => areLocales(locales), 'not a language tag such as "en" or "de-AT"')
        .default(usualLocales)
        .describe('Languages whose names of months are recognised, the most important first.'),
    }),
  create: (options) => {
    const style = { order: options.order, months: monthNames(options.locales) };
    return {
      score: ({ case: testCase, trial }) => {
        const texts =
          options.value === undefined ? referencesOf(testCase, options.from) : [options.value].flat();
        if (texts.length === 0) return noReference(options.from);
        const alternatives = texts.map((text) => findDates(text, style)).filter(({ length }) => length > 0);
        if (alternatives.length === 0) return notApplicable('the question expects no date');
        const given = findDates(trial.answer ?? '', style);
        const results = alternatives.map((wanted) => compare(given, wanted));
        const best = results.reduce((first, second) => (second.value > first.value ? second : first));
        if (best.unclear.length === 0) return verdictOf(best, options.threshold ?? 1);
        const reason = `${best.unclear.join(', ')} can be read in two ways; set the option \`order\``;
        return notApplicable(reason);
      },
    };
  },
});

function areLocales(locales: readonly string[]): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([...locales]).length === locales.length;
  } catch {
    return false; // Not the form of a language tag at all.
  }
}

type Certainty = 'yes' | 'maybe' | 'no';

function compare(given: FoundDate[], wanted: FoundDate[]) {
  const stated = indexDates(given);
  const certainties = new Map(wanted.map((date) => [date, findCertainty(date, stated)]));
  const missing = wanted.filter((date) => certainties.get(date) !== 'yes');
  const isUnclear = (date: FoundDate) => certainties.get(date) === 'maybe';
  const unclear = [...missing.filter(isUnclear), ...given].filter(({ readings }) => readings.length > 1);
  return {
    value: (wanted.length - missing.length) / wanted.length,
    explanation: missing.length === 0 ? undefined : `missing: ${textsOf(missing).join(', ')}`,
    evidence: { expected: textsOf(wanted), found: textsOf(given), missing: textsOf(missing) },
    unclear: missing.some(isUnclear) ? textsOf(unclear) : [],
  };
}

function textsOf(dates: FoundDate[]): string[] {
  return dates.map(({ text }) => text);
}

/** The dates of a text, indexed for look-ups. */
interface DateIndex {
  readonly texts: ReadonlySet<string>;
  /** The distinct readings of dates, by each month that they can be in. */
  readonly byMonth: ReadonlyMap<string, ReadonlyMap<string, readonly CalendarDate[]>>;
}

function indexDates(dates: readonly FoundDate[]): DateIndex {
  const byMonth = new Map<string, Map<string, readonly CalendarDate[]>>();
  for (const { readings } of dates) {
    const meaning = readings.map(({ year, month, day }) => `${year}-${month}-${day}`).join();
    for (const reading of readings) {
      const ofMonth = byMonth.get(monthOf(reading)) ?? new Map<string, readonly CalendarDate[]>();
      byMonth.set(monthOf(reading), ofMonth.set(meaning, readings));
    }
  }
  return { texts: new Set(dates.map(({ text }) => text)), byMonth };
}

function monthOf({ year, month }: CalendarDate): string {
  return `${year}-${month}`;
}

function findCertainty(wanted: FoundDate, { texts, byMonth }: DateIndex): Certainty {
  if (texts.has(wanted.text)) return 'yes';
  const candidates = wanted.readings.flatMap((reading) => [
    ...(byMonth.get(monthOf(reading))?.values() ?? []),
  ]);
  const certainties = candidates.map((readings) => isStated(wanted.readings, readings));
  return (
    certainties.find((certainty) => certainty === 'yes') ??
    certainties.find((certainty) => certainty === 'maybe') ??
    'no'
  );
}

/** Compares all readings of two dates; certain only when every reading of both agrees. */
function isStated(wanted: readonly CalendarDate[], given: readonly CalendarDate[]): Certainty {
  const agreements = wanted.flatMap((date) => given.map((stated) => covers(date, stated)));
  if (agreements.every(Boolean)) return 'yes';
  return agreements.some(Boolean) ? 'maybe' : 'no';
}

function covers(wanted: CalendarDate, stated: CalendarDate): boolean {
  const isSameMonth = wanted.year === stated.year && wanted.month === stated.month;
  return isSameMonth && (wanted.day === undefined || wanted.day === stated.day);
}
