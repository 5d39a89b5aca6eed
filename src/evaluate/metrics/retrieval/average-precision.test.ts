import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { averagePrecision } from './average-precision.ts';

test('adds up the precisions at ranks 2 and 4, and 0 for the relevant document that was missed', () => {
  expect(scoreDocuments(averagePrecision)).toBeCloseTo((1 / 2 + 2 / 4) / 3, 12);
  expect(scoreDocuments(averagePrecision, { k: 3 })).toBeCloseTo(1 / 2 / 3, 12);
});
