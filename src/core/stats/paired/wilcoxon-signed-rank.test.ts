import { expect, test } from 'vitest';
import { wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';

test('the depression scores of Hollander & Wolfe have V = 40 and p = 0.0390625, as in R', () => {
  const a = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
  const b = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
  expect(wilcoxonSignedRank({ a, b })).toEqual({
    status: 'defined',
    n: 9,
    zeros: 0,
    statistic: 40,
    pValue: 0.0390625,
    method: 'wilcoxon-exact',
  });
});

test.each([
  [[1, 1, 1, 1, 1], 15, 1 / 16],
  [[1, 1, 2, 2, 2], 15, 1 / 16],
  [[1, 1, 2, -1, 3, 2, 2, -3, 4, 1, 0, 0], 44, 15 / 128],
  [[2, 1, -1, 1, 3, 3, -2, 5, 5, 1, 1, -4, 2, 2, 6], 97.5, 503 / 16384],
])('ties are exact: %j', (differences, statistic, pValue) => {
  // Python: every pattern of signs of the mid-ranks, in fractions.
  expect(wilcoxonSignedRank({ differences })).toMatchObject({ statistic, pValue, method: 'wilcoxon-exact' });
});

test('more than 50 differences take the normal approximation, with corrections for ties and continuity', () => {
  // Python, by the formula of Hollander & Wolfe with the sizes of the ties; R uses the same.
  const ten = [1, 1, 2, -1, 3, 2, 2, -3, 4, 1];
  const result = wilcoxonSignedRank({ differences: Array.from({ length: 6 }, () => ten).flat() });
  expect(result).toMatchObject({ n: 60, statistic: 1464, method: 'wilcoxon-normal' });
  expect(result.pValue).toBeCloseTo(4.353860882622129e-5, 10);
});

test('differences of decimals rank as their decimals do', () => {
  const { statistic, pValue } = wilcoxonSignedRank({ a: [0.3, 0.8, 0.1], b: [0.1, 0.6, 0.2] });
  expect({ statistic, pValue }).toEqual({ statistic: 5, pValue: 0.5 });
});

test('differences in one direction only have the smallest possible p-value', () => {
  expect(wilcoxonSignedRank({ differences: [1, 2, 3, 4, 5] }).pValue).toBe(2 / 32);
  expect(wilcoxonSignedRank({ differences: [1, 2, -3] }).pValue).toBe(1);
});

test('without a difference there is nothing to rank', () => {
  expect(wilcoxonSignedRank({ differences: [0, 0] })).toMatchObject({
    status: 'undefined',
    pValue: null,
    zeros: 2,
    reason: 'all differences are 0',
  });
  expect(wilcoxonSignedRank({ differences: [] })).toMatchObject({ reason: 'no values' });
});
