import { expect, test } from 'vitest';
import { piecesOf } from '../json.ts';
import type { JsonChoice, JsonPath } from './tokenizer.ts';
import { walkJson } from './read-json.ts';

const text =
  '{"a": [1, {"b": "x]}\\"y"}, []],\n "skip": {"c": "}"}, "d": {"e": -1.5e3, "f": true}}\n{"a": [null]}\n7';

async function walk(json: string, choose: (path: JsonPath) => JsonChoice, length?: number) {
  const found = await Array.fromAsync(walkJson(piecesOf(json, length), { file: 'f', choose }));
  return found.map(({ path, value, place }) => [path.join('.'), value, `${place.line}:${place.column}`]);
}

const chooseItems = (path: JsonPath): JsonChoice => {
  if (path[0] === 'skip') return 'skip';
  return path.length === 0 || (path.length === 1 && path[0] !== undefined) ? 'enter' : 'keep';
};

const found = [
  ['a.0', 1, '1:8'],
  ['a.1', { b: 'x]}"y' }, '1:11'],
  ['a.2', [], '1:28'],
  ['d.e', -1500, '2:33'],
  ['d.f', true, '2:46'],
  ['a.0', null, '3:8'],
];

test.each([1, 2, 3, 7, 1000])('values are found by their path in pieces of %d', async (length) => {
  expect(await walk(text, chooseItems, length)).toEqual(found);
});

test('values that follow each other are read one by one', async () => {
  expect(await walk('{"a":1}{"a":2} 3\n"x"', () => 'keep')).toEqual([
    ['', { a: 1 }, '1:1'],
    ['', { a: 2 }, '1:8'],
    ['', 3, '1:16'],
    ['', 'x', '2:1'],
  ]);
});

test('an empty text has no values', async () => {
  expect(await walk(' \n', () => 'keep')).toEqual([]);
});

const enterAll = (path: JsonPath): JsonChoice => (path.length < 3 ? 'enter' : 'keep');

test.each([
  ['{"a": [1, 2', "f:1:12: expected ']' but the file ends"],
  ['{"a": {"b": {"c": 1', "f:1:20: expected '}' but the file ends"],
  ['{"a": "x', 'f:1:9: the file ends within the value that begins at f:1:7'],
  ['{"a', 'the file ends within the name that begins at f:1:2'],
  ['{"a" 1}', "f:1:6: expected ':' but found '1'"],
  ['{"a": 1 "b": 2}', "f:1:9: expected ',' or '}' but found '\"'"],
  ['{"a": [1 2]}', "f:1:10: expected ',' or ']' but found '2'"],
  ['{a: 1}', `f:1:2: expected '"' or '}' but found 'a'`],
  ['{"a": [1,]}', "f:1:10: expected a value but found ']'"],
  ['{"a": {"b": {"c": {"d": 1,}}}}', `expected '"' but found '}'`],
  ['{"a": <html>}', "expected a value but found '<'"],
])('%s is refused with its place', async (json, message) => {
  for (const length of [1, 1000]) {
    await expect(walk(json, enterAll, length)).rejects.toMatchObject({
      code: 'dataset-invalid',
      message: expect.stringContaining(message),
    });
  }
});

test('a skipped value is never kept in memory', async () => {
  async function* endless() {
    yield '{"skip": "';
    for (let piece = 0; piece < 300; piece += 1) yield 'x'.repeat(2 ** 20);
    yield '", "d": {"e": 1}}';
  }
  const values = await Array.fromAsync(walkJson(endless(), { file: 'f', choose: chooseItems }));
  expect(values.map(({ value }) => value)).toEqual([1]);
});
