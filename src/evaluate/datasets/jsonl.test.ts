import { expect, test } from 'vitest';
import { jsonl, piecesOf } from './json.ts';

const read = (text: string, length?: number) =>
  Array.fromAsync(jsonl.read({ name: 'golden.jsonl', read: () => piecesOf(text, length) }));

async function problemOf(line: string): Promise<string> {
  const [row] = await read(line);
  const { place, message, remedy } = row?.problem ?? { place: { column: 0 }, message: 'none', remedy: '' };
  return `${place.column}: ${message}. ${remedy ?? ''}`.trim();
}

test.each([1, 2, 5, 1000])(
  'blank lines, CRLF and a last line without an end are read, in pieces of %i',
  async (length) => {
    const rows = await read('{"n":1}\r\n\n  \r\n{"n":"zwei"}\n \t\n{"n":3}', length);
    expect(rows.map(({ value, place }) => [value, place])).toEqual([
      [{ n: 1 }, { file: 'golden.jsonl', line: 1, column: 1 }],
      [{ n: 'zwei' }, { file: 'golden.jsonl', line: 4, column: 1 }],
      [{ n: 3 }, { file: 'golden.jsonl', line: 6, column: 1 }],
    ]);
  },
);

test('a line of many megabytes is read whole', async () => {
  const long = 'x'.repeat(20_000_000);
  const rows = await read(`{"a":"${long}"}\n{"a":"b"}\n`, 1000);
  expect(rows.map(({ value }) => (value as { a: string }).a.length)).toEqual([20_000_000, 1]);
});

test('a row with an error does not stop the rows after it from being read', async () => {
  const rows = await read('{"a":1}\n{"a":}\n{"a":3}\n');
  expect(rows.map(({ value }) => value)).toEqual([{ a: 1 }, undefined, { a: 3 }]);
  expect(rows[1]?.problem).toEqual({
    place: { file: 'golden.jsonl', line: 2, column: 6 },
    message: "expected a value but found '}'",
    remedy: undefined,
  });
});

test.each([
  [
    '{"q":"What is "c"?"}',
    `16: expected ',' or '}' but found 'c'. A comma is missing, or the quotation mark`,
  ],
  ['{"q":1,}', `8: expected '"' but found '}'. Remove the comma before it.`],
  [`{'q':1}`, `2: expected '"' or '}' but found "'". Use straight double quotes`],
  ['{“q”:1}', `2: expected '"' or '}' but found '“'. Use straight double quotes`],
  ['{q:1}', `2: expected '"' or '}' but found 'q'. Put names of fields in double quotes.`],
  ['{"q":1} {"q":2}', `9: expected the end of the line but found '{'. Put each object on a line of its own.`],
  ['{"q":1},', `8: expected the end of the line but found ','. Remove the comma`],
  ['{"q":1 "r":2}', `8: expected ',' or '}' but found '"'. A comma is missing before it.`],
  [
    '{',
    `2: expected '"' or '}' but found the end of the line. Write each question as one whole object on one line`,
  ],
  ['{"q":"a', `8: expected '"' at the end of the text but found the end of the line.`],
  ['{"q":[1,2}', `10: expected ',' or ']' but found '}'`],
  ['{"q" 1}', `6: expected ':' but found '1'`],
  ['{"q":NaN}', `6: expected a value but found 'NaN'. Write null`],
  ['{"q":True}', `6: expected a value but found 'True'. Write true or false in lower case.`],
  [
    '{"q":"C:\\temp\\x"}',
    `15: expected one of " \\ / b f n r t, or u and four hexadecimal digits, after '\\'`,
  ],
  ['{"q":"a\tb"}', `8: expected '"' at the end of the text but found a tab. Close the text`],
  ['{"q":1} // c', `9: expected the end of the line but found '/'. Remove the comment`],
  ['{"q":01}', `7: expected ',' or '}' but found '1'`],
  ['{"q":\u001b[31m}', `6: expected a value but found '␛'`],
])('%j is explained', async (line, explanation) => {
  expect(await problemOf(line)).toContain(explanation);
});

test('values inside a row are located', async () => {
  const [row] = await read('\n {"q": "a", "e": {"k": ["x",  "y"], "k\\n": 1}}');
  const columnOf = (...path: PropertyKey[]) => row?.locate(path).column;
  expect(row?.locate(['q'])).toEqual({ file: 'golden.jsonl', line: 2, column: 8 });
  expect([columnOf('e'), columnOf('e', 'k', 1), columnOf('e', 'k\n')]).toEqual([18, 31, 44]);
  expect([columnOf(), columnOf('missing'), columnOf('e', 'missing', 3)]).toEqual([2, 2, 18]);
});

test('a file that contains a JSON list is read as JSON', async () => {
  const rows = await read(' [\n  {"a":1},\n  {"a":2}\n]\n', 3);
  expect(rows.map(({ value, place }) => [value, place.line])).toEqual([
    [{ a: 1 }, 2],
    [{ a: 2 }, 3],
  ]);
});

test('an empty file has no rows', async () => {
  expect(await read('')).toEqual([]);
  expect(await read('\n \n')).toEqual([]);
});

test('a line that never ends is refused before it fills the memory', async () => {
  async function* endless() {
    const piece = ' x'.repeat(2 ** 22);
    for (;;) yield piece;
  }
  const rows = Array.fromAsync(jsonl.read({ name: 'golden.jsonl', read: endless }));
  await expect(rows).rejects.toThrow('golden.jsonl:1:1: this line has more than 256 million characters');
});
