import { z } from 'zod';
import { countItems, countShared } from '../../../core/lib/multiset.ts';
import { splitWords } from '../../../core/lib/text/python-text.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { type Agreement, judgeAgainst, referenceOptions } from '../text/references.ts';
import type { Reading } from '../text/unread-text.ts';

/**
 * Computes F1 of the official SQuAD evaluation script, from 0 to 1: the harmonic mean of token precision and recall,
 * with repeated tokens counted. With several expected answers, the best one counts. Not applicable without an expected
 * answer; not measured when the texts differ only in signs that the script drops and that matter: `-5` and `5`, `C#` and
 * `C`, `x < 5` and `x > 5`.
 */
export const squadF1 = defineMetric({
  name: 'squad-f1',
  family: 'wording',
  version: 2,
  reads: ({ from }) => expectationsAt(from),
  summary: 'SQuAD F1: overlap of the answer with the best expected answer, word by word.',
  words: 'F1, token overlap, SQuAD, question answering, word overlap, jaccard',
  options: () =>
    referenceOptions().extend({
      script: z
        .enum(['1.1', '2.0'])
        .default('1.1')
        .describe('Two empty texts score 1 by the script of SQuAD 2.0 and 0 by the script of 1.1.'),
    }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, { ...options, reading: squadReading }, (answer, reference) => {
        const given = squadTokens(answer);
        const wanted = squadTokens(reference);
        const areEmpty = given.length === 0 && wanted.length === 0;
        return areEmpty ? { value: options.script === '2.0' ? 1 : 0 } : compareTokens(given, wanted);
      }),
  }),
});

function compareTokens(given: string[], wanted: string[]): Agreement {
  const shared = countShared(countItems(given), countItems(wanted));
  if (shared === 0) return { value: 0, evidence: { precision: 0, recall: 0 } };
  const precision = shared / given.length;
  const recall = shared / wanted.length;
  return { value: (2 * precision * recall) / (precision + recall), evidence: { precision, recall } };
}

/** The reading of the script: all but the signs of ASCII. */
export const squadReading: Reading = {
  says: 'the script of SQuAD drops the signs of ASCII',
  reads: /^[^!-/:-@[-`{-~]/u,
};

const punctuation = /[!-/:-@[-`{-~]/g;

// The \b of Python knows letters and digits of all scripts, the one of JavaScript only the ones of ASCII.
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/**
 * Returns the tokens of a text as the official SQuAD evaluation script makes them: lower case, without ASCII
 * punctuation and the articles a, an and the, split at white space.
 */
export function squadTokens(text: string): string[] {
  return splitWords(text.toLowerCase().replace(punctuation, '').replace(articles, ' '));
}
