import { z } from 'zod';
import { stripSpaceEnd } from '../../lib/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import {
  emptyReference,
  noReference,
  referenceOptions,
  referencesOf,
  verdictOf,
} from '../text/references.ts';
import { scoreBleu } from './bleu-score.ts';
import { bleuTokenizers, bleuTokens } from './bleu-tokens.ts';

/**
 * Sentence BLEU as sacreBLEU's `sentence_bleu` computes it, divided by 100. All references count together. The mean over
 * cases is the mean of sentence scores, not the BLEU of a corpus.
 */
export const bleu = defineMetric({
  name: 'bleu',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'BLEU of the answer by sacreBLEU, in [0, 1]: n-grams shared with the expected answers.',
  options: () =>
    referenceOptions().extend({
      tokenizer: z
        .enum(bleuTokenizers)
        .default('13a')
        .describe('`zh` for Chinese, `char` for scripts without spaces, `intl` for any with them.'),
      smoothing: z
        .enum(['exp', 'floor', 'add-k', 'none'])
        .default('exp')
        .describe('What an order of n-grams without a match counts as.'),
      smoothingValue: z.number().positive().optional().describe('For `floor` (0.1) and `add-k` (1).'),
      maxOrder: z.int().min(1).max(9).default(4).describe('Longest n-gram.'),
      effectiveOrder: z
        .boolean()
        .default(true)
        .describe('Whether orders for which the answer is too short are left out.'),
      ignoreCase: z.boolean().default(false).describe('Whether capital and small letters are the same.'),
    }),
  create: (options) => {
    const tokenize = (text: string) => {
      const cased = options.ignoreCase ? text.toLowerCase() : text;
      return bleuTokens(stripSpaceEnd(cased), options.tokenizer);
    };
    return {
      score: ({ case: testCase, trial }) => {
        const references = referencesOf(testCase, options.from).map(tokenize);
        if (references.length === 0) return noReference(options.from);
        if (references.every(({ length }) => length === 0)) return emptyReference;
        const { score, ...parts } = scoreBleu(tokenize(trial.answer ?? ''), references, options);
        return verdictOf({ value: score, evidence: { ...parts } }, options.threshold);
      },
    };
  },
});
