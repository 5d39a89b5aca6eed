import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

/** The definition, by Wagner and Fischer's table. */
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

test('it is the least number of insertions, deletions and replacements', () => {
  expect(editDistance(Array.from('kitten'), Array.from('sitting'))).toBe(3);
  expect(editDistance([], Array.from('abc'))).toBe(3);
  expect(editDistance(Array.from('abc'), Array.from('abc'))).toBe(0);
});

test('it equals the definition, over the bounds of its blocks too', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 100, size: 'max' });
  fc.assert(
    fc.property(items, items, (first, second) => {
      expect(editDistance(first, second)).toBe(byTable(first, second));
    }),
  );
});
