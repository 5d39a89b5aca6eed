import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { hitRate } from './hit-rate.ts';

test('is 1 from the rank of the first relevant document on', () => {
  expect(scoreDocuments(hitRate, { k: 1 })).toBe(0);
  expect(scoreDocuments(hitRate, { k: 2 })).toBe(1);
  expect(scoreDocuments(hitRate)).toBe(1);
});

test('counts only documents with the least relevance', () => {
  expect(scoreDocuments(hitRate, { k: 3, minRelevance: 2 })).toBe(0);
});
