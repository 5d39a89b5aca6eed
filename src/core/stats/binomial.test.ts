import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binomialCdf, binomialProbability, binomialQuantile } from './binomial.ts';

const shapes = fc.record({
  trials: fc.integer({ min: 1, max: 400 }),
  p: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
});

test('the chances of all counts add to 1, and add up to the distribution function', () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      let sum = 0;
      for (let successes = 0; successes <= shape.trials; successes += 1) {
        sum += binomialProbability({ ...shape, successes });
        expect(binomialCdf({ ...shape, successes })).toBeCloseTo(sum, 11);
      }
      expect(sum).toBeCloseTo(1, 11);
    }),
    { numRuns: 30 },
  );
});

test('three heads of five fair coins have the chance 10/32', () => {
  expect(binomialProbability({ successes: 3, trials: 5, p: 0.5 })).toBeCloseTo(10 / 32, 15);
  expect(binomialCdf({ successes: 3, trials: 5, p: 0.5 })).toBeCloseTo(26 / 32, 15);
  expect(binomialCdf({ successes: -1, trials: 5, p: 0.5 })).toBe(0);
  expect(binomialCdf({ successes: 5, trials: 5, p: 0.5 })).toBe(1);
});

test('the quantile is the first count that reaches the chance, also when it is met exactly', () => {
  // P(X ≤ 2) of five fair coins is exactly a half.
  expect(binomialQuantile({ chance: 0.5, trials: 5, p: 0.5 })).toBe(2);
  expect(binomialQuantile({ chance: 1, trials: 5, p: 0.5 })).toBe(5);
  fc.assert(
    fc.property(shapes, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (shape, chance) => {
      const successes = binomialQuantile({ ...shape, chance });
      expect(binomialCdf({ ...shape, successes })).toBeGreaterThan(chance - 1e-12);
      expect(binomialCdf({ ...shape, successes: successes - 1 })).toBeLessThan(chance);
    }),
  );
});
