import { expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

async function* count(limit: number) {
  for (let item = 1; item <= limit; item += 1) yield item;
}

test.each([
  [0, []],
  [3, [[1, 2, 3]]],
  [4, [[1, 2, 3], [4]]],
  [
    6,
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  ],
])('%i items come in groups of three, the rest last', async (limit, groups) => {
  expect(await Array.fromAsync(inBatches(count(limit), 3))).toEqual(groups);
});
