import path from 'node:path';
import { expect, test } from 'vitest';
import { pathWithin, relativePath } from './path-within.ts';

test.each([
  ['/shop', '/shop/data/golden.jsonl', 'data/golden.jsonl'],
  ['/shop', '/shop', ''],
  ['/shop', '/shop/..notes/a.md', '..notes/a.md'],
  ['/shop', '/shop/a\\b.md', 'a\\b.md'],
  ['/shop', '/shop-2/a.md', undefined],
  ['/shop', '/', undefined],
])('from %s, %s is %s', (folder, file, expected) => {
  expect(pathWithin(folder, file, path.posix)).toBe(expected);
});

test.each([
  ['C:\\shop', 'C:\\shop\\data\\golden.jsonl', 'data/golden.jsonl'],
  ['C:\\shop', 'c:\\SHOP\\a.md', 'a.md'],
  ['C:\\shop', 'C:\\shop\\..notes\\a.md', '..notes/a.md'],
  ['C:\\shop', 'C:\\shop-2\\a.md', undefined],
  ['C:\\shop', 'D:\\secrets\\a.md', undefined],
  ['C:\\shop', '\\\\server\\share\\a.md', undefined],
])('on Windows, from %s, %s is %s', (folder, file, expected) => {
  expect(pathWithin(folder, file, path.win32)).toBe(expected);
});

test('a path to elsewhere has slashes, too', () => {
  expect(relativePath('C:\\shop\\evals', 'C:\\shop\\data\\a.md', path.win32)).toBe('../data/a.md');
});
