import { expect, test } from 'vitest';
import { mergeIterables } from './merge-iterables.ts';

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

test('everything of every source comes, each source in its own order', async () => {
  const merged = await Array.fromAsync(
    mergeIterables([ticks('a', 5, 1), ticks('b', 3, 2), ticks('c', 0, 1)]),
  );
  expect(merged).toHaveLength(8);
  expect(merged.filter((item) => item.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  expect(merged.filter((item) => item.startsWith('b'))).toEqual(['b0', 'b1', 'b2']);
});

test('a slow source holds up no other', async () => {
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

test('a source that fails fails the whole, and ends the others', async () => {
  const ended: string[] = [];
  async function* failing(): AsyncGenerator<string> {
    yield 'x';
    throw new Error('broken');
  }
  const merged = mergeIterables([failing(), ticks('a', 100, 1, () => ended.push('a'))]);
  await expect(Array.fromAsync(merged)).rejects.toThrow('broken');
  expect(ended).toEqual(['a']);
});

test('no sources give nothing', async () => {
  expect(await Array.fromAsync(mergeIterables([]))).toEqual([]);
});
