import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

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

test('every item comes once, in order, however many ask at the same time', async () => {
  const items = readAhead(buildPages(5, 4).pages, 6);
  const all = await Promise.all(Array.from({ length: 25 }, () => items.next()));
  expect(all.slice(0, 20).map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(all.slice(20).every(({ done }) => done === true)).toBe(true);
  expect(await Array.fromAsync(readAhead(buildPages(3, 2).pages, 100))).toEqual([0, 1, 2, 3, 4, 5]);
});

test('pages are fetched before they are asked for, and no more than needed', async () => {
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

test('what goes wrong ahead is told when it is its turn', async () => {
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
