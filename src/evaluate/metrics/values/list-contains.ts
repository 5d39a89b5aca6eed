import { z } from 'zod';
import { limitSteps } from '../../../core/lib/compute-within.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import { foldExceptCase, foldForComparison } from '../../../core/lib/text/fold.ts';
import { assign } from '../matching/assign.ts';
import { compareTexts } from '../matching/compare-texts.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { verdictOf } from '../text/references.ts';
import { readJsonAnswer } from './json-valid.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { notApplicable, thresholdOption } from '../verdicts.ts';

/**
 * Measures how far the answer, read as a list, contains the expected items, from 0 to 1, as `ListContains` of autoevals
 * does: expected and given items are paired so that the sum of their likenesses (by edits) is greatest, and the sum is
 * divided by the length of the longer list, or by the length of the expected one when other items are allowed. The answer is
 * a JSON list, or one item for each line or between commas. Typography and the forms of Unicode make no difference. Not applicable to a case without a list.
 */
export const listContains = defineMetric({
  name: 'list-contains',
  family: 'content',
  version: 4,
  reads: ({ values, from }) => (values === undefined ? expectationsAt(from) : []),
  summary: 'How far the list in the answer contains the expected items, similar ones in part.',
  words: 'list, items, set match, list overlap, bullet points, enumeration, partial credit',
  options: () =>
    z.strictObject({
      values: z.array(z.string()).min(1).optional().describe('The expected items. When absent, see `from`.'),
      from: nonEmpty()
        .default('expected.entities')
        .describe('Path in the question to the expected items, used when `values` is absent.'),
      separator: z
        .enum(['line', 'comma'])
        .default('line')
        .describe(
          'What separates the items of an answer that is no JSON list; marks such as `-` and `1.` are removed.',
        ),
      allowExtra: z.boolean().default(false).describe('True when items that were not expected cost nothing.'),
      ignoreCase: z.boolean().default(false).describe('True to ignore letter case.'),
      threshold: thresholdOption(),
    }),
  create: ({ values, from, separator, allowExtra, ignoreCase, threshold }) => ({
    score: ({ case: testCase, trial }) => {
      const written = values ?? [valueAtPath(testCase, from)].flat();
      const wanted = written.filter((item) => typeof item === 'string');
      if (wanted.length === 0) return notApplicable('the question has no list of items');
      const given = readItems(trial.answer, separator);
      const { sum, missing } = pairItems(given, wanted, ignoreCase);
      const value = Math.min(1, sum / (allowExtra ? wanted.length : Math.max(wanted.length, given.length)));
      const explanation = missing.length === 0 ? undefined : `not exactly: ${missing.join(', ')}`;
      return verdictOf({ value, explanation, evidence: { items: given.length, missing } }, threshold);
    },
  }),
});

const mostShown = 20;
const mostPairs = 2e6;

function pairItems(given: readonly string[], wanted: readonly string[], ignoreCase: boolean) {
  limitSteps(
    mostPairs,
    `${given.length} items are too many to be paired with expected ones`,
  )(given.length * wanted.length);
  const fold = ignoreCase ? foldForComparison : foldExceptCase;
  const [items, others] = [wanted, given].map((texts) => texts.map((text) => fold(text)));
  const likeness = (items ?? []).map((item) => (others ?? []).map((other) => compareTexts(other, item)));
  const paired = assign(likeness).map((column, row) => likeness[row]?.[column ?? -1] ?? 0);
  const missing = wanted.filter((_, row) => (paired[row] ?? 0) < 1).slice(0, mostShown);
  return { sum: paired.reduce((total, value) => total + value, 0), missing };
}

function readItems(answer: string | null, separator: 'line' | 'comma'): string[] {
  const read = readJsonAnswer(answer, { fenced: true });
  if ('value' in read && Array.isArray(read.value)) {
    return read.value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  }
  return (answer ?? '')
    .split(separator === 'line' ? /\r?\n/ : /[,\n]/)
    .map((item) => item.trim().replace(/^(?:[-*•–]|\d{1,4}[.)])\s+/, ''))
    .filter((item) => item !== '');
}
