import { splitWords } from '../../lib/text/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from './references.ts';

/**
 * Checks that the answer equals the expected one, or one of several, in lower case and with white space trimmed and
 * collapsed: 1, else 0. This is the exact match of the FAQ-bot framework, with Python's definition of white space. Not
 * applicable to a case without an expected answer.
 */
export const exactMatch = defineMetric({
  name: 'exact-match',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'The answer is the expected one, ignoring case and white space: 1, else 0.',
  options: () => referenceOptions().omit({ threshold: true }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, { ...options, threshold: 1 }, (answer, reference) => ({
        value: normalize(answer) === normalize(reference) ? 1 : 0,
      })),
  }),
});

function normalize(text: string): string {
  return splitWords(text.toLowerCase()).join(' ');
}
