import { z } from 'zod';
import { isNumber } from '../../../core/lib/json/exact-number.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { referenceOptions, verdictOf } from '../text/references.ts';
import { findNumbers } from '../../../core/lib/numbers/find-numbers.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Measures how near a number of the answer is to the expected one, from 0 to 1: 1 - |e - a| / (|e| + |a|), and 1 when
 * both are 0, as `NumericDiff` of autoevals does. Numbers of different signs score 0, so it suits amounts and counts. Of
 * several expected numbers the nearest one counts; an answer without a number scores 0. Not applicable when no number
 * is expected, or when the expected answer states several and it is unclear which one counts.
 */
export const numericDifference = defineMetric({
  name: 'numeric-difference',
  family: 'content',
  version: 1,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from) : []),
  summary:
    'How near a number of the answer is to the expected one: 1 for the same, 0.5 for three times as much.',
  words: 'number, relative error, how close, distance of numbers, numeric diff, regression value',
  options: () =>
    referenceOptions().extend({
      value: z.number().optional().describe('The expected number. When absent, see `from`.'),
      pick: z
        .enum(['nearest', 'first', 'last'])
        .default('nearest')
        .describe('The number of the answer that counts.'),
      decimalMark: z
        .enum(['.', ','])
        .default('.')
        .describe('`,` reads 1.204 as 1204 and 1,5 as 1.5; both settings read `1.204,50` as 1204.5.'),
    }),
  create: ({ value: fixed, from, pick, decimalMark, threshold }) => ({
    score: ({ case: testCase, trial }) => {
      const written = [fixed ?? valueAtPath(testCase, from)].flat();
      const numbers = written.map((item) => numbersIn(item, decimalMark));
      const expected = numbers.flatMap((stated) => (stated.length === 1 ? stated : []));
      if (expected.length === 0) {
        const several = numbers.find(({ length }) => length > 1);
        const reason =
          several === undefined ? 'no number' : `several numbers: ${several.slice(0, 5).join(', ')}`;
        return notApplicable(`the question expects ${reason}`);
      }
      const given = findNumbers(trial.answer ?? '', decimalMark).map((found) => found.value);
      const counted = pick === 'nearest' ? given : given.slice(...(pick === 'first' ? [0, 1] : [-1]));
      if (counted.length === 0)
        return verdictOf({ value: 0, explanation: 'the answer states no number' }, threshold);
      const pairs = counted.flatMap((number) =>
        expected.map((wanted) => ({ number, wanted, value: compareNumbers(wanted, number) })),
      );
      const { number, wanted, value } = pairs.reduce((best, pair) => (pair.value > best.value ? pair : best));
      const explanation = value === 1 ? undefined : `${number} in place of ${wanted}`;
      return verdictOf({ value, explanation, evidence: { expected: wanted, found: number } }, threshold);
    },
  }),
});

function numbersIn(written: unknown, decimalMark: '.' | ','): number[] {
  if (isNumber(written)) return [Number(written)];
  return typeof written === 'string' ? findNumbers(written, decimalMark).map(({ value }) => value) : [];
}

/** Returns how near two numbers are, from 0 to 1: 1 less their difference as a share of the sum of their sizes. */
export function compareNumbers(first: number, second: number): number {
  const size = Math.abs(first) + Math.abs(second);
  if (first === second) return 1;
  // Halves, so that the largest numbers have a finite sum.
  if (!Number.isFinite(size))
    return 1 - Math.abs(first / 2 - second / 2) / (Math.abs(first / 2) + Math.abs(second / 2));
  return Math.max(0, 1 - Math.abs(first - second) / size);
}
