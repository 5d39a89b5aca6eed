import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logGamma, stirlingError } from './gamma.ts';

// Independent values, computed with 60 digits (mpmath, loggamma).
const LOG_GAMMAS: [x: number, value: number][] = [
  [1e-300, 690.7755278982137],
  [1e-8, 18.42068073818021],
  [0.1, 2.252712651734206],
  [0.4999, 0.5725613186041184],
  [0.5, 0.5723649429247001],
  [0.9, 0.06637623973474295],
  [0.999999999999, 5.772028958989666e-13],
  [1.000000000001, -5.772669797094564e-13],
  [1.4616, -0.12148629003589732],
  [1.5, -0.12078223763524522],
  [1.999999999, -4.227843697573328e-10],
  [2.00001, 0.00000422787559764836],
  [2.5, 0.2846828704729192],
  [2.51, 0.29173891549286796],
  [5.5, 3.9578139676187165],
  [9.99, 12.779315214350193],
  [10, 12.80182748008147],
  [50.25, 145.54187159633213],
  [171.5, 709.1431630309282],
  [500000, 6061176.046459176],
  [10000000000, 220258509288.81058],
  [1e100, 2.2925850929940456e102],
];

test.each(LOG_GAMMAS)('logGamma(%d) is %d', (x, value) => {
  expect(Math.abs(logGamma(x) / value - 1)).toBeLessThan(1e-14);
});

test('factorials of whole numbers are exact to rounding', () => {
  expect(logGamma(1)).toBeCloseTo(0, 16);
  expect(logGamma(2)).toBe(0);
  expect(Math.exp(logGamma(6))).toBeCloseTo(120, 11);
});

test('the recurrence Γ(x + 1) = x Γ(x) holds across all ranges', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 40, noNaN: true }), (x) => {
      expect(logGamma(x + 1)).toBeCloseTo(logGamma(x) + Math.log(x), 12);
    }),
  );
});

test("Stirling's error is about 1 / 12x and has no step where the method changes", () => {
  expect(stirlingError(1e6)).toBeCloseTo(1 / 12e6, 18);
  expect(stirlingError(10 - 1e-9)).toBeCloseTo(stirlingError(10), 11);
});

test('arguments outside the domain are refused', () => {
  expect(() => logGamma(0)).toThrow('x is 0; it must be positive and finite.');
  expect(() => logGamma(Infinity)).toThrow(RangeError);
});
