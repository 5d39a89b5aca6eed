import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { buildXlsx } from '../../../../test/support/build-xlsx.ts';
import { openContent } from './open-content.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'import-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function open(name: string, content: string | Buffer) {
  writeFileSync(path.join(folder, name), content);
  return await openContent(path.join(folder, name));
}

test.each([
  [
    'a.json',
    '\uFEFF{"a": [NaN, -Infinity, "NaN \\" NaN"]}',
    { form: 'json', value: { a: ['NaN', '-Infinity', 'NaN " NaN'] } },
  ],
  ['b.jsonl', '{"a": 1}\r\n\n{"a": NaN}\n', { form: 'jsonl', rows: [{ a: 1 }, { a: 'NaN' }] }],
  [
    'c.csv',
    'q,score,score\n"a\nb",1,2\n',
    { form: 'csv', header: ['q', 'score', 'score'], rows: [['a\nb', '1', '2']] },
  ],
  ['d.yaml', 'tests:\n  - vars: {q: hi}\n', { form: 'yaml', value: { tests: [{ vars: { q: 'hi' } }] } }],
  ['e.json.gz', gzipSync('[1]'), { form: 'json', value: [1] }],
])('%s is recognised by its content', async (name, content, expected) => {
  expect(await open(name, content)).toMatchObject(expected);
});

test('the first sheet of a workbook is a table, and a workbook that unpacks to gigabytes is refused', async () => {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = `<row r="1">${cell('A1', 'id')}${cell('B1', 'input')}</row><row r="2">${cell('A2', 'a')}${cell('B2', 'Who?')}</row>`;
  expect(await open('book.xlsx', buildXlsx(rows))).toMatchObject({
    form: 'csv',
    header: ['id', 'input'],
    rows: [['a', 'Who?']],
    otherSheets: [],
  });
  expect(await open('book.xlsx', buildXlsx(rows, [], ['Q&amp;A', 'Old']))).toMatchObject({
    rows: [['a', 'Who?']],
    otherSheets: ['Q&A', 'Old'],
  });
  const part = Buffer.alloc(100 * 2 ** 20, ' ');
  const bomb = zipOf(['xl/workbook.xml', 'xl/a.xml', 'xl/b.xml'], deflateRawSync(part), part.length);
  await expect(open('bomb.xlsx', bomb)).rejects.toThrow('more than 256 MB when it is unpacked');
});

/** Builds an archive whose entries share the same packed bytes. */
function zipOf(names: readonly string[], packed: Buffer, size: number): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const table = names.map((name) => {
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    row.writeUInt16LE(8, 10);
    row.writeUInt32LE(packed.length, 20);
    row.writeUInt32LE(size, 24);
    row.writeUInt16LE(name.length, 28);
    return Buffer.concat([row, Buffer.from(name)]);
  });
  const contents = Buffer.concat(table);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, contents, end]);
}

test('tags of YAML that stand for code are texts, and nested aliases are refused', async () => {
  const tagged = await open(
    'code.yaml',
    'a: !!js/function "function () { process.exit(9) }"\nb: !!python/object/apply:os.system ["x"]\n',
  );
  expect(tagged).toMatchObject({ value: { a: 'function () { process.exit(9) }' } });
  const aliases = Array.from(
    { length: 20 },
    (_, index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]`,
  );
  const bomb = ['a: &a [x, x]', ...aliases].join('\n').replaceAll('*a-1', '*a');
  await expect(open('bomb.yaml', bomb)).rejects.toThrow(/alias/);
});

test.each([
  ['broken.jsonl', '{"a": 1}\n{"a": \n', /broken\.jsonl:2: the line is no JSON/],
  ['broken.json', '{"a": [1,', /no JSON/],
  ['broken.csv', 'a,b\n1,"2\n', /broken\.csv:2/],
  ['broken.gz', gzipSync('x'.repeat(1000)).subarray(0, 20), /damaged or cut off/],
  ['binary.yaml', Buffer.from([0xff, 0xfe, 0x00, 0x81]), /UTF-8/],
  [
    'store.db',
    Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(99, 0xff)]),
    /a SQLite database/,
  ],
  ['broken.yaml', 'a: [1\nb: }', /./],
])('%s ends in a message', async (name, content, message) => {
  await expect(open(name, content)).rejects.toMatchObject({ code: 'import-invalid' });
  await expect(open(name, content)).rejects.toThrow(message);
});

test('files beside an imported one are read, and no others', async () => {
  mkdirSync(path.join(folder, 'inner'));
  writeFileSync(path.join(folder, 'inner', 'ok.txt'), 'inside');
  symlinkSync('/etc/hostname', path.join(folder, 'inner', 'link.txt'));
  const content = await openContent(path.join(folder, 'inner'));
  if (content.form !== 'folder') return expect.unreachable();
  expect(content.names).toEqual(['ok.txt']);
  expect(content.files.read('ok.txt')).toBe('inside');
  for (const outside of ['../a.json', '/etc/hostname', 'x/../../a.json', 'link.txt']) {
    expect(() => content.files.read(outside)).toThrow('leads out of the folder');
  }
  expect(() => content.files.read('missing.txt')).toThrow('no such file');
});

test('a path may lead into the root that is named, and no further; a root beside the file is refused', async () => {
  const inner = path.join(folder, 'team', 'evals');
  mkdirSync(inner, { recursive: true });
  writeFileSync(path.join(folder, 'team', 'prompt.txt'), 'Answer.');
  writeFileSync(path.join(folder, 'outside.txt'), 'no');
  const file = path.join(inner, 'c.yaml');
  writeFileSync(file, 'prompts: [file://../prompt.txt]\n');
  const filesOf = async (root?: string) => {
    const opened = await openContent(file, { root });
    return 'files' in opened ? opened.files : undefined;
  };
  const wide = await filesOf(path.join(folder, 'team'));
  expect(wide?.read('../prompt.txt')).toBe('Answer.');
  expect(() => wide?.read('../../outside.txt')).toThrow(/leads out of the root/);
  expect(() => wide?.read('..')).toThrow(/leads out|no file/);
  const own = await filesOf();
  expect(() => own?.read('../prompt.txt')).toThrow(/leads out of the folder/);
  await expect(filesOf(path.join(folder, 'other'))).rejects.toMatchObject({ code: 'import-invalid' });
});
