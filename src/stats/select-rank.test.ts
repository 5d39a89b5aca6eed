import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { selectRank } from './select-rank.ts';

test('what stands at a place is what would stand there in rising order, with nothing larger before and nothing smaller after', () => {
  const values = fc.float64Array({ minLength: 1, maxLength: 40, noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(values, fc.nat(), (drawn, number) => {
      // Without −0, which sorting tells from 0.
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
])('of many values, %s, every place asked for is found through samples', (_, valueOf) => {
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
