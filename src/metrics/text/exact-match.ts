import { splitWords } from '../../lib/text/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from './references.ts';

/**
 * 1 when the answer is the expected one, or one of several, after lower-casing, trimming and collapsing white space;
 * else 0. The exact match of the FAQ-bot framework, with Python's idea of white space.
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
