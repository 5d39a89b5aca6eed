import { z } from 'zod';
import { questionOf } from '../../../core/schema/case.ts';
import type { ExpectedNumber } from '../../../core/schema/expected.ts';
import { defineMetric } from '../metric.ts';
import { verdictOf } from '../text/references.ts';
import { withDecimalPoints } from '../../../core/lib/numbers/decimal-commas.ts';
import { type FoundNumber, findNumbers } from '../../../core/lib/numbers/find-numbers.ts';
import { asFoundNumber } from '../../../core/lib/numbers/same-number.ts';
import { type NumberSearch, searchNumbers } from './search-numbers.ts';
import { notApplicable, thresholdOption } from '../verdicts.ts';

const numberWords = [
  'zero one two three four five six seven eight nine ten',
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
]
  .join(' ')
  .split(' ');

/**
 * Computes the share of the expected numbers that the answer states, each within its tolerance or range; from 0 to 1.
 * Whole numbers up to twenty count as English words, too. For a range, a number that only repeats one of the question
 * does not count. Not applicable to a case that expects no numbers.
 */
export const expectedNumbers = defineMetric({
  name: 'expected-numbers',
  family: 'content',
  version: 5,
  reads: ['numbers'],
  summary: 'Share of the expected numbers that the answer states, each within its tolerance or range.',
  words:
    'numbers, amounts, figures, tolerance, range, math, calculation, prices, arithmetic, currency, money',
  options: () =>
    z.strictObject({
      decimalMark: z.enum(['.', ',']).default('.').describe('The decimal mark.'),
      threshold: thresholdOption(),
    }),
  create: ({ decimalMark, threshold }) => ({
    score: ({ case: testCase, trial }) => {
      const wanted = testCase.expected.numbers ?? [];
      if (wanted.length === 0) return notApplicable('the question expects no numbers');
      const answer = trial.answer ?? '';
      const written = decimalMark === '.' ? withDecimalPoints(answer) : answer;
      const given = [...findNumbers(written, decimalMark), ...findNumberWords(answer)];
      const asked = new Set(findNumbers(questionOf(testCase), decimalMark).map(({ value }) => value));
      const fresh = given.filter(({ value }) => !asked.has(value));
      const stated = { given: searchNumbers(given), fresh: searchNumbers(fresh) };
      const missing = wanted.filter((number) => !isStated(number, stated));
      return verdictOf(
        {
          value: (wanted.length - missing.length) / wanted.length,
          explanation: missing.length === 0 ? undefined : `missing: ${missing.map(describe).join(', ')}`,
          evidence: {
            stated: given.slice(0, mostShown).map(({ text }) => text),
            missing: missing.slice(0, mostShown).map(describe),
          },
        },
        threshold,
      );
    },
  }),
});

const mostShown = 20;

interface Stated {
  readonly given: NumberSearch;
  /** The numbers that are not in the question. */
  readonly fresh: NumberSearch;
}

function isStated(number: ExpectedNumber, { given, fresh }: Stated): boolean {
  const { value, tolerance = 0, relativeTolerance = 0, min, max } = number;
  if (value !== undefined) {
    return given.has(asFoundNumber(value), { tolerance, relativeTolerance });
  }
  return fresh.hasBetween(Number(min ?? Number.NEGATIVE_INFINITY), Number(max ?? Number.POSITIVE_INFINITY));
}

function findNumberWords(text: string): FoundNumber[] {
  return Array.from(text.toLowerCase().matchAll(/\p{L}+/gu)).flatMap(({ 0: word, index }) => {
    const value = numberWords.indexOf(word);
    return value < 0
      ? []
      : [{ ...asFoundNumber(value), text: word, index, start: index, end: index + word.length }];
  });
}

function describe({ value, tolerance, relativeTolerance, min, max }: ExpectedNumber): string {
  if (value === undefined) return [min ?? '…', max ?? '…'].map(String).join(' to ');
  const off = [
    ...(tolerance === undefined ? [] : [String(tolerance)]),
    ...(relativeTolerance === undefined ? [] : [`${relativeTolerance * 100} %`]),
  ];
  return off.length === 0 ? String(value) : `${String(value)} ± ${off.join(' or ')}`;
}
