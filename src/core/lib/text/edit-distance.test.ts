import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';

/** Computes the distance by its definition, with Wagner and Fischer's table. */
function byTable(first: readonly string[], second: readonly string[]): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (const [place, item] of first.entries()) {
    const next = [place + 1];
    for (const [index, other] of second.entries()) {
      const replaced = row[index]! + (item === other ? 0 : 1);
      next.push(Math.min(replaced, row[index + 1]! + 1, next[index]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}

test('the distance is the least number of insertions, deletions and replacements', () => {
  expect(editDistance(Array.from('kitten'), Array.from('sitting'))).toBe(3);
  expect(editDistance([], Array.from('abc'))).toBe(3);
  expect(editDistance(Array.from('abc'), Array.from('abc'))).toBe(0);
});

test('the distance equals its definition, also across blocks', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 100, size: 'max' });
  fc.assert(
    fc.property(items, items, (first, second) => {
      expect(editDistance(first, second)).toBe(byTable(first, second));
    }),
  );
});

test('near the diagonal the distance equals its definition, or is undefined', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 40, maxLength: 200, size: 'max' });
  const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom('', 'a', 'xy')), { maxLength: 12 });
  let known = 0;
  let undefinedCount = 0;
  fc.assert(
    fc.property(items, changes, fc.integer({ min: 100, max: 20_000 }), (first, places, most) => {
      const second: string[] = [...first];
      for (const [place, instead] of places) second.splice(place % second.length, 1, ...Array.from(instead));
      const distance = byTable(first, second);
      const found = editDistance(first, second, most);
      if (found === undefined) {
        undefinedCount++;
        // The distance is not larger than the lists that remain.
        expect(distance).toBeGreaterThan(most / (2 * Math.max(first.length, second.length)) - 1);
      } else {
        known++;
        expect(found).toBe(distance);
      }
    }),
    { numRuns: 600 },
  );
  expect(Math.min(known, undefinedCount)).toBeGreaterThan(30);
});

test.skipIf(!isReleaseTested)(
  'for long texts, few edits are counted and many are undefined (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
    const text = Array.from({ length: 200_000 }, (_, index) => String((index * index) % 97));
    const other = Array.from({ length: 200_000 }, (_, index) => String((index * 31) % 89));
    const edited = ['new', ...text.slice(0, 90_000), ...text.slice(90_010), 'end'];
    expect(editDistance(text, edited)).toBe(12);
    expect(editDistance(text, other)).toBeUndefined();
    expect(editDistance(text, text.slice(0, 100))).toBe(199_900);
  },
);
