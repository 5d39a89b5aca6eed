import { z } from 'zod';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';
import { scoreChrf } from './chrf-score.ts';

/**
 * chrF (Popović, 2015) as sacreBLEU's `sentence_chrf` computes it, divided by 100: chrF2 by default, chrF++ with
 * `wordOrder: 2`. With several expected answers the best counts. Characters are code points, in any script.
 */
export const chrf = defineMetric({
  name: 'chrf',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'chrF of the answer by sacreBLEU, in [0, 1]: runs of characters shared with the expected answer.',
  options: () =>
    referenceOptions().extend({
      characterOrder: z.int().min(1).max(12).default(6).describe('Longest run of characters.'),
      wordOrder: z.int().min(0).max(4).default(0).describe('Longest run of words; 2 gives chrF++.'),
      beta: z.number().positive().default(2).describe('How much more recall counts than precision.'),
      ignoreCase: z.boolean().default(false).describe('Whether capital and small letters are the same.'),
      keepSpaces: z.boolean().default(false).describe('Whether white space counts as characters.'),
      epsilonSmoothing: z
        .boolean()
        .default(false)
        .describe('Averages the F-scores of all orders, as NLTK and chrF++.py do.'),
    }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, options, (answer, reference) => {
        const value = scoreChrf(answer, reference, options);
        return value === undefined ? undefined : { value };
      }),
  }),
});
