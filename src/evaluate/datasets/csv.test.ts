import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csv } from './csv.ts';
import { piecesOf } from './json.ts';

const read = (text: string, length?: number) =>
  Array.fromAsync(csv.read({ name: 'golden.csv', read: () => piecesOf(text, length) }));

test.each([1, 2, 7, 1000])(
  'quoted cells hold commas, quotes and line breaks, in pieces of %i',
  async (length) => {
    const rows = await read('question,note\r\n"a, ""b""\r\nc",x\r\n\r\n"",\n d ,"e"\r\nlast,', length);
    expect(rows.map(({ value, place }) => [value, place.line])).toEqual([
      [{ question: 'a, "b"\r\nc', note: 'x' }, 2],
      [{ question: ' d ', note: 'e' }, 6],
      [{ question: 'last' }, 7],
    ]);
  },
);

test('cells are located, also after line breaks in a row', async () => {
  const rows = await read('question,note\n"a\nb",c\n"d",e\n');
  expect(rows[0]?.locate(['question'])).toEqual({ file: 'golden.csv', line: 2, column: 1 });
  expect(rows[0]?.locate(['note', 0])).toEqual({ file: 'golden.csv', line: 3, column: 4 });
  expect(rows[1]?.locate(['note'])).toEqual({ file: 'golden.csv', line: 4, column: 5 });
});

test('tables are read as csv-parse reads them', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', ' ', '|', 'ü'), maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      async (table, length) => {
        const quoted = (text: string) => (/[",\r\n ]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const text = [['one', 'two'], ...table].map((row) => row.map(quoted).join(',')).join('\n');
        const expected = parse(text, { columns: true, record_delimiter: ['\r\n', '\n'] }) as Record<
          string,
          string
        >[];
        const filled = expected.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')),
        );
        const rows = await read(text, length);
        expect(rows.map(({ value }) => value)).toEqual(filled.filter((row) => Object.keys(row).length > 0));
      },
    ),
  );
});

test('semicolons and tabs separate cells when the header has no comma', async () => {
  expect((await read('question;note\n"a;b",c\n'.replace('"a;b",c', '"a;b";c,d')))[0]?.value).toEqual({
    question: 'a;b',
    note: 'c,d',
  });
  expect((await read('question\tnote\na, b\tc\n'))[0]?.value).toEqual({ question: 'a, b', note: 'c' });
});

test('a quotation mark inside an unquoted cell is an ordinary character', async () => {
  expect((await read('question\nIn the "Logs" tab\n'))[0]?.value).toEqual({ question: 'In the "Logs" tab' });
});

test('a row with too few or too many cells is reported, and the rows after it are read', async () => {
  const rows = await read('question,category\na\nb,c\nd,e,f\n');
  const problems = rows.map(({ problem }) => problem && `${problem.place.line}: ${problem.message}`);
  expect(problems).toEqual([
    '2: expected 2 cells as in the header (question, category), found 1',
    undefined,
    '4: expected 2 cells as in the header (question, category), found 3',
  ]);
});

test('a column without a name must be empty', async () => {
  expect((await read('question,category,\na,b,\n'))[0]?.value).toEqual({ question: 'a', category: 'b' });
  expect((await read(',question\n,a\nseven,b\n'))[1]?.problem).toMatchObject({
    place: { line: 3, column: 1 },
    message: 'the text "seven" is in a column without a name',
  });
});

test.each([
  ['question,note,question\na,b,c', 'golden.csv:1:15: two columns are named "question"'],
  ['question,note\na,"b\nc,d\n', 'golden.csv:2:3: the quotation mark that opens this cell is never closed'],
  [
    'question,note\n"a" b,c\n',
    'golden.csv:2:4: expected the end of the cell after its closing quotation mark',
  ],
  [
    'question,note\na, "b"\n',
    'golden.csv:2:4: expected the quotation mark that opens a cell at its very beginning',
  ],
])('%j is refused with its place', async (text, message) => {
  await expect(read(text, 4)).rejects.toMatchObject({ code: 'dataset-invalid', message });
});

test('a cell of many megabytes is read whole', async () => {
  const [row] = await read(`question\n"${'x\n'.repeat(5_000_000)}"\n`, 1000);
  expect(row?.value).toEqual({ question: 'x\n'.repeat(5_000_000) });
});

test('200,000 columns are read in a time that grows with their number', async () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `c${index}`).join(',');
  const before = process.threadCpuUsage();
  const rows = await read(`question,${names}\nWhy?,${names}\n`, 65_536);
  const { user } = process.threadCpuUsage(before);
  expect(rows[0]?.value).toMatchObject({ question: 'Why?', c199999: 'c199999' });
  expect(user / 1000).toBeLessThan(5000);
});

test('a column named __proto__ is a column like any other', async () => {
  const [row] = await read('__proto__\nx\n');
  expect(Object.keys(row?.value as object)).toEqual(['__proto__']);
});

test('a header alone, or nothing, has no rows', async () => {
  for (const text of ['', '\n', 'question\n', 'question,note']) expect(await read(text)).toEqual([]);
});
