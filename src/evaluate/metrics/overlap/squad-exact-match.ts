import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';
import { squadReading, squadTokens } from './squad-f1.ts';

/**
 * Computes the exact match of the official SQuAD evaluation script: 1 when answer and expected answer are equal after
 * normalisation (case, punctuation, articles, white space), else 0. With several expected answers, the best one counts.
 * Not applicable without an expected answer; not measured when the texts differ only in signs that the script drops and
 * that matter, such as `-5` and `5`.
 */
export const squadExactMatch = defineMetric({
  name: 'squad-exact-match',
  family: 'wording',
  version: 2,
  reads: ({ from }) => expectationsAt(from),
  summary: 'SQuAD exact match: equal but for case, punctuation, articles and white space: 1, else 0.',
  words: 'EM, SQuAD, question answering, exact match, extractive',
  options: () => referenceOptions().omit({ threshold: true }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, { ...options, threshold: 1, reading: squadReading }, (answer, reference) => ({
        value: squadTokens(answer).join(' ') === squadTokens(reference).join(' ') ? 1 : 0,
      })),
  }),
});
