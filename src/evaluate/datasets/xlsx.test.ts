import { expect, test } from 'vitest';
import { buildXlsx, zip } from '../../../test/support/build-xlsx.ts';
import { piecesOf } from './json.ts';
import { xlsx } from './xlsx.ts';

async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
}

const read = (bytes: Buffer, name = 'golden.xlsx') =>
  Array.fromAsync(xlsx.read({ name, read: () => piecesOf(''), bytes: () => inPieces(bytes) }));

const text = (place: string, value: string) =>
  `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;

test('a sheet is read like its CSV: texts, numbers, booleans, times and results of formulas', async () => {
  const header = ['id', 'question', 'number', 'when', 'flag', 'formula'];
  const rows = [
    `<row r="1">${header.map((name, index) => text(`${'ABCDEF'.charAt(index)}1`, name)).join('')}</row>`,
    `<row r="2"><c r="A2" t="s"><v>0</v></c>${text('B2', ' Who?\nNow ')}<c r="C2"><v>0.30000000000000004</v></c>`,
    `<c r="D2" s="1"><v>46064</v></c><c r="E2" t="b"><v>1</v></c><c r="F2" t="str"><f>A1</f><v>seen</v></c></row>`,
    `<row r="4"><c r="A4" t="s"><v>1</v></c>${text('B4', 'Why?')}<c r="C4" s="3"><v>0.45</v></c>`,
    `<c r="D4" s="2"><v>46064.395833333336</v></c><c r="E4" t="b"><v>0</v></c><c r="F4"><f>1+2</f><v>3</v></c></row>`,
    `<row r="5">${text('A5', '7')}${text('B5', 'When?')}<c r="C5"><v>2024</v></c><c r="D5" s="2"><v>0.395833333333333</v></c></row>`,
  ];
  const found = await read(
    buildXlsx(rows.join(''), ['<t>a &amp; b</t>', '<r><t>rich </t></r><r><t>text</t></r>']),
  );
  expect(found.map(({ value }) => value)).toEqual([
    {
      id: 'a & b',
      question: ' Who?\nNow ',
      number: '0.3',
      when: '2026-02-11',
      flag: 'TRUE',
      formula: 'seen',
    },
    {
      id: 'rich text',
      question: 'Why?',
      number: '0.45',
      when: '2026-02-11 09:30:00',
      flag: 'FALSE',
      formula: '3',
    },
    { id: '7', question: 'When?', number: '2024', when: '09:30:00' },
  ]);
});

test('the place of a cell is its row and column in the sheet', async () => {
  const rows = `<row r="2">${text('B2', 'id')}${text('C2', 'question')}</row><row r="4">${text('B4', 'x')}${text('C4', 'Who?')}</row>`;
  const [found] = await read(buildXlsx(rows));
  expect(found?.place).toEqual({ file: 'golden.xlsx', line: 4, column: 1 });
  expect(found?.locate(['question'])).toEqual({ file: 'golden.xlsx', line: 4, column: 3 });
});

test.each([
  ['<c r="B2" t="e"><v>#N/A</v></c>', 'the cell contains the error #N/A'],
  ['<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', 'the cell contains the error #DIV/0!'],
  ['<c r="B2"><f>1+2</f><v></v></c>', 'the cell contains a formula without its result'],
  ['<c r="B2" s="0"><f>1+2</f></c>', 'the cell contains a formula without its result'],
])('a cell with a missing value is a problem of its row: %s', async (broken, message) => {
  const header = `<row r="1">${text('A1', 'question')}${text('B1', 'expected_answer')}</row>`;
  const rows = `<row r="2">${text('A2', 'Who?')}${broken}</row><row r="3">${text('A3', 'Why?')}</row>`;
  const [first, second] = await read(buildXlsx(header + rows));
  expect(first?.problem).toMatchObject({ place: { file: 'golden.xlsx', line: 2, column: 2 }, message });
  expect(second).toMatchObject({ value: { question: 'Why?' } });
});

test('a formula with an empty text as its result is an empty cell', async () => {
  const header = `<row r="1">${text('A1', 'question')}${text('B1', 'note')}</row>`;
  const row = `<row r="2">${text('A2', 'Who?')}<c r="B2" t="str"><f>""</f><v></v></c></row>`;
  expect(await read(buildXlsx(header + row))).toMatchObject([{ value: { question: 'Who?' } }]);
});

test('two columns of the same name are refused, with the place of the second', async () => {
  const rows = `<row r="1">${text('A1', 'question')}${text('B1', 'question')}</row>`;
  await expect(read(buildXlsx(rows))).rejects.toThrow('golden.xlsx:1:2: two columns are named "question"');
});

test.each([
  [Buffer.from('question\nWho?\n'), 'golden.xlsx', /not an Excel workbook/, /ending of its format/],
  [Buffer.from('\xd0\xcf\x11\xe0\xa1', 'latin1'), 'golden.xlsx', /old Excel/, /CSV UTF-8/],
  [zip({ 'a.txt': 'a' }), 'golden.xlsx', /cannot be read as an Excel workbook/, /CSV UTF-8/],
  [buildXlsx('').subarray(0, 600), 'golden.xlsx', /cannot be read as an Excel workbook/, /CSV UTF-8/],
  [Buffer.from('x'), '~$golden.xlsx', /lock file/, /file itself/],
])('a file that is not a workbook is refused: %#', async (bytes, name, message, remedy) => {
  const refused = { code: 'dataset-unreadable', message: expect.stringMatching(message) };
  await expect(read(bytes, name)).rejects.toMatchObject({
    ...refused,
    remedy: expect.stringMatching(remedy),
  });
});

test('a long id keeps its digits; a decimal is what a spreadsheet program shows', async () => {
  const cells = [
    `<row r="1">${text('A1', 'id')}${text('B1', 'question')}${text('C1', 'sum')}</row>`,
    `<row r="2"><c r="A2"><v>1290461237612345677</v></c>${text('B2', 'a')}<c r="C2"><v>44.999999999999993</v></c></row>`,
    `<row r="3"><c r="A3"><v>1.2904612376123456E+18</v></c>${text('B3', 'b')}<c r="C3"><v>5</v></c></row>`,
  ];
  const rows = await read(buildXlsx(cells.join('')));
  expect(rows.map(({ value }) => value)).toEqual([
    { id: '1290461237612345677', question: 'a', sum: '45' },
    { id: '1290461237612350000', question: 'b', sum: '5' },
  ]);
});
