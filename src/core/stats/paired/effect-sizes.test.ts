import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cliffsDelta, cohensH, pairedEffectSize } from './effect-size.ts';

test("Cohen's h of 0.9 against 0.8 is 0.283794, and π from none to all", () => {
  expect(cohensH({ a: 0.9, b: 0.8 })).toEqual({ status: 'defined', value: expect.closeTo(0.283794, 6) });
  expect(cohensH({ a: 1, b: 0 }).value).toBeCloseTo(Math.PI, 14);
  expect(cohensH({ a: 0.3, b: 0.3 }).value).toBe(0);
  expect(() => cohensH({ a: 90, b: 0.5 })).toThrow('a is 90; it must be from 0 to 1.');
});

test("Cliff's delta is wins minus losses over all pairs of values", () => {
  expect(cliffsDelta({ a: [3, 5], b: [3, 1, 4] })).toEqual({
    status: 'defined',
    value: (4 - 1) / 6,
    superiority: 0.75,
    n: { a: 2, b: 3 },
  });
  const ratings = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(ratings, ratings, (a, b) => {
      const value = cliffsDelta({ a, b }).value as number;
      expect(cliffsDelta({ a: b, b: a }).value).toBeCloseTo(-value, 14);
      expect(Math.abs(value)).toBeLessThanOrEqual(1);
    }),
  );
});

test('without values there is no delta', () => {
  expect(cliffsDelta({ a: [], b: [1] })).toMatchObject({
    status: 'undefined',
    value: null,
    reason: 'no values',
  });
  expect(() => cliffsDelta({ a: [Number.NaN], b: [1] })).toThrow('a value is NaN');
});

test("Hedges' correction for two degrees of freedom is √(1/π), and goes to 1", () => {
  const small = pairedEffectSize({ differences: [1, 2, 4] });
  expect(small.correction).toBeCloseTo(1 / Math.sqrt(Math.PI), 13);
  expect(small.unbiased).toBeCloseTo((small.value as number) / Math.sqrt(Math.PI), 13);
  const large = pairedEffectSize({ differences: Array.from({ length: 1000 }, (_, i) => i % 3) });
  expect(large.correction).toBeCloseTo(1 - 3 / (4 * 999 - 1), 6);
});

test('too few pairs, or differences that do not vary, have no effect size', () => {
  expect(pairedEffectSize({ differences: [1, 2] })).toMatchObject({
    value: null,
    reason: 'fewer than three pairs',
  });
  expect(pairedEffectSize({ differences: [1, 1, 1] })).toMatchObject({
    reason: 'the differences do not vary',
  });
});

test('differences too large to square have no effect size', () => {
  expect(pairedEffectSize({ differences: [1e200, -1e200, 3e200] })).toMatchObject({
    status: 'undefined',
    value: null,
    reason: 'differences are too large to square',
  });
});
