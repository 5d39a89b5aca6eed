import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { correlationBootstrap } from './correlation-bootstrap.ts';
import { kendall } from './kendall.ts';
import { pearson, pointBiserial } from './pearson.ts';
import { spearman } from './spearman.ts';

const milesPerGallon = [
  21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4,
  30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
];
const weight = [
  2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424, 5.345,
  2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78,
];
const isManual = Array.from('11100000000000000111000001111111', (digit) => digit === '1');
const stars = [5, 4, 4, 1, 2, 5, 3, 3, 4, 1];
const scores = [0.9, 0.8, 0.7, 0.2, 0.4, 0.9, 0.4, 0.6, 0.7, 0.1];

test('the cars of 1974 have the coefficient and the limits that R prints', () => {
  // R: cor.test(mtcars$mpg, mtcars$wt) prints -0.8676594 and -0.9338264 -0.7440872; scipy 1.17 has the other digits.
  const found = pearson({ a: milesPerGallon, b: weight });
  expect(found).toMatchObject({ status: 'defined', n: 32, method: 'fisher-z', confidence: 0.95 });
  expect(found.estimate).toBeCloseTo(-0.8676593765172278, 13);
  expect(found.lower).toBeCloseTo(-0.9338264132849942, 12);
  expect(found.upper).toBeCloseTo(-0.7440871964601126, 12);
  const narrower = pearson({ a: milesPerGallon, b: weight, confidence: 0.9 });
  expect(narrower.lower).toBeCloseTo(-0.9259151498840195, 12);
  expect(narrower.upper).toBeCloseTo(-0.7690872078597493, 12);
});

test('miles per gallon and a manual gear have the point-biserial correlation of scipy', () => {
  // scipy.stats.pointbiserialr(am, mpg); the limits come from scipy.stats.pearsonr.
  const found = pointBiserial({ flags: isManual, values: milesPerGallon });
  expect(found.estimate).toBeCloseTo(0.5998324294546479, 13);
  expect(found.lower).toBeCloseTo(0.3175583035122311, 12);
  expect(found.upper).toBeCloseTo(0.78445202183514, 12);
});

test("Kendall's coefficient takes ties in both lists into account, as scipy does", () => {
  // scipy.stats.kendalltau(mpg, wt) and kendalltau(stars, scores), variant b.
  expect(kendall({ a: milesPerGallon, b: weight }).value).toBeCloseTo(-0.7278321495284309, 13);
  expect(kendall({ a: stars, b: scores })).toEqual({
    status: 'defined',
    value: expect.closeTo(0.9389158011040615, 13),
    n: 10,
    concordant: 38,
    discordant: 0,
  });
});

const manyPairs = fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 })), {
  maxLength: 40,
});

test("Kendall's counts are those of all pairs, one by one", () => {
  fc.assert(
    fc.property(manyPairs, (both) => {
      const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
      let [concordant, discordant] = [0, 0];
      for (const [place, [x, y]] of both.entries()) {
        for (const [otherX, otherY] of both.slice(0, place)) {
          const sign = Math.sign(x - otherX) * Math.sign(y - otherY);
          if (sign > 0) concordant += 1;
          if (sign < 0) discordant += 1;
        }
      }
      const found = kendall({ a, b });
      expect(found).toMatchObject({ concordant, discordant, n: both.length });
      expect(kendall({ a: b, b: a }).value).toBe(found.value);
    }),
  );
});

test("Spearman's coefficient is Pearson's of ranks, and no coefficient leaves −1 to 1", () => {
  fc.assert(
    fc.property(manyPairs, (both) => {
      const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
      for (const value of [pearson({ a, b }).estimate, kendall({ a, b }).value, spearman({ a, b }).value]) {
        if (value !== null) expect(Math.abs(value)).toBeLessThanOrEqual(1);
      }
      const shifted = pearson({ a: a.map((x) => 1e6 + 3 * x), b });
      const plain = pearson({ a, b }).estimate;
      if (plain !== null) expect(shifted.estimate).toBeCloseTo(plain, 9);
      else expect(shifted.estimate).toBeNull();
    }),
  );
});

test('what has no coefficient or no interval says why', () => {
  expect(pearson({ a: [1, 1, 1, 1], b: [1, 2, 3, 4] })).toMatchObject({
    status: 'undefined',
    estimate: null,
    reason: 'one of the lists does not vary',
  });
  expect(pearson({ a: [], b: [] })).toMatchObject({ estimate: null, reason: 'fewer than two pairs' });
  expect(pearson({ a: [1, 2, 4], b: [1, 3, 4] })).toMatchObject({
    estimate: expect.closeTo(0.928571, 6),
    lower: null,
    reason: 'fewer than four pairs',
  });
  expect(pearson({ a: [0, 1, 2, 3], b: [0, 2, 4, 6] })).toMatchObject({ estimate: 1, upper: null });
  expect(kendall({ a: [2, 2], b: [1, 3] })).toMatchObject({ value: null, concordant: 0 });
  expect(kendall({ a: [], b: [] })).toMatchObject({ value: null, reason: 'fewer than two pairs' });
  expect(correlationBootstrap({ a: [1, 2, 3], b: [1, 2, 3], coefficient: 'kendall' })).toMatchObject({
    estimate: 1,
    lower: null,
    reason: 'too many resamples do not vary',
  });
  expect(() => kendall({ a: [1], b: [] })).toThrow('length');
  expect(() => pearson({ a: [1, Number.NaN], b: [1, 2] })).toThrow('finite');
});

test('a bootstrap of independent normal pairs is close to the interval of Fisher', () => {
  const random = createRandom('pairs');
  const shared = Array.from({ length: 400 }, () => random.next() + random.next() + random.next());
  const noisy = () => shared.map((value) => value + random.next() + random.next());
  const [a, b] = [noisy(), noisy()];
  const exact = pearson({ a, b });
  const found = correlationBootstrap({ a, b, coefficient: 'pearson' });
  expect(found).toMatchObject({
    status: 'defined',
    resamples: 2000,
    seed: 0,
    undefinedResamples: 0,
    caution: null,
  });
  expect(Math.abs((found.lower as number) - (exact.lower as number))).toBeLessThan(0.02);
  expect(Math.abs((found.upper as number) - (exact.upper as number))).toBeLessThan(0.02);
  expect(correlationBootstrap({ a, b, coefficient: 'pearson' })).toEqual(found);
});

test('pairs copied ten times are as uncertain as before when each set of copies is a cluster', () => {
  const alone = correlationBootstrap({ a: milesPerGallon, b: weight, coefficient: 'kendall' });
  const copies = (list: readonly number[]) => list.flatMap((value) => Array(10).fill(value) as number[]);
  const clusters = copies(milesPerGallon.map((_, place) => place));
  const lists = { a: copies(milesPerGallon), b: copies(weight), coefficient: 'kendall' } as const;
  const clustered = correlationBootstrap({ ...lists, clusters });
  expect(clustered).toMatchObject({ n: 320, clusters: 32 });
  const width = ({ lower, upper }: { lower: number | null; upper: number | null }) =>
    (upper as number) - (lower as number);
  expect(width(clustered)).toBeCloseTo(width(alone), 12);
  expect(width(correlationBootstrap({ ...lists, resamples: 200 }))).toBeLessThan(width(clustered) / 2);
});
