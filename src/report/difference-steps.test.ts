import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thinDifferences } from './difference-steps.ts';

test('equal differences are one step', () => {
  expect(thinDifferences([-1, -1, 0, 0, 0, 0.5])).toEqual([
    { difference: -1, pairs: 2 },
    { difference: 0, pairs: 3 },
    { difference: 0.5, pairs: 1 },
  ]);
  expect(thinDifferences([])).toEqual([]);
});

test('many differences become few steps in order, with the same signs and the same sum', () => {
  const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 20 }), (values, most) => {
      const sorted = values.map((value) => value + 0).sort((one, other) => one - other);
      const steps = thinDifferences(sorted, most);
      expect(steps.length).toBeLessThanOrEqual(most + 3);
      for (const sign of [-1, 0, 1]) {
        const pairs = steps.filter(({ difference }) => Math.sign(difference) === sign);
        expect(pairs.reduce((sum, step) => sum + step.pairs, 0)).toBe(
          sorted.filter((value) => Math.sign(value) === sign).length,
        );
      }
      const sum = steps.reduce((total, { difference, pairs }) => total + difference * pairs, 0);
      expect(sum).toBeCloseTo(
        sorted.reduce((total, value) => total + value, 0),
        9,
      );
      expect(steps.map(({ difference }) => difference)).toEqual(
        steps.map(({ difference }) => difference).sort((one, other) => one - other),
      );
    }),
  );
});
