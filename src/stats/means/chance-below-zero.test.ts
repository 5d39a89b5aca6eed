import fc from 'fast-check';
import { expect, test } from 'vitest';
import { regularizedBeta } from '../beta.ts';
import { createRandom } from '../random.ts';
import { chanceBelowZero } from './chance-below-zero.ts';

test('of two weights it is the beta distribution', () => {
  const shares = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  const counts = fc.integer({ min: 1, max: 500 });
  fc.assert(
    fc.property(shares, counts, counts, (x, a, b) => {
      const chance = chanceBelowZero([
        { weight: 1 - x, count: a },
        { weight: -x, count: b },
      ]);
      expect(chance).toBeCloseTo(regularizedBeta({ x, a, b }), 11);
    }),
  );
});

test('of several weights it is what draws of exponential variables show', () => {
  const weights = [0.3, 0.25, -0.4, 0.1, -0.2, 0.6];
  const random = createRandom('exponential');
  const draws = 100_000;
  let below = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const sum = weights.reduce((total, weight) => total - weight * Math.log(1 - random.next()), 0);
    if (sum <= 0) below += 1;
  }
  const chance = chanceBelowZero(weights.map((weight) => ({ weight, count: 1 })));
  expect(Math.abs(below / draws - chance)).toBeLessThan(4 * Math.sqrt(0.16 / draws));
});

test('weights of one sign leave nothing to chance', () => {
  const ofOne = (weight: number) => chanceBelowZero([{ weight, count: 3 }]);
  expect([ofOne(1), ofOne(-1), ofOne(0), chanceBelowZero([])]).toEqual([0, 1, 1, 1]);
});
