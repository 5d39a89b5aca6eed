import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { ndcg } from './ndcg.ts';

const { log2 } = Math;

test('the gain is the relevance, the ideal ranking that of all judged documents', () => {
  const ideal = 3 + 2 / log2(3) + 1 / log2(4);
  expect(scoreDocuments(ndcg)).toBeCloseTo((1 / log2(3) + 3 / log2(5)) / ideal, 12);
});

test('exponential gain is 2^relevance - 1', () => {
  const ideal = 7 + 3 / log2(3) + 1 / log2(4);
  expect(scoreDocuments(ndcg, { gain: 'exponential' })).toBeCloseTo((1 / log2(3) + 7 / log2(5)) / ideal, 12);
});

test('the ideal ranking is cut at k too', () => {
  expect(scoreDocuments(ndcg, { k: 2 })).toBeCloseTo(1 / log2(3) / (3 + 2 / log2(3)), 12);
});
