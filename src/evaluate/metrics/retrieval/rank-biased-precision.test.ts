import { expect, test } from 'vitest';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { rankBiasedPrecision } from './rank-biased-precision.ts';

test('each relevant document counts by the probability that the reader comes to it', () => {
  expect(scoreDocuments(rankBiasedPrecision)).toBeCloseTo(0.2 * (0.8 + 0.8 ** 3), 12);
  expect(scoreDocuments(rankBiasedPrecision, { p: 0.5 })).toBeCloseTo(0.5 * (0.5 + 0.5 ** 3), 12);
  expect(scoreDocuments(rankBiasedPrecision, { k: 2 })).toBeCloseTo(0.2 * 0.8, 12);
});

test('a probability of 0 or 1 is refused', () => {
  const { options } = rankBiasedPrecision.definition;
  expect([0, 1].map((p) => options.safeParse({ p }).success)).toEqual([false, false]);
});
