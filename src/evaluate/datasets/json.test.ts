import fc from 'fast-check';
import { expect, test } from 'vitest';
import { json, piecesOf } from './json.ts';

const read = (text: string, length?: number) =>
  Array.fromAsync(json.read({ name: 'golden.json', read: () => piecesOf(text, length) }));

test.each([1, 3, 1000])('a list is read element by element, in pieces of %i', async (length) => {
  const rows = await read('\n[ {"a": "],[\\"{"},\n  {"a": [1, {"b": []}]} ,3,"x" ,\n\n{}]\n', length);
  expect(rows.map(({ value }) => value)).toEqual([{ a: '],["{' }, { a: [1, { b: [] }] }, 3, 'x', {}]);
  expect(rows.map(({ place }) => [place.line, place.column])).toEqual([
    [2, 3],
    [3, 3],
    [3, 26],
    [3, 28],
    [5, 1],
  ]);
});

test('elements of any list read back equal, wherever the pieces end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
      fc.constantFrom(undefined, 2),
      fc.integer({ min: 1, max: 20 }),
      async (values, space, length) => {
        const rows = await read(JSON.stringify(values, null, space), length);
        expect(rows.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(values)));
      },
    ),
  );
});

test('the first elements of a list are yielded before the file has been read', async () => {
  let piecesRead = 0;
  async function* endless() {
    yield '[';
    for (;;) {
      piecesRead += 1;
      yield '{"a":1},';
    }
  }
  for await (const row of json.read({ name: 'golden.json', read: endless })) {
    expect(row.value).toEqual({ a: 1 });
    break;
  }
  expect(piecesRead).toBeLessThan(4);
});

test.each(['cases', 'questions', 'examples', 'data', 'samples', 'tests', 'goldens', 'items'])(
  'the list may be under %s',
  async (name) => {
    const rows = await read(`{"version": [1],\n "${name}": [\n  {"q": "a"},\n  {"q": "b"}\n]}`, 4);
    expect(rows.map(({ value, place }) => [value, place.line, place.column])).toEqual([
      [{ q: 'a' }, 3, 3],
      [{ q: 'b' }, 4, 3],
    ]);
    expect(rows[1]?.locate(['q'])).toEqual({ file: 'golden.json', line: 4, column: 9 });
  },
);

test('a file with one object a line is read as JSON Lines', async () => {
  const rows = await read('\n{"q":"a"}\n{"q":"b"\n{"q":"c"}\n', 2);
  expect(rows.map(({ value }) => value)).toEqual([{ q: 'a' }, undefined, { q: 'c' }]);
  expect((await read('{"q":"a"}\n')).map(({ value }) => value)).toEqual([{ q: 'a' }]);
});

test('an element with an error does not stop the elements after it from being read', async () => {
  const rows = await read('[{"a":1},\n {"a": tru},\n {"a":3}]');
  expect(rows.map(({ value }) => value)).toEqual([{ a: 1 }, undefined, { a: 3 }]);
  expect(rows[1]?.problem).toMatchObject({
    place: { line: 2, column: 8 },
    message: "expected a value but found 'tru'",
  });
});

test('a missing comma between two elements is reported at its place', async () => {
  const [row] = await read('[{"a":1}\n {"b":2}]');
  expect(row?.problem).toEqual({
    place: { file: 'golden.json', line: 2, column: 2 },
    message: "expected ',' or ']' but found '{'",
    remedy: 'A comma is missing before it.',
  });
});

test.each([
  ['[{"a":1},\n]', "golden.json:2:1: expected a value but found ']'", 'Remove the comma before it.'],
  ['[{"a":1},,{}]', "golden.json:1:10: expected a value but found ','", 'Remove the comma.'],
  ['[{"a":1\n {"b":2}]', "golden.json:2:2: expected ',' or '}' but found '{'", 'comma is missing'],
  ['[{"a":1}}]', "golden.json:1:9: expected ',' or ']' but found '}'", 'Fix the rows'],
  ['[{"a":1}\n', "golden.json:2:1: expected ',' or ']' but found the end of the file", 'not closed'],
  ['[{"a":[1}]', "golden.json:1:9: expected ',' or ']' but found '}'", 'Fix the rows'],
  ['[', "golden.json:1:2: expected ']' but found the end of the file", 'Close the list'],
  ['[{"a":"x\ny"}]', `golden.json:1:9: expected '"' at the end of the text but found a line break`, '\\n'],
  ['[{"a":1}]\n[{"a":2}]', "golden.json:2:1: expected the end of the file but found '['", 'one list'],
  ['{"cases":[\n{"a":1},]}', "golden.json:2:9: expected a value but found ']'", 'Remove the comma'],
  ['"text"', 'golden.json:1:1: expected a list of questions', '`questions`'],
  [
    '{\n"version":1,"stories":[{}]}',
    'but found an object with version, stories',
    'Put the questions into one list',
  ],
  [
    '{\n"cases":[{}],"items":[{}]}',
    'but found lists under cases and items',
    'Put the questions into one list',
  ],
])('%j is refused with its place', async (text, message, remedy) => {
  await expect(read(text, 5)).rejects.toMatchObject({
    code: 'dataset-invalid',
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
  });
});

test('empty files, blanks and empty lists have no rows', async () => {
  for (const text of ['', ' \n', '[]', ' [ ] ', '{"cases": []}']) expect(await read(text)).toEqual([]);
});

test('the place of an error is found at any depth of nesting', async () => {
  const deep = 200_000;
  const [row] = await read(`[${'['.repeat(deep)}x${']'.repeat(deep)}]`);
  expect(row?.problem?.place).toEqual({ file: 'golden.json', line: 1, column: deep + 2 });
});
