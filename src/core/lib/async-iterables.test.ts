import { expect, test } from 'vitest';
import { inBatches, mergeIterables, readAhead } from './async-iterables.ts';

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

async function* ticks(name: string, count: number, everyMs: number, onEnd = () => {}) {
  try {
    for (let index = 0; index < count; index += 1) {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      yield `${name}${index}`;
    }
  } finally {
    onEnd();
  }
}

test('every item of every source is yielded, in the order of its source', async () => {
  const merged = await Array.fromAsync(
    mergeIterables([ticks('a', 5, 1), ticks('b', 3, 2), ticks('c', 0, 1)]),
  );
  expect(merged).toHaveLength(8);
  expect(merged.filter((item) => item.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  expect(merged.filter((item) => item.startsWith('b'))).toEqual(['b0', 'b1', 'b2']);
});

test('a slow source delays no other source', async () => {
  const stuck = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
  const merged = mergeIterables<string>([stuck, ticks('a', 3, 1)]);
  const seen: string[] = [];
  for await (const item of merged) if (seen.push(item) === 3) break;
  expect(seen).toEqual(['a0', 'a1', 'a2']);
});

test('leaving early ends every source', async () => {
  const ended: string[] = [];
  const sources = ['a', 'b'].map((name) => ticks(name, 100, 1, () => ended.push(name)));
  for await (const _item of mergeIterables(sources)) break;
  expect(ended.toSorted()).toEqual(['a', 'b']);
});

test('an error of one source is thrown and ends the other sources', async () => {
  const ended: string[] = [];
  async function* failing(): AsyncGenerator<string> {
    yield 'x';
    throw new Error('broken');
  }
  const merged = mergeIterables([failing(), ticks('a', 100, 1, () => ended.push('a'))]);
  await expect(Array.fromAsync(merged)).rejects.toThrow('broken');
  expect(ended).toEqual(['a']);
});

test('no sources yield no items', async () => {
  expect(await Array.fromAsync(mergeIterables([]))).toEqual([]);
});

function buildPages(count: number, size: number) {
  const seen = { pages: 0, isReturned: false };
  async function* pages() {
    try {
      for (let page = 0; page < count; page += 1) {
        seen.pages += 1;
        yield Array.from({ length: size }, (_, index) => page * size + index);
      }
    } finally {
      seen.isReturned = true;
    }
  }
  return { seen, pages: pages() };
}

test('every item is yielded once, in order, however many calls of next() wait at the same time', async () => {
  const items = readAhead(buildPages(5, 4).pages, 6);
  const all = await Promise.all(Array.from({ length: 25 }, () => items.next()));
  expect(all.slice(0, 20).map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(all.slice(20).every(({ done }) => done === true)).toBe(true);
  expect(await Array.fromAsync(readAhead(buildPages(3, 2).pages, 100))).toEqual([0, 1, 2, 3, 4, 5]);
});

test('pages are fetched ahead of the items taken, and no more pages than needed', async () => {
  const { seen, pages } = buildPages(10, 4);
  const items = readAhead(pages, 6);
  await items.next();
  await expect.poll(() => seen.pages).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(seen.pages).toBe(2);
  await items.return?.();
  expect(seen.isReturned).toBe(true);
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test('an error of a page fetched ahead is thrown after the items before it', async () => {
  async function* pages() {
    yield [1, 2];
    throw new Error('torn');
  }
  const items = readAhead(pages(), 10);
  expect((await items.next()).value).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await items.next()).value).toBe(2);
  await expect(items.next()).rejects.toThrow('torn');
});
