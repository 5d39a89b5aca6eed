import { z } from 'zod';
import { isNumber } from '../../../core/lib/json/exact-number.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { Case } from '../../../core/schema/case.ts';
import { nonEmpty, numberSchema } from '../../../core/schema/json.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { referenceOptions, verdictOf } from '../text/references.ts';
import { type FoundNumber, findNumbers } from '../../../core/lib/numbers/find-numbers.ts';
import { asFoundNumber } from '../../../core/lib/numbers/same-number.ts';
import { type NumberSearch, searchNumbers } from './search-numbers.ts';
import { notApplicable } from '../verdicts.ts';

const options = () =>
  referenceOptions().extend({
    value: z
      .union([numberSchema, nonEmpty(), z.array(z.union([numberSchema, nonEmpty()])).min(1)])
      .optional()
      .describe('The number, or a text with it; any one of several is enough. When absent, see `from`.'),
    tolerance: z.number().min(0).default(0).describe('Largest allowed distance from the expected number.'),
    relativeTolerance: z
      .number()
      .min(0)
      .default(0)
      .describe('Largest allowed distance as a share of the expected number.'),
    decimalMark: z
      .enum(['.', ','])
      .default('.')
      .describe('`,` reads 1.204 as 1204 and 1,5 as 1.5; both settings read `1.204,50` as 1204.5.'),
    pick: z
      .enum(['any', 'first', 'last'])
      .default('any')
      .describe('The numbers of the answer that count: any, or only the first or the last.'),
  });
type Options = z.output<ReturnType<typeof options>>;

/**
 * Computes the share of the expected numbers that the answer states by value in any notation, from 0 to 1: `$442,300`,
 * `442.3k`, `442.3 thousand`, `４４２３００`. 12.5 % equals both 12.5 and 0.125 when only one side is a percentage; a number
 * alone in parentheses may be negative and equals either. Not applicable when no number is expected.
 */
export const numericMatch = defineMetric({
  name: 'numeric-match',
  family: 'content',
  version: 3,
  reads: ({ value, from }) => (value === undefined ? expectationsAt(from) : []),
  summary: 'Share of the expected numbers that the answer states, however they are written.',
  words: 'numbers, amounts, prices, figures, math, percentages, decimals, calculation, currency, money',
  options,
  create: (options) => ({
    score: ({ case: testCase, trial }) => {
      const alternatives = expectedNumbers(testCase, options);
      if (alternatives.length === 0) return notApplicable('the question expects no number');
      const given = pick(findNumbers(trial.answer ?? '', options.decimalMark), options.pick);
      const search = searchNumbers(given);
      const results = alternatives.map((wanted) => compare({ given, search }, wanted, options));
      const best = results.reduce((first, second) => (second.value > first.value ? second : first));
      return verdictOf(best, options.threshold ?? 1);
    },
  }),
});

/** Returns the numbers of each acceptable answer. */
function expectedNumbers(testCase: Case, { value, from, decimalMark }: Options): FoundNumber[][] {
  const wanted = [value ?? valueAtPath(testCase, from)].flat();
  return wanted
    .map((item) => (isNumber(item) ? [asFoundNumber(item)] : findNumbers(asText(item), decimalMark)))
    .filter((numbers) => numbers.length > 0);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function pick(numbers: FoundNumber[], which: Options['pick']): FoundNumber[] {
  if (which === 'any') return numbers;
  return which === 'first' ? numbers.slice(0, 1) : numbers.slice(-1);
}

const mostShown = 20;

function compare(
  { given, search }: { given: FoundNumber[]; search: NumberSearch },
  wanted: FoundNumber[],
  tolerances: Options,
) {
  const missing = wanted.filter((number) => !search.has(number, tolerances));
  const texts = (numbers: FoundNumber[]) => numbers.slice(0, mostShown).map(({ text }) => text);
  return {
    value: (wanted.length - missing.length) / wanted.length,
    explanation: missing.length === 0 ? undefined : `missing: ${texts(missing).join(', ')}`,
    evidence: { expected: texts(wanted), found: texts(given), missing: texts(missing) },
  };
}
