import { expect, test } from 'vitest';
import { chiSquareSurvival, homogeneityTest, regularizedGammaQ } from './chi-square.ts';

function expectClose(value: number | null, reference: number): void {
  expect(Math.abs((value ?? Number.NaN) / reference - 1)).toBeLessThan(1e-11);
}

// scipy.stats.chi2.sf(value, degrees_of_freedom), SciPy 1.17.
test.each([
  [0.001, 1, 0.9747728793699604],
  [3.841458820694124, 1, 0.04999999999999989],
  [10, 1, 0.001565402258002549],
  [50, 1, 1.537459794428033e-12],
  [0.5, 2, 0.7788007830714049],
  [11.3, 4, 0.02339148655316566],
  [16.26623619623813, 3, 0.0010000000000000007],
  [30, 20, 0.06985366069940986],
  [12, 20, 0.9160759830051242],
  [124.342, 100, 0.05000071576997178],
  [1200, 1000, 1.2255942330622893e-5],
  [900, 1000, 0.9892827619087102],
  [300, 5, 1.0015302305957817e-62],
])('a chi-square variable exceeds %d with %d degrees of freedom with probability %d', (value, degrees, p) => {
  expectClose(chiSquareSurvival({ value, degreesOfFreedom: degrees }), p);
});

// scipy.special.gammaincc(a, x).
test.each([
  [0.5, 1e-6, 0.9988716212090307],
  [0.5, 40, 3.744097384202887e-19],
  [3.7, 2.1, 0.7922900203223588],
  [120, 100, 0.9717696060351343],
  [1, 700, 9.85967654375939e-305],
])('the regularized gamma function Q(%d, %d) is %d', (a, x, q) => {
  expectClose(regularizedGammaQ({ a, x }), q);
});

test('the ends are exact, and other arguments are refused', () => {
  expect(regularizedGammaQ({ a: 2, x: 0 })).toBe(1);
  expect(regularizedGammaQ({ a: 2, x: Infinity })).toBe(0);
  expect(() => regularizedGammaQ({ a: 0, x: 1 })).toThrow(RangeError);
  expect(() => chiSquareSurvival({ value: -1, degreesOfFreedom: 1 })).toThrow(RangeError);
});

// scipy.stats.chi2_contingency([a, b], correction=False).
test.each([
  [[60, 40], [30, 70], 18.18181818181818, 1, 2.0078656124264854e-5],
  [[500, 300, 200], [45, 30, 25], 1.569826707441387, 2, 0.4561592245729438],
  [[10, 20, 0], [15, 10, 5], 9.333333333333334, 2, 0.009403562551495204],
  [[10, 20, 0, 0], [15, 10, 0, 5], 9.333333333333334, 2, 0.009403562551495204],
])('the shares of %j and %j are tested', (a, b, chiSquare, degreesOfFreedom, pValue) => {
  const found = homogeneityTest({ a, b });
  expect(found.degreesOfFreedom).toBe(degreesOfFreedom);
  expectClose(found.chiSquare, chiSquare);
  expectClose(found.pValue, pValue);
});

test('the largest shift of a share is named, and an empty sample has none', () => {
  expect(homogeneityTest({ a: [60, 40, 0], b: [10, 60, 30] }).largestShift).toEqual({
    position: 0,
    difference: expect.closeTo(0.5, 12),
  });
  expect(homogeneityTest({ a: [0, 0], b: [1, 2] })).toMatchObject({ pValue: null, largestShift: null });
  expect(homogeneityTest({ a: [3], b: [5] })).toMatchObject({ pValue: null, degreesOfFreedom: 0 });
});
