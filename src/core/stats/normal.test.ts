import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalCdf, normalQuantile } from './normal.ts';

// Independent values, computed with 60 digits (mpmath 1.x, ncdf and Newton's method on it).
const PROBABILITIES: [z: number, p: number][] = [
  [-38, 2.88542835e-316],
  [-37, 5.725571222524577e-300],
  [-20, 2.7536241186062337e-89],
  [-10, 7.619853024160525e-24],
  [-6, 9.86587645037698e-10],
  [-5.66, 7.568649751997714e-9],
  [-5.65, 8.022391850663497e-9],
  [-3, 0.0013498980316300946],
  [-1.96, 0.024997895148220435],
  [-1, 0.15865525393145705],
  [-0.67, 0.2514288950953101],
  [-0.66, 0.25462691467133614],
  [-0.1, 0.460172162722971],
  [0, 0.5],
  [1e-9, 0.5000000003989423],
  [0.5, 0.6914624612740131],
  [0.6629, 0.7463026991317633],
  [1, 0.8413447460685429],
  [1.6448536269514722, 0.95],
  [2.5, 0.9937903346742238],
  [5, 0.9999997133484281],
  [8, 0.9999999999999993],
];
const QUANTILES: [p: number, z: number][] = [
  [1e-300, -37.0470962993612],
  [1e-100, -21.273453560965326],
  [1e-12, -7.034483825301132],
  [1e-6, -4.753424308822899],
  [0.001, -3.0902323061678136],
  [0.01, -2.326347874040841],
  [0.025, -1.9599639845400543],
  [0.074, -1.4466320671589785],
  [0.075, -1.439531470938456],
  [0.076, -1.4325027208258116],
  [0.1, -1.2815515655446004],
  [0.3, -0.5244005127080408],
  [0.499999999, -2.5066283428845328e-9],
  [0.6, 0.2533471031357997],
  [0.9, 1.2815515655446006],
  [0.924, 1.4325027208258119],
  [0.926, 1.4466320671589787],
  [0.975, 1.9599639845400538],
  [0.995, 2.5758293035489004],
  [0.999999999, 5.9978070196016375],
];

function relativeError(actual: number, expected: number): number {
  return expected === 0 ? Math.abs(actual) : Math.abs(actual / expected - 1);
}

test.each(PROBABILITIES)('normalCdf(%d) is %d', (z, p) => {
  // Below 2.2e-308 a double itself has fewer digits.
  expect(relativeError(normalCdf(z), p)).toBeLessThan(z < -37.5 ? 1e-7 : 1e-14);
});

test.each(QUANTILES)('normalQuantile(%d) is %d', (p, z) => {
  expect(relativeError(normalQuantile(p), z)).toBeLessThan(1e-14);
});

test('the ends of the scale are infinitely far and the middle is 0', () => {
  expect(normalQuantile(0)).toBe(-Infinity);
  expect(normalQuantile(1)).toBe(Infinity);
  expect(normalQuantile(0.5)).toBe(0);
  expect(normalCdf(-Infinity)).toBe(0);
  expect(normalCdf(Infinity)).toBe(1);
  expect(normalCdf(0)).toBe(0.5);
});

test('the quantile inverts the distribution function over the whole lower tail', () => {
  fc.assert(
    fc.property(fc.double({ min: -37, max: 0, noNaN: true }), (z) => {
      expect(normalQuantile(normalCdf(z))).toBeCloseTo(z, 12);
    }),
  );
});

test('the distribution is symmetric and increasing', () => {
  const zs = fc.double({ min: -40, max: 40, noNaN: true });
  fc.assert(
    fc.property(zs, zs, (z, other) => {
      expect(normalCdf(z) + normalCdf(-z)).toBeCloseTo(1, 14);
      expect(normalCdf(Math.max(z, other))).toBeGreaterThanOrEqual(normalCdf(Math.min(z, other)));
    }),
  );
});

test('arguments outside the domain are refused with their value', () => {
  expect(() => normalQuantile(1.5)).toThrow('p is 1.5; it must be from 0 to 1.');
  expect(() => normalQuantile(Number.NaN)).toThrow(RangeError);
  expect(() => normalCdf(Number.NaN)).toThrow(RangeError);
});
