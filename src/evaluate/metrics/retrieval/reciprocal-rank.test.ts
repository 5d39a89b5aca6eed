import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { reciprocalRank } from './reciprocal-rank.ts';

test('the first relevant document is the second', () => {
  expect(scoreDocuments(reciprocalRank)).toBe(1 / 2);
  expect(scoreDocuments(reciprocalRank, { k: 1 })).toBe(0);
});

test('leaving out unjudged documents moves the others up', () => {
  expect(scoreDocuments(reciprocalRank, { minRelevance: 3, unjudged: 'left-out' })).toBe(1 / 3);
});
