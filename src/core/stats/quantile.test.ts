import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile, type QuantileMethod, selectRank } from './quantile.ts';
import { createRandom } from './random.ts';

const METHODS: QuantileMethod[] = ['nearest-rank', 'linear'];

// Twenty latencies in ms; the three largest decide the values below.
const LATENCIES = [
  1250, 120, 131, 140, 980, 152, 160, 171, 180, 195, 203, 214, 226, 240, 255, 270, 410, 290, 310, 340,
];

function value(values: number[], p: number, method: QuantileMethod): number | null {
  return quantile({ values, p, method }).value;
}

test('the 95th percentile of twenty latencies is 980 by nearest rank and 993.5 by interpolation', () => {
  expect(value(LATENCIES, 0.95, 'nearest-rank')).toBe(980);
  expect(value(LATENCIES, 0.95, 'linear')).toBeCloseTo(993.5, 10);
  expect(value(LATENCIES, 0.9, 'nearest-rank')).toBe(410);
  expect(value(LATENCIES, 0.9, 'linear')).toBeCloseTo(467, 10);
});

test('the 40th percentile of 15, 20, 35, 40, 50 is 20 by nearest rank and 29 by interpolation', () => {
  expect(value([15, 20, 35, 40, 50], 0.4, 'nearest-rank')).toBe(20);
  expect(value([15, 20, 35, 40, 50], 0.4, 'linear')).toBeCloseTo(29, 12);
});

test('rounding in n p does not move the rank: every k / 100 of 100 values is the k-th', () => {
  const values = Array.from({ length: 100 }, (_, i) => i + 1);
  for (const k of values) {
    expect(value(values, k / 100, 'nearest-rank')).toBe(k);
  }
});

test('linear positions that are whole numbers give that value exactly', () => {
  const values = Array.from({ length: 101 }, (_, i) => i / 10);
  values.forEach((expected, k) => {
    expect(value(values, k / 100, 'linear')).toBeCloseTo(expected, 13);
  });
});

test('no values have no quantile, with a reason', () => {
  expect(quantile({ values: [], p: 0.5, method: 'linear' })).toEqual({
    status: 'undefined',
    value: null,
    reason: 'no values',
    p: 0.5,
    method: 'linear',
    n: 0,
  });
});

test('one value is every quantile of itself', () => {
  for (const method of METHODS) {
    expect(value([7], 0, method)).toBe(7);
    expect(value([7], 0.3, method)).toBe(7);
    expect(value([7], 1, method)).toBe(7);
  }
});

const samples = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });
const shares = fc.double({ min: 0, max: 1, noNaN: true });

test('a quantile lies within the values, rises with p and ends at the smallest and the largest', () => {
  fc.assert(
    fc.property(samples, shares, shares, fc.constantFrom(...METHODS), (values, p, q, method) => {
      const low = value(values, Math.min(p, q), method) as number;
      const high = value(values, Math.max(p, q), method) as number;
      expect(low).toBeLessThanOrEqual(high);
      expect(low).toBeGreaterThanOrEqual(Math.min(...values));
      expect(high).toBeLessThanOrEqual(Math.max(...values));
      expect(value(values, 0, method)).toBe(value(values.toSorted((a, b) => a - b).slice(0, 1), 0, method));
      expect((value(values, 1, method) as number) - Math.max(...values)).toBe(0);
    }),
  );
});

test('nearest rank has at least the share p of the values at or below it, and no smaller value has', () => {
  fc.assert(
    fc.property(samples, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, p) => {
      const found = value(values, p, 'nearest-rank') as number;
      const shareUpTo = values.filter((other) => other <= found).length / values.length;
      const shareBelow = values.filter((other) => other < found).length / values.length;
      expect(shareUpTo).toBeGreaterThanOrEqual(p - 1e-12);
      expect(shareBelow).toBeLessThan(p + 1e-12);
    }),
  );
});

test('the values are not reordered, and their order does not matter', () => {
  fc.assert(
    fc.property(samples, shares, fc.constantFrom(...METHODS), (values, p, method) => {
      const before = [...values];
      const found = value(values, p, method);
      expect(values).toEqual(before);
      expect(value(values.toReversed(), p, method)).toBe(found);
    }),
  );
});

test('shares outside 0 to 1 and values that are not finite are refused', () => {
  expect(() => quantile({ values: [1], p: 95, method: 'linear' })).toThrow(
    'p is 95; it must be from 0 to 1.',
  );
  expect(() => quantile({ values: [1, Number.NaN], p: 0.5, method: 'linear' })).toThrow('a value is NaN');
  expect(() => quantile({ values: [1, -Infinity], p: 0.5, method: 'linear' })).toThrow(RangeError);
});

test('the value at a place is the one in ascending order, with no larger value before it and no smaller one after it', () => {
  const values = fc.float64Array({ minLength: 1, maxLength: 40, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(values, fc.nat(), (drawn, number) => {
      // Without −0, which sorting distinguishes from 0.
      const given = drawn.map((value) => value + 0);
      const place = number % given.length;
      const moved = given.slice();
      expect(selectRank(moved, place)).toBe(given.toSorted()[place]);
      expect(moved.subarray(0, place).every((value) => value <= (moved[place] as number))).toBe(true);
      expect(moved.subarray(place).every((value) => value >= (moved[place] as number))).toBe(true);
      expect(moved.sort()).toEqual(given.toSorted());
    }),
  );
});

test.each([
  ['drawn at random', (random: () => number) => random()],
  ['mostly alike', (random: () => number) => Math.floor(random() * 3)],
  ['rising', (_: () => number, place: number) => place],
  ['falling', (_: () => number, place: number) => -place],
  ['all the same', () => 1],
])('of many values, %s, every place is found by sampling', (_, valueOf) => {
  const { next } = createRandom('select');
  const given = Float64Array.from({ length: 20_000 }, (_value, place) => valueOf(next, place));
  const sorted = given.toSorted();
  for (const place of [0, 1, 599, 10_000, 17_999, 19_799, 19_999]) {
    expect(selectRank(given.slice(), place)).toBe(sorted[place]);
  }
  const moved = given.slice();
  expect(selectRank(moved, 19_799)).toBe(sorted[19_799]);
  expect(selectRank(moved, 10_000, 19_799)).toBe(sorted[10_000]);
});
