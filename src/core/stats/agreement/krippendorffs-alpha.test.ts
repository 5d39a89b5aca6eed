import { expect, test } from 'vitest';
import { krippendorffsAlpha } from './krippendorffs-alpha.ts';

const _ = null;
/** Krippendorff (2011), "Computing Krippendorff's alpha-reliability": four raters, twelve items. */
const raters = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
  [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
];
const ratings = Array.from({ length: 12 }, (_, item) => raters.map((rater) => rater[item] ?? null));

test.each([
  ['nominal', 0.743421],
  ['ordinal', 0.815388],
  ['interval', 0.849107],
  ['ratio', 0.797403],
] as const)('the published data have the %s alpha %d', (scale, expected) => {
  const alpha = krippendorffsAlpha({ ratings, scale, resamples: 500 });
  expect(alpha.estimate).toBeCloseTo(expected, 6);
  expect(alpha).toMatchObject({ n: 11, leftOut: 1, status: 'defined' });
  expect(alpha.lower).toBeLessThan(expected);
  expect(alpha.upper).toBeGreaterThan(expected);
});

test('the same seed gives the same interval, and another seed another', () => {
  const limits = (seed: number) => krippendorffsAlpha({ ratings, seed, resamples: 300 }).lower;
  expect(limits(1)).toBe(limits(1));
  expect(limits(1)).not.toBe(limits(2));
});

test('the bootstrap interval of many items is that of the delta method for two raters', () => {
  // Two raters, no missing rating: alpha is Scott's pi with a correction for n, whose standard error is near kappa's.
  const pairs = [
    [138, 1, 1],
    [12, 1, 0],
    [9, 0, 1],
    [41, 0, 0],
  ] as const;
  const many = pairs.flatMap(([count, a, b]) => Array.from({ length: count }, () => [a, b]));
  const alpha = krippendorffsAlpha({ ratings: many, resamples: 4000 });
  expect(alpha.estimate).toBeCloseTo(1 - (399 * 21) / (297 * 103), 10);
  expect((alpha.upper! - alpha.lower!) / 2).toBeCloseTo(1.96 * 0.0561, 1);
});

test('alike ratings and single ratings have no alpha', () => {
  expect(
    krippendorffsAlpha({
      ratings: [
        [1, 1],
        [1, 1],
      ],
    }),
  ).toMatchObject({ estimate: null, reason: 'all ratings are alike' });
  expect(
    krippendorffsAlpha({
      ratings: [
        [1, null],
        [2, null],
      ],
    }),
  ).toMatchObject({ estimate: null, n: 0, leftOut: 2 });
  const rare = [...Array.from({ length: 40 }, () => [1, 1]), [1, 2]];
  expect(krippendorffsAlpha({ ratings: rare, resamples: 200 })).toMatchObject({
    status: 'undefined',
    lower: null,
    reason: 'in more than 5 % of the resamples all ratings are alike',
  });
});

test('numbers are demanded where distances are computed from them', () => {
  expect(() => krippendorffsAlpha({ ratings: [['a', 'b']], scale: 'interval' })).toThrow(RangeError);
  expect(() => krippendorffsAlpha({ ratings: [[-1, 1]], scale: 'ratio' })).toThrow(RangeError);
});
