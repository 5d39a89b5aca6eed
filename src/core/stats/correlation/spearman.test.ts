import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spearman } from './spearman.ts';

test('IQ and hours of television of ten people have −29/165, as in the textbook', () => {
  const iq = [86, 97, 99, 100, 101, 103, 106, 110, 112, 113];
  const hours = [0, 20, 28, 27, 50, 29, 7, 17, 6, 12];
  expect(spearman({ a: iq, b: hours })).toEqual({
    status: 'defined',
    value: expect.closeTo(-29 / 165, 12),
    n: 10,
  });
});

// R: cor(mtcars$mpg, mtcars$wt, method = "spearman"); both have ties.
const milesPerGallon = [
  21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4,
  30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
];
const weight = [
  2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424, 5.345,
  2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78,
];

test('tied values share the mean of their ranks: the cars of 1974 have the coefficient that R prints', () => {
  expect(spearman({ a: milesPerGallon, b: weight }).value).toBeCloseTo(-0.886_422, 6);
});

test('without ties the coefficient is 1 − 6 Σd² / (n (n² − 1))', () => {
  const lists = fc.integer({ min: 2, max: 40 }).chain((n) =>
    fc.tuple(
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, rank) => rank + 1),
        { minLength: n },
      ),
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, rank) => rank + 1),
        { minLength: n },
      ),
    ),
  );
  fc.assert(
    fc.property(lists, ([a, b]) => {
      const n = a.length;
      const squares = a.reduce((sum, rank, place) => sum + (rank - (b[place] as number)) ** 2, 0);
      expect(spearman({ a, b }).value).toBeCloseTo(1 - (6 * squares) / (n * (n * n - 1)), 12);
    }),
  );
});

test('the coefficient is between −1 and 1, symmetric, and unchanged by any increasing function', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(pairs, (both) => {
      const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
      const { value } = spearman({ a, b });
      expect(spearman({ a: b, b: a }).value).toBe(value);
      expect(spearman({ a: a.map((x) => x ** 3 + 7), b }).value).toBe(value);
      if (value !== null) expect(Math.abs(value)).toBeLessThanOrEqual(1);
      if (value !== null) expect(spearman({ a, b: a }).value).toBe(1);
    }),
  );
});

test('a list that does not vary and a single pair have no coefficient', () => {
  expect(spearman({ a: [1, 1, 1], b: [1, 2, 3] })).toMatchObject({ status: 'undefined', value: null, n: 3 });
  expect(spearman({ a: [-0, 0], b: [1, 2] })).toMatchObject({ status: 'undefined' });
  expect(spearman({ a: [1], b: [2] })).toMatchObject({ status: 'undefined', n: 1 });
  expect(spearman({ a: [], b: [] })).toMatchObject({ status: 'undefined', n: 0 });
});

test.each([
  [[1, 2], [1], 'length'],
  [[1, Number.NaN], [1, 2], 'finite'],
  [[1, 2], [Number.POSITIVE_INFINITY, 2], 'finite'],
])('%j and %j are refused', (first, second, named) => {
  expect(() => spearman({ a: first, b: second })).toThrow(named);
});
