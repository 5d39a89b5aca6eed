import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanInterval } from '../mean-interval.ts';
import { normalQuantile } from '../normal.ts';
import { createRandom } from '../random.ts';
import { stratifiedMean } from './stratified-mean.ts';

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
