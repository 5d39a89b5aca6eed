import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanInterval } from '../mean-interval.ts';
import { normalQuantile } from '../normal.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { createRandom } from '../random.ts';
import { boundedMeanInterval } from './bounded-mean.ts';
import { stratifiedMean, weightedShares } from './stratified-mean.ts';

const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 });

test('a single category has the plain t interval, whatever its weight', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0.01, max: 100, noNaN: true }), (all, weight) => {
      const { lower, upper, degreesOfFreedom } = stratifiedMean({ strata: [{ values: all, weight }] });
      const plain = meanInterval({ values: all });
      expect(degreesOfFreedom).toBeCloseTo(all.length - 1, 8);
      expect(lower).toBeCloseTo(plain.lower as number, 10);
      expect(upper).toBeCloseTo(plain.upper as number, 10);
    }),
  );
});

test('weights count by their proportions, and a category of weight 0 not at all', () => {
  const [a, b, c] = [[0, 1, 1], [0.5, 0.25], [0]];
  const shares = stratifiedMean({
    strata: [
      { values: a, weight: 0.25 },
      { values: b, weight: 0.75 },
    ],
  });
  const counts = stratifiedMean({
    strata: [
      { values: a, weight: 10 },
      { values: b, weight: 30 },
      { values: c, weight: 0 },
    ],
  });
  expect(counts).toEqual(shares);
  expect(shares).toMatchObject({ status: 'defined', n: 5, method: 'stratified-t', confidence: 0.95 });
  expect(shares.estimate).toBeCloseTo(0.25 * (2 / 3) + 0.75 * 0.375, 15);
});

test('with categories of unequal size and spread the interval covers 93 to 97 %', () => {
  const random = createRandom('strata');
  const normal = () => normalQuantile(random.next() || 0.5);
  const sizes = [6, 20, 40];
  const runs = 4000;
  let covered = 0;
  for (let run = 0; run < runs; run += 1) {
    const strata = sizes.map((n, stratum) => ({
      values: Array.from({ length: n }, () => stratum + (3 - stratum) * normal()),
      weight: 3 - stratum,
    }));
    const { lower, upper } = stratifiedMean({ strata });
    if ((lower as number) <= 4 / 6 && (upper as number) >= 4 / 6) covered += 1;
  }
  expect(Math.abs(covered / runs - 0.95)).toBeLessThan(0.015);
});

test('with an empty category there is no mean, with a category of one value no interval', () => {
  const full = { values: [0, 1], weight: 1 };
  expect(stratifiedMean({ strata: [full, { values: [], weight: 1 }] })).toMatchObject({
    status: 'undefined',
    estimate: null,
    standardError: null,
    reason: 'a category has no values',
  });
  expect(stratifiedMean({ strata: [full, { values: [1], weight: 1 }] })).toMatchObject({
    status: 'undefined',
    estimate: 0.75,
    lower: null,
    reason: 'a category with a single value shows no spread',
  });
});

test('invalid weights are refused', () => {
  expect(() => stratifiedMean({ strata: [{ values: [1], weight: -1 }] })).toThrow('weight 1 is -1');
  expect(() => stratifiedMean({ strata: [] })).toThrow('the sum of the weights is 0');
});

const scoresOf = (values: readonly number[]) => boundedMeanInterval({ values });

test('a single category of scores has its own interval, whatever its weight', () => {
  const share = scoresOf([0.9, 0.95, 1]);
  const weighted = weightedShares([{ share, weight: 7 }]);
  expect(weighted).toMatchObject({ n: 3, confidence: 0.95, method: 'stratified-gaffke' });
  expect(weighted.lower).toBeCloseTo(share.lower as number, 12);
  expect(weighted.upper).toBeCloseTo(share.upper as number, 12);
});

test('weights of shares count by their proportions, too', () => {
  const [a, b, c] = [scoresOf([0, 1, 1]), scoresOf([0.5, 0.25]), scoresOf([0])];
  const shares = weightedShares([
    { share: a, weight: 0.25 },
    { share: b, weight: 0.75 },
  ]);
  const counts = weightedShares([
    { share: a, weight: 10 },
    { share: b, weight: 30 },
    { share: c, weight: 0 },
  ]);
  expect(counts).toEqual(shares);
  expect(shares.n).toBe(5);
  expect(shares.estimate).toBeCloseTo(0.25 * (2 / 3) + 0.75 * 0.375, 15);
});

test('shares of passes are named by their own method', () => {
  const share = wilsonInterval({ successes: 3, trials: 4 });
  expect(weightedShares([{ share, weight: 1 }]).method).toBe('stratified-wilson');
});

test('weighted intervals of scores near 1 cover the mean in at least 95 of 100 runs', () => {
  const random = createRandom('weighted categories');
  const strata = [
    { n: 6, bad: 0.1, weight: 6 },
    { n: 20, bad: 0.05, weight: 3 },
    { n: 40, bad: 0.02, weight: 1 },
  ];
  const mean = strata.reduce((sum, { bad, weight }) => sum + (weight / 10) * (1 - bad) * 0.95, 0);
  const runs = 200;
  let covered = 0;
  for (let run = 0; run < runs; run += 1) {
    const shares = strata.map(({ n, bad, weight }) => {
      const values = Array.from({ length: n }, () => (random.next() < bad ? 0 : 0.9 + 0.1 * random.next()));
      return { weight, share: scoresOf(values) };
    });
    const { lower, upper } = weightedShares(shares);
    covered += Number((lower as number) <= mean && mean <= (upper as number));
  }
  expect(covered / runs).toBeGreaterThanOrEqual(0.95);
});

test('shares without a category’s values have no mean, and invalid weights of them are refused', () => {
  const weighted = weightedShares([
    { share: scoresOf([1]), weight: 1 },
    { share: scoresOf([]), weight: 1 },
  ]);
  expect(weighted).toMatchObject({ status: 'undefined', estimate: null });
  expect(() => weightedShares([{ share: scoresOf([1]), weight: -1 }])).toThrow('weight 1 is -1');
  expect(() => weightedShares([])).toThrow('the sum of the weights is 0');
});
