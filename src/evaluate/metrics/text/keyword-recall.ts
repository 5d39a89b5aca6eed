import { tokenSet } from '../../../core/lib/text/words.ts';
import { defineMetric, expectationsAt } from '../metric.ts';
import { judgeAgainst, referenceOptions } from './references.ts';

const mostNamed = 50;

/**
 * Computes the share of the expected answer's tokens that the answer contains: |E ∩ G| / |E| over sets of tokens, from
 * 0 to 1, and 0 when E is empty. This is the keyword recall of the FAQ-bot framework. With several expected answers, the
 * best one counts. Not applicable to a case without an expected answer.
 */
export const keywordRecall = defineMetric({
  name: 'keyword-recall',
  family: 'content',
  version: 1,
  reads: ({ from }) => expectationsAt(from),
  summary: 'Share of the words of the expected answer that the answer contains.',
  words: 'word overlap, recall of words, token recall, all words, reference recall',
  options: referenceOptions,
  create: (options) => ({
    score: (input) =>
      judgeAgainst(input, options, (answer, reference) => {
        const expected = tokenSet(reference);
        const given = tokenSet(answer);
        const missing = [...expected].filter((token) => !given.has(token));
        const value = expected.size === 0 ? 0 : (expected.size - missing.length) / expected.size;
        return { value, evidence: { missing: missing.slice(0, mostNamed), expected: expected.size } };
      }),
  }),
});
