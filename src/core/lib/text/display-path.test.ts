import path from 'node:path';
import { expect, test } from 'vitest';
import { displayPath } from './display-path.ts';

const here = process.cwd();

test('a path inside the current folder is relative to it', () => {
  expect(displayPath(path.join(here, 'a', 'b.csv'))).toBe(path.join('a', 'b.csv'));
  expect(displayPath(path.join(here, '..hidden'))).toBe('..hidden');
});

test('a path beside the current folder is relative where that is shorter', () => {
  expect(displayPath(path.join(here, '..', 'b.csv'))).toBe(path.join('..', 'b.csv'));
  expect(displayPath(path.resolve('/b.csv'))).toBe(path.resolve('/b.csv'));
});

test.each([
  ['C:\\evals\\data\\golden.jsonl', 'data/golden.jsonl'],
  ['c:\\EVALS\\golden.jsonl', 'golden.jsonl'],
  ['C:\\evals-2\\golden.jsonl', '../evals-2/golden.jsonl'],
  ['D:\\evals\\golden.jsonl', 'D:/evals/golden.jsonl'],
  ['\\\\server\\share\\golden.jsonl', '//server/share/golden.jsonl'],
])('on Windows %s is shown as %s', (full, shown) => {
  expect(displayPath(full, 'C:\\evals', path.win32)).toBe(shown);
});

test('the current folder and the folders above it are distinguished', () => {
  expect(displayPath(here)).toBe(here);
  expect(displayPath(path.dirname(here))).toBe('..');
});
