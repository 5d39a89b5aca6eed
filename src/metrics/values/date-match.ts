import { z } from 'zod';
import { defineMetric, expectationsAt } from '../metric.ts';
import { noReference, referenceOptions, referencesOf, verdictOf } from '../text/references.ts';
import { type CalendarDate, type FoundDate, findDates } from './find-dates.ts';
import { monthNames, usualLocales } from './month-names.ts';

/**
 * Share of the expected dates that the answer states, however they are written. An expected month is stated by any day in
 * it. Where the verdict hangs on whether 03/04/2024 is in March or in April, it is not applicable until `order` says so.
 */
export const dateMatch = defineMetric({
  name: 'date-match',
  family: 'content',
  version: 1,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from) : []),
  summary: 'Share of the expected dates that the answer states, however they are written.',
  options: () =>
    referenceOptions().extend({
      value: z
        .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
        .optional()
        .describe('The date, or a text with it; of several any one will do. Else what stands at `from`.'),
      order: z
        .enum(['day-first', 'month-first'])
        .optional()
        .describe('How to read 03/04/2024; without it such a date decides nothing.'),
      locales: z
        .array(z.string().min(2))
        .min(1)
        .refine((locales) => areLocales(locales), 'not a language tag such as "en" or "de-AT"')
        .default(usualLocales)
        .describe('Languages whose names of months are known, the most important first.'),
    }),
  create: (options) => {
    const style = { order: options.order, months: monthNames(options.locales) };
    return {
      score: ({ case: testCase, trial }) => {
        const texts =
          options.value === undefined ? referencesOf(testCase, options.from) : [options.value].flat();
        if (texts.length === 0) return noReference(options.from);
        const alternatives = texts.map((text) => findDates(text, style)).filter(({ length }) => length > 0);
        if (alternatives.length === 0)
          return { status: 'not-applicable', reason: 'the case expects no date' };
        const given = findDates(trial.answer ?? '', style);
        const results = alternatives.map((wanted) => compare(given, wanted));
        const best = results.reduce((first, second) => (second.value > first.value ? second : first));
        if (best.unclear.length === 0) return verdictOf(best, options.threshold ?? 1);
        const reason = `${best.unclear.join(', ')} can be read in two ways; the option \`order\` says which`;
        return { status: 'not-applicable', reason };
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
  const certainties = wanted.map((date) => given.map((candidate) => isStated(date, candidate)));
  const missing = wanted.filter((_, index) => !certainties[index]?.includes('yes'));
  const isUnclear = (date: FoundDate) => certainties[wanted.indexOf(date)]?.includes('maybe');
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

/** Certain only when every reading of both agrees. */
function isStated(wanted: FoundDate, given: FoundDate): Certainty {
  const agreements = wanted.readings.flatMap((date) => given.readings.map((stated) => covers(date, stated)));
  if (agreements.every(Boolean) || wanted.text === given.text) return 'yes';
  return agreements.some(Boolean) ? 'maybe' : 'no';
}

function covers(wanted: CalendarDate, stated: CalendarDate): boolean {
  const isSameMonth = wanted.year === stated.year && wanted.month === stated.month;
  return isSameMonth && (wanted.day === undefined || wanted.day === stated.day);
}
