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

test('ties take the normal approximation, with the p-value of R', () => {
  // R: wilcox.test(d, exact = FALSE)$p.value.
  const differences = [1, 1, 2, -1, 3, 2, 2, -3, 4, 1, 0, 0];
  const result = wilcoxonSignedRank({ differences });
  expect(result).toMatchObject({ n: 10, zeros: 2, statistic: 44, method: 'wilcoxon-normal' });
  expect(result.pValue).toBeCloseTo(0.09955968187, 6);
});

test('differences of decimals rank as their decimals do', () => {
  const { statistic, method } = wilcoxonSignedRank({ a: [0.3, 0.8, 0.1], b: [0.1, 0.6, 0.2] });
  expect({ statistic, method }).toEqual({ statistic: 5, method: 'wilcoxon-normal' });
});

test('a difference in one direction only has the smallest p-value there is', () => {
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
