import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { openContent } from './open-content.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'import-'));
afterAll(() => rmSync(folder, { recursive: true }));

function open(name: string, content: string | Buffer) {
  writeFileSync(path.join(folder, name), content);
  return openContent(path.join(folder, name));
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
])('%s is recognised by its content', (name, content, expected) => {
  expect(open(name, content)).toMatchObject(expected);
});

test('tags of YAML that stand for code are texts, and nested aliases are refused', () => {
  const tagged = open(
    'code.yaml',
    'a: !!js/function "function () { process.exit(9) }"\nb: !!python/object/apply:os.system ["x"]\n',
  );
  expect(tagged).toMatchObject({ value: { a: 'function () { process.exit(9) }' } });
  const aliases = Array.from(
    { length: 20 },
    (_, index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]`,
  );
  const bomb = ['a: &a [x, x]', ...aliases].join('\n').replaceAll('*a-1', '*a');
  expect(() => open('bomb.yaml', bomb)).toThrow(/alias/);
});

test.each([
  ['broken.jsonl', '{"a": 1}\n{"a": \n', /broken\.jsonl:2: the line is no JSON/],
  ['broken.json', '{"a": [1,', /no JSON/],
  ['broken.csv', 'a,b\n1,"2\n', /broken\.csv:2/],
  ['broken.gz', gzipSync('x'.repeat(1000)).subarray(0, 20), /damaged or cut off/],
  ['binary.yaml', Buffer.from([0xff, 0xfe, 0x00, 0x81]), /UTF-8/],
  ['broken.yaml', 'a: [1\nb: }', /./],
])('%s ends in a message', (name, content, message) => {
  expect(() => open(name, content)).toThrow(expect.objectContaining({ code: 'import-invalid' }));
  expect(() => open(name, content)).toThrow(message);
});

test('files beside an imported one are read, and no others', () => {
  mkdirSync(path.join(folder, 'inner'));
  writeFileSync(path.join(folder, 'inner', 'ok.txt'), 'inside');
  symlinkSync('/etc/hostname', path.join(folder, 'inner', 'link.txt'));
  const content = openContent(path.join(folder, 'inner'));
  if (content.form !== 'folder') return expect.unreachable();
  expect(content.names).toEqual(['ok.txt']);
  expect(content.files.read('ok.txt')).toBe('inside');
  for (const outside of ['../a.json', '/etc/hostname', 'x/../../a.json', 'link.txt']) {
    expect(() => content.files.read(outside)).toThrow('leads out of the folder');
  }
  expect(() => content.files.read('missing.txt')).toThrow('no such file');
});
