import fc from 'fast-check';
import { expect, test } from 'vitest';
import { regularizedBeta } from '../beta.ts';
import { clopperPearsonLowerBound } from '../proportion-interval.ts';
import { createRandom } from '../random.ts';
import { boundedMeanBounds } from './bounded-mean.ts';
import { chanceBelowZero } from './chance-below-zero.ts';

const times = (n: number, value: number) => Array.from({ length: n }, () => value);

test('pass and fail have the exact bounds of Clopper and Pearson', () => {
  const counts = fc.integer({ min: 0, max: 200 });
  fc.assert(
    fc.property(counts, counts, (successes, failures) => {
      fc.pre(successes + failures > 0);
      const trials = successes + failures;
      const { lower, upper } = boundedMeanBounds({ values: [...times(successes, 1), ...times(failures, 0)] });
      expect(lower).toBeCloseTo(clopperPearsonLowerBound({ successes, trials }).lower as number, 10);
      const above = clopperPearsonLowerBound({ successes: failures, trials }).lower as number;
      expect(upper).toBeCloseTo(1 - above, 10);
    }),
  );
});

test('the bounds of equal values are those that so many equal values leave open', () => {
  const { lower, upper } = boundedMeanBounds({ values: times(20, 0.8) });
  const seen = 0.05 ** (1 / 20);
  expect(lower).toBeCloseTo(0.8 * seen, 12);
  expect(upper).toBeCloseTo(0.8 * seen + (1 - seen), 12);
});

test('one cluster of all values has the bounds of one value', () => {
  const together = boundedMeanBounds({ values: [0.5, 0.7], clusters: ['a', 'a'] });
  expect(together.clusters).toBe(1);
  expect(together.lower).toBeCloseTo(boundedMeanBounds({ values: [0.6] }).lower as number, 12);
  expect(together.lower).toBeCloseTo(0.05 * 0.6, 12);
});

test('bounds move and scale with the range of the values', () => {
  const values = [-0.3, 0, 0.1, 0.1, 0.05];
  const { estimate, lower, upper } = boundedMeanBounds({ values, range: [-1, 1] });
  const shares = boundedMeanBounds({ values: values.map((value) => (value + 1) / 2) });
  expect(estimate).toBeCloseTo(-0.01, 12);
  expect(lower).toBeCloseTo(2 * (shares.lower as number) - 1, 12);
  expect(upper).toBeCloseTo(2 * (shares.upper as number) - 1, 12);
});

test('very many different values are rounded down, and the bounds stay about the same', () => {
  const random = createRandom('many');
  const values = Array.from({ length: 2_100 }, () => random.next());
  const few = values.map((value) => Math.round(value * 1000) / 1000);
  const [all, rounded] = [boundedMeanBounds({ values }), boundedMeanBounds({ values: few })];
  expect(all.lower).toBeCloseTo(rounded.lower as number, 2);
  expect(all.upper).toBeCloseTo(rounded.upper as number, 2);
});

interface Draw {
  readonly values: readonly number[];
  readonly clusters?: readonly number[];
}
type Next = () => number;
const rareFailures =
  (n: number, share: number) =>
  (next: Next): Draw => ({
    values: times(n, 0).map(() => (next() < share ? 0 : 0.95 + 0.05 * next())),
  });
const badDocuments =
  (sizes: readonly number[], share: number) =>
  (next: Next): Draw => {
    const documents = sizes.map((size) => ({ size, value: Number(next() >= share) }));
    return {
      values: documents.flatMap(({ size, value }) => times(size, value)),
      clusters: documents.flatMap(({ size }, place) => times(size, place)),
    };
  };

test.each<[string, (next: Next) => Draw, number]>([
  ['20 scores, 2 % failures', rareFailures(20, 0.02), 0.98 * 0.975],
  ['20 scores, 5 % failures', rareFailures(20, 0.05), 0.95 * 0.975],
  ['100 scores, 5 % failures', rareFailures(100, 0.05), 0.95 * 0.975],
  ['10 documents of 6, 15 % bad', badDocuments(times(10, 6), 0.15), 0.85],
  ['documents of 30 and 2, half of them bad', badDocuments([30, 2, 2, 2, 2, 2], 0.5), 0.5],
  ['documents of 30 to 5, half of them bad', badDocuments([30, 20, 10, 5, 5, 5, 5, 5], 0.5), 0.5],
])('the mean is below its lower bound in at most 5 of 100 runs: %s', (name, draw, mean) => {
  const random = createRandom(name);
  const runs = 150;
  let wrong = 0;
  for (let run = 0; run < runs; run += 1) {
    const { lower } = boundedMeanBounds(draw(() => random.next()));
    if ((lower as number) > mean) wrong += 1;
  }
  expect(wrong / runs).toBeLessThan(0.05 + 3 * Math.sqrt(0.0475 / runs));
});

test('invalid arguments are refused', () => {
  expect(boundedMeanBounds({ values: [] })).toMatchObject({ status: 'undefined', reason: 'no values' });
  expect(() => boundedMeanBounds({ values: [0.5, 1.5] })).toThrow('value 2 is 1.5; it must be from 0 to 1.');
  expect(() => boundedMeanBounds({ values: [0.5], range: [1, 1] })).toThrow('range is 0');
  expect(() => boundedMeanBounds({ values: [0.5], confidence: 1 })).toThrow('confidence');
});

test('for two weights the chance is that of the beta distribution', () => {
  const shares = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  const counts = fc.integer({ min: 1, max: 500 });
  fc.assert(
    fc.property(shares, counts, counts, (x, a, b) => {
      const chance = chanceBelowZero([
        { weight: 1 - x, count: a },
        { weight: -x, count: b },
      ]);
      expect(chance).toBeCloseTo(regularizedBeta({ x, a, b }), 11);
    }),
  );
});

test('for several weights the chance is that of simulated exponential variables', () => {
  const weights = [0.3, 0.25, -0.4, 0.1, -0.2, 0.6];
  const random = createRandom('exponential');
  const draws = 100_000;
  let below = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const sum = weights.reduce((total, weight) => total - weight * Math.log(1 - random.next()), 0);
    if (sum <= 0) below += 1;
  }
  const chance = chanceBelowZero(weights.map((weight) => ({ weight, count: 1 })));
  expect(Math.abs(below / draws - chance)).toBeLessThan(4 * Math.sqrt(0.16 / draws));
});

test('weights of one sign make the sum certain', () => {
  const ofOne = (weight: number) => chanceBelowZero([{ weight, count: 3 }]);
  expect([ofOne(1), ofOne(-1), ofOne(0), chanceBelowZero([])]).toEqual([0, 1, 1, 1]);
});

test('the rates of attacks have the bounds of Clopper and Pearson', () => {
  const rates = (n: number, succeeded: number, confidence: number) =>
    boundedMeanBounds({
      values: Array.from({ length: n }, (_, place) => Number(place < succeeded)),
      confidence,
    });
  const twelve = rates(150, 12, 0.975);
  expect([twelve.lower, twelve.upper]).toEqual([
    expect.closeTo(0.04202026, 8),
    expect.closeTo(0.13557389, 8),
  ]);
  expect(rates(150, 12, 0.95).upper).toBeCloseTo(0.12639493, 8);
  const none = {
    10: 0.258866,
    15: 0.181036,
    20: 0.139108,
    30: 0.095034,
    59: 0.049508,
    150: 0.019773,
    299: 0.009969,
  };
  for (const [n, upper] of Object.entries(none))
    expect(rates(Number(n), 0, 0.95).upper).toBeCloseTo(upper, 6);
});
