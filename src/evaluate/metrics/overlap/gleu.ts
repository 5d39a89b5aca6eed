import { countItems, countShared, joinNeighbours } from '../../../core/lib/multiset.ts';
import { z } from 'zod';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';
import { wordOptions, wordTokens } from './tokenize.ts';

/**
 * Computes sentence GLEU (Wu et al., 2016) of the answer, from 0 to 1: the lesser of precision and recall over the
 * n-grams of all orders together. With several expected answers, the best one counts. It equals `sentence_gleu` of NLTK
 * for the same words, and with the default words `gleu` of promptfoo. The mean over cases is the mean of sentence
 * scores, not corpus GLEU. Not applicable when the expected answer is missing or has no words.
 */
export const gleu = defineMetric({
  name: 'gleu',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary:
    'GLEU of the answer, in [0, 1]: n-grams shared with the expected answer, of the longer one of both.',
  words: 'translation, sentence bleu, n-gram, text overlap',
  options: () =>
    referenceOptions()
      .extend(wordOptions().shape)
      .extend({
        minOrder: z.int().min(1).max(9).default(1).describe('Shortest n-gram.'),
        maxOrder: z.int().min(1).max(9).default(4).describe('Longest n-gram.'),
      })
      .refine(({ minOrder, maxOrder }) => minOrder <= maxOrder, {
        path: ['minOrder'],
        message: 'at most `maxOrder`',
      }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, options, (answer, reference) => {
        const wanted = wordTokens(reference, options);
        if (wanted.length === 0) return undefined;
        return scoreGleu(wordTokens(answer, options), wanted, options);
      }),
  }),
});

interface Orders {
  readonly minOrder: number;
  readonly maxOrder: number;
}

function scoreGleu(given: readonly string[], wanted: readonly string[], orders: Orders) {
  const givenRuns = runsOf(given, orders);
  const wantedRuns = runsOf(wanted, orders);
  const shared = countShared(countItems(givenRuns), countItems(wantedRuns));
  const precision = shared / Math.max(givenRuns.length, 1);
  const recall = shared / Math.max(wantedRuns.length, 1);
  return { value: Math.min(precision, recall), evidence: { precision, recall } };
}

/** Returns the n-grams of all orders. */
function runsOf(words: readonly string[], { minOrder, maxOrder }: Orders): string[] {
  return Array.from({ length: maxOrder - minOrder + 1 }, (_, index) =>
    joinNeighbours(words, minOrder + index),
  ).flat();
}
