import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { retrievalPrecision } from './retrieval-precision.ts';

test('two of five retrieved documents are relevant', () => {
  expect(scoreDocuments(retrievalPrecision)).toBeCloseTo(2 / 5, 12);
  expect(scoreDocuments(retrievalPrecision, { k: 2 })).toBeCloseTo(1 / 2, 12);
});

test('precision at k is divided by k, however few were retrieved', () => {
  expect(scoreDocuments(retrievalPrecision, { k: 10 })).toBeCloseTo(2 / 10, 12);
});
