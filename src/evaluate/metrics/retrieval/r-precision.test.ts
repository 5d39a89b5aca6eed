import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { rPrecision } from './r-precision.ts';

test('one of the first three documents is relevant, three being relevant in all', () => {
  expect(scoreDocuments(rPrecision)).toBeCloseTo(1 / 3, 12);
  expect(scoreDocuments(rPrecision, { minRelevance: 2 })).toBe(0);
});
