import { expect, test } from 'vitest';
import { gatherTurn } from './gather-turn.ts';

test('what is asked for in one turn is answered together, and each gets what is theirs', async () => {
  const asked: (readonly number[])[] = [];
  const double = gatherTurn(async (items: readonly number[]) => {
    asked.push([...items]);
    return items.map((item) => 2 * item);
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(asked).toEqual([[1, 2, 3], [4]]);
});

test('a turn that fails fails for all that asked in it, and for nobody after', async () => {
  let isBroken = true;
  const give = gatherTurn(async (items: readonly string[]) => {
    if (isBroken) throw new Error('broken');
    return items;
  });
  const both = await Promise.allSettled([give('a'), give('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await give('c')).toBe('c');
});
