import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { retrievalF1 } from './retrieval-f1.ts';

test('is the harmonic mean of precision and recall', () => {
  expect(scoreDocuments(retrievalF1)).toBeCloseTo((2 * (2 / 5) * (2 / 3)) / (2 / 5 + 2 / 3), 12);
  expect(scoreDocuments(retrievalF1, { k: 2 })).toBeCloseTo((2 * (1 / 2) * (1 / 3)) / (1 / 2 + 1 / 3), 12);
});

test('is 0 when nothing relevant is among the first k', () => {
  expect(scoreDocuments(retrievalF1, { k: 1 })).toBe(0);
});
