import { expect, test } from 'vitest';
import { createBettingMixture } from './betting-sequence.ts';

function evidenceOf(values: readonly number[], mean: number, population?: number): number {
  const mixture = createBettingMixture({ mean, population });
  for (const value of values) mixture.add(value);
  return mixture.evidence();
}

test('the evidence is the weighted mean capital of constant bets that start with 1', () => {
  const shares = [1, 0.75, 0.5, 0.35, 0.25, 0.175, 0.125, 0.0875, 0.06, 0.03, 0.01];
  const of = (factor: (share: number) => number) =>
    shares.reduce((sum, share, place) => sum + (place === 0 ? 0.2 : 0.08) * factor(share), 0);
  expect(evidenceOf([], 0.8)).toBeCloseTo(1, 12);
  expect(evidenceOf([1, 1], 0.8)).toBeCloseTo(
    of((share) => (1 + share * 0.25) ** 2),
    12,
  );
  expect(evidenceOf([1, 0, 0.5], 0.8)).toBeCloseTo(
    of((share) => (1 + share * 0.25) * (1 - share) * (1 - share * 0.375)),
    12,
  );
});

test('for a finite population, a bet is against the mean that the rest would need', () => {
  // Of 4 with a mean of 0.5, two are 1: after one of them, a third of the rest.
  const shares = [1, 0.75, 0.5, 0.35, 0.25, 0.175, 0.125, 0.0875, 0.06, 0.03, 0.01];
  const expected = shares.reduce(
    (sum, share, place) => sum + (place === 0 ? 0.2 : 0.08) * (1 + share) * (1 + share * 2),
    0,
  );
  expect(evidenceOf([1, 1], 0.5, 4)).toBeCloseTo(expected, 12);
});

test('bets are fair: their mean over all orders of a population is 1', () => {
  const orders = [
    [1, 1, 0, 0],
    [1, 0, 1, 0],
    [1, 0, 0, 1],
    [0, 1, 1, 0],
    [0, 1, 0, 1],
    [0, 0, 1, 1],
  ];
  for (const seen of [1, 2, 3]) {
    const sum = orders.reduce((total, order) => total + evidenceOf(order.slice(0, seen), 0.5, 4), 0);
    expect(sum / orders.length).toBeCloseTo(1, 12);
  }
});

test('a result that the remaining values cannot change is certain', () => {
  expect(evidenceOf([1, 1], 0.4, 4)).toBe(Infinity);
  expect(evidenceOf([1, 1], 0.5, 4)).toBeLessThan(Infinity);
  expect(evidenceOf([], -0.1)).toBe(Infinity);
});

test('values outside [0, 1], or more than the population, are refused', () => {
  expect(() => evidenceOf([1.1], 0.5)).toThrow(RangeError);
  expect(() => evidenceOf([1, 0, 1], 0.5, 2)).toThrow(RangeError);
});
