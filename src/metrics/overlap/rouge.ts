import { z } from 'zod';
import { countItems, countShared, joinNeighbours } from '../../lib/multiset.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from '../text/references.ts';
import { countCommonSubsequence } from './count-common-subsequence.ts';
import { tooLong } from './too-long.ts';
import { rougeTokens } from './rouge-tokens.ts';

/**
 * ROUGE-N and ROUGE-L as the Python package rouge_score computes them. With several expected answers that of the highest
 * F-measure counts, whichever measure is asked for. Not applicable where the expected answer has no token at all.
 */
export const rouge = defineMetric({
  name: 'rouge',
  family: 'wording',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'ROUGE-1, -2 or -L: words in common with the expected answer.',
  options: () =>
    referenceOptions().extend({
      type: z
        .enum(['rouge-1', 'rouge-2', 'rouge-3', 'rouge-l'])
        .default('rouge-l')
        .describe('Words, pairs or triples of words, or the longest common subsequence.'),
      measure: z.enum(['f', 'precision', 'recall']).default('f').describe('Which of the three is the value.'),
      stemmer: z
        .boolean()
        .default(false)
        .describe("Whether English words are cut to their stems (Porter's)."),
      tokenizer: z
        .enum(['ascii', 'unicode'])
        .default('ascii')
        .describe(
          '`ascii` is that of rouge_score and sees only a-z and 0-9; `unicode` serves other scripts.',
        ),
    }),
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, options, (answer, reference) => {
        const wanted = rougeTokens(reference, options);
        if (wanted.length === 0) return undefined;
        const scores = compare(rougeTokens(answer, options), wanted, options.type);
        return { value: scores[options.measure], rank: scores.f, evidence: { ...scores } };
      }),
  }),
});

function compare(given: string[], wanted: string[], type: string) {
  if (type === 'rouge-l') {
    const shared = countCommonSubsequence(given, wanted);
    if (shared === undefined) throw tooLong(given.length, wanted.length, 'words');
    return fractions(shared, given.length, wanted.length);
  }
  const order = Number(type.at(-1));
  const givenRuns = joinNeighbours(given, order);
  const wantedRuns = joinNeighbours(wanted, order);
  const shared = countShared(countItems(wantedRuns), countItems(givenRuns));
  return fractions(shared, givenRuns.length, wantedRuns.length);
}

function fractions(shared: number, given: number, wanted: number) {
  const precision = shared / Math.max(given, 1);
  const recall = shared / Math.max(wanted, 1);
  const f = shared === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f };
}
