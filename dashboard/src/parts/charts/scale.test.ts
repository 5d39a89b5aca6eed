import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScale, domainOf, ticksBetween } from './scale.ts';

test('a scale maps the ends of its values to the ends of its pixels', () => {
  const scale = createScale([0, 1], [40, 240]);
  expect([scale(0), scale(0.5), scale(1)]).toEqual([40, 140, 240]);
});

test.each([
  [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
  [-7, 12, 4, [-5, 0, 5, 10]],
  [0, 0, 4, [0]],
])('ticks between %d and %d are round', (from, to, count, ticks) => {
  expect(ticksBetween(from, to, count)).toEqual(ticks);
});

test('a domain without values, or with one value, still has a length', () => {
  expect(domainOf([])).toEqual([0, 1]);
  expect(domainOf([null, 0])).toEqual([0, 1]);
  expect(domainOf([3])).toEqual([0, 6]);
  expect(domainOf([-3])).toEqual([-6, 0]);
  expect(domainOf([-5e-324, 0])).toEqual([-1e-323, 0]);
  expect(domainOf([1e6, 1e6 + 1e-5])).toEqual([0, 2e6 + 2e-5]);
});

test('a domain holds all values, and ends at round numbers', () => {
  expect(domainOf([0.13, null, 0.87])).toEqual([0, 1]);
  const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2 });
  fc.assert(
    fc.property(values, (some) => {
      const [from, to] = domainOf(some);
      const slack = 1e-9 * (to - from);
      expect(Math.min(...some)).toBeGreaterThanOrEqual(from - slack);
      expect(Math.max(...some)).toBeLessThanOrEqual(to + slack);
      expect(to).toBeGreaterThan(from);
    }),
    { examples: [[[-5e-324, 0]], [[1e6, 1e6 + 1e-9]]] },
  );
});
