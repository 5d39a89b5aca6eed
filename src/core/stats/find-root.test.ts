import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRoot } from './find-root.ts';

test('the root of a rising or falling function is found to the last digits, in few steps', () => {
  let steps = 0;
  const of = (x: number) => {
    steps += 1;
    return x * x - 2;
  };
  expect(Math.abs(findRoot({ low: 1, high: 2, of }) / Math.SQRT2 - 1)).toBeLessThan(1e-15);
  expect(steps).toBeLessThan(15);
  expect(findRoot({ low: 0, high: 3, of: (x) => 1 / 3 - x })).toBeCloseTo(1 / 3, 15);
});

test('roots of any size keep their digits, also where the function is infinite at an end or has a jump', () => {
  fc.assert(
    fc.property(fc.double({ min: -12, max: -0.01, noNaN: true }), (power) => {
      const root = 10 ** power;
      for (const of of [(x: number) => -Math.log(x / root), (x: number) => (x < root ? 1 : -1)]) {
        expect(Math.abs(findRoot({ low: 0, high: 1, of }) / root - 1)).toBeLessThan(1e-14);
      }
    }),
  );
});

test('an end of the bracket that is the root is returned, also of a bracket without width', () => {
  expect(findRoot({ low: 0, high: 1, of: (x) => x })).toBe(0);
  expect(findRoot({ low: 0, high: 1, of: (x) => 1 - x })).toBe(1);
  expect(findRoot({ low: -1, high: -1, of: () => 3 })).toBe(-1);
});
