import { z } from 'zod';
import { foldForComparison } from '../../../core/lib/text/fold.ts';
import { splitWords } from '../../../core/lib/text/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from './references.ts';

/**
 * Checks that the answer equals the expected one, or one of several, as a reader sees it: 1, else 0. Letter case, white
 * space, the kind of quotes and hyphens, marks of Markdown and the forms of Unicode make no difference; every other sign
 * does. With `source` it is the exact match of the FAQ-bot framework: in lower case, with white space trimmed and collapsed
 * by Python's definition. Not applicable to a case without an expected answer.
 */
export const exactMatch = defineMetric({
  name: 'exact-match',
  family: 'wording',
  version: 2,
  reads: ({ from }) => expectationsAt(from),
  summary: 'The answer is the expected one, ignoring case, white space and typography: 1, else 0.',
  words:
    'exact match, EM, same text, identical, string match, strict, accuracy, classification, label, multiple choice',
  options: () =>
    referenceOptions()
      .omit({ threshold: true })
      .extend({
        source: z
          .boolean()
          .default(false)
          .describe('True to ignore only letter case and white space, as the FAQ-bot framework does.'),
      }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, { ...options, threshold: 1 }, (answer, reference) => ({
        value: isSame(answer, reference, options.source) ? 1 : 0,
      })),
  }),
});

function isSame(answer: string, reference: string, isSource: boolean): boolean {
  if (normalize(answer) === normalize(reference)) return true;
  return !isSource && foldForComparison(answer) === foldForComparison(reference);
}

function normalize(text: string): string {
  return splitWords(text.toLowerCase()).join(' ');
}
