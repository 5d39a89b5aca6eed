import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCommonSubsequence } from './count-common-subsequence.ts';

/** The definition, by a table. */
function byTable(first: readonly string[], second: readonly string[]): number {
  let above = Array.from({ length: second.length + 1 }, () => 0);
  for (const item of first) {
    const row = [0];
    for (const [index, other] of second.entries()) {
      row.push(item === other ? above[index]! + 1 : Math.max(row[index]!, above[index + 1]!));
    }
    above = row;
  }
  return above.at(-1)!;
}

test('it is the length of the longest common subsequence', () => {
  expect(countCommonSubsequence(Array.from('XMJYAUZ'), Array.from('MZJAWXU'))).toBe(4);
  expect(countCommonSubsequence([], Array.from('abc'))).toBe(0);
  expect(countCommonSubsequence(Array.from('abc'), [])).toBe(0);
  expect(countCommonSubsequence(Array.from('abc'), Array.from('abc'))).toBe(3);
  expect(countCommonSubsequence(Array.from('aXbYc'), Array.from('aZbWc'), 9)).toBe(3);
  expect(countCommonSubsequence(Array.from('aXbYc'), Array.from('aZbWc'), 8)).toBeUndefined();
});

test.each([1, 2, 3, 40])(
  'it equals the definition, over the bounds of its blocks too: %i different items',
  (most) => {
    const items = fc.array(fc.integer({ min: 1, max: most }).map(String), { maxLength: 150, size: 'max' });
    fc.assert(
      fc.property(items, items, (first, second) => {
        expect(countCommonSubsequence(first, second)).toBe(byTable(first, second));
      }),
      { numRuns: 200 },
    );
  },
);
