import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { datasetFormats } from './dataset.ts';
import { fileError } from './file-source.ts';
import { type OpenDatasetOptions, openDataset, readRows } from './open-dataset.ts';
import * as registry from './registry.ts';

const readers = Object.values(registry);

test('the formats that a config and the command line can name are those of the readers', () => {
  const named = readers.flatMap(({ name, extensions }) => (extensions.length > 0 ? [name] : []));
  expect([...datasetFormats].toSorted()).toEqual(named.toSorted());
});
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'datasets-'));
  const files = {
    'b.jsonl': '{"question":"b"}\n',
    'a.jsonl': '{"question":"a"}\n',
    'c.csv': 'question,category\nc,x\n',
    'd.yml': '- question: d\n',
    'e.JSON': '[{"question":"e"}]',
    'sub/f.jsonl': '{"question":"f"}\n',
    'list.txt': '[{"question":"g"}]',
    'table.data': 'Question\nh\n',
    'prose.txt': 'once upon a time\n',
    'braces[1].jsonl': '{"question":"i"}\n',
    'pointer.jsonl': 'version https://git-lfs.github.com/spec/v1\n',
    'broken.jsonl': '{"a":1}\n{"a":}\n',
  };
  await mkdir(path.join(folder, 'sub'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the name by which a file of the folder is shown in the working folder of the tests. */
const named = (name: string) => displayPath(path.join(folder, name));

async function questions(paths: string[], options: Partial<OpenDatasetOptions> = {}) {
  const dataset = await openDataset({ paths, folder, readers, ...options });
  const drafts = await Array.fromAsync(dataset.drafts());
  return { sources: dataset.sources, questions: drafts.map(({ value }) => value['input']) };
}

test('several files are read in the given order, each by its ending', async () => {
  expect(await questions(['e.JSON', 'c.csv', path.join(folder, 'd.yml'), 'b.jsonl'])).toEqual({
    sources: ['e.JSON', 'c.csv', 'd.yml', 'b.jsonl'].map(named),
    questions: ['e', 'c', 'd', 'b'],
  });
});

test('the matches of a glob are sorted, and each file is read once', async () => {
  expect(await questions(['sub/../b.jsonl', '{a,b}.jsonl', 'sub/**'])).toEqual({
    sources: ['b.jsonl', 'a.jsonl', 'sub/f.jsonl'].map(named),
    questions: ['b', 'a', 'f'],
  });
});

test('a file whose name looks like a glob is a file', async () => {
  expect((await questions(['braces[1].jsonl'])).questions).toEqual(['i']);
});

test('a dataset in files can be read again', async () => {
  const dataset = await openDataset({ paths: ['a.jsonl'], folder, readers });
  expect(await Array.fromAsync(dataset.drafts())).toHaveLength(1);
  expect(await Array.fromAsync(dataset.drafts())).toHaveLength(1);
});

test('the format of a file with an unknown ending is guessed, or set by the config', async () => {
  expect((await questions(['list.txt', 'table.data'])).questions).toEqual(['g', 'h']);
  const { questions: forced } = await questions(['prose.txt'], {
    format: 'csv',
    fields: { 'once upon a time': 'input' },
  });
  expect(forced).toEqual([]);
});

test.each([
  [['a.jsnl'], 'dataset-not-found', 'a.jsnl: there is no such file', 'a.jsonl?'],
  [['nowhere/a.jsonl'], 'dataset-not-found', 'nowhere/a.jsonl: there is no folder', 'Check the path'],
  [['a.jsonl', 'z*.jsonl'], 'dataset-not-found', 'z*.jsonl: no file matches', 'Check the path'],
  [['\u001b[31m.jsonl'], 'dataset-not-found', '␛[31m.jsonl: no file matches', ''],
  [['sub'], 'dataset-unreadable', 'sub: this is a folder', 'sub/*.jsonl'],
  [['pointer.jsonl'], 'dataset-unreadable', 'git-lfs pointer', 'git lfs pull'],
  [['prose.txt'], 'dataset-format', 'prose.txt: neither the name nor the first line', '--dataset-format'],
])('%j is refused when the dataset is opened', async (paths, code, message, remedy) => {
  await expect(openDataset({ paths, folder, readers })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
    remedy: expect.stringContaining(remedy),
  });
});

test.skipIf(process.platform === 'win32')('a named pipe that nothing writes to is refused', async () => {
  await promisify(execFile)('mkfifo', [path.join(folder, 'silent')]);
  const silent = path.join(folder, 'silent');
  await expect(openDataset({ paths: ['silent'], folder, readers })).rejects.toMatchObject({
    code: 'dataset-unreadable',
    message: `${silent}: this is a named pipe, and nothing writes to it`,
    remedy: expect.stringContaining(`cat ${silent} > golden.jsonl`),
  });
});

test('an unknown format is refused with the known ones', async () => {
  await expect(openDataset({ paths: ['a.jsonl'], format: 'xml', folder, readers })).rejects.toMatchObject({
    code: 'dataset-format',
    remedy: 'Use one of csv, json, jsonl, parquet, xlsx, yaml.',
  });
});

test('errors of the file system are described in plain words', () => {
  const messageFor = (code: string) =>
    (fileError(Object.assign(new Error('oh'), { code }), 'a.jsonl') as Error).message;
  expect(messageFor('ENOENT')).toBe('a.jsonl: there is no such file');
  expect(messageFor('EACCES')).toBe('a.jsonl: no permission to read this file');
  expect(messageFor('EISDIR')).toBe('a.jsonl: this is a folder');
  expect(messageFor('EIO')).toBe('a.jsonl: oh');
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a file without permission to read is refused',
  async () => {
    const file = path.join(folder, 'secret.jsonl');
    await writeFile(file, '{}', { mode: 0o000 });
    await expect(openDataset({ paths: ['secret.jsonl'], folder, readers })).rejects.toMatchObject({
      code: 'dataset-unreadable',
      message: `${named('secret.jsonl')}: no permission to read this file`,
    });
    await chmod(file, 0o600);
  },
);

const stdin = async function* (text: string) {
  for (const character of text) yield Buffer.from(character);
};

test.each([
  ['\n[{"question":"a"}]'],
  ['{"question":"a"}\n{"question":"b"}\n'],
  ['{\n "cases": [{"question":"a"}]}'],
  ['question,category\na,x\n'],
  ['question\na\n'],
  ['- question: a, b\n  id: x\n- question: c'],
  ['cases:\n  - question: a\n'],
  ['---\nquestion: a\n---\nquestion: b\n'],
])('the format of standard input %j is guessed', async (text) => {
  const { sources, questions: read } = await questions(['-'], { stdin: stdin(text) });
  expect(sources).toEqual(['<stdin>']);
  expect(read[0]).toMatch(/^a(, b)?$/);
});

test('standard input is read in the configured format', async () => {
  expect((await questions(['-'], { stdin: stdin('- question: a\n'), format: 'yaml' })).questions).toEqual([
    'a',
  ]);
});

test('standard input of an unknown format is refused', async () => {
  await expect(questions(['-'], { stdin: stdin('once upon a time') })).rejects.toMatchObject({
    code: 'dataset-format',
    message: expect.stringContaining('<stdin>'),
    remedy: expect.stringContaining('--dataset-format'),
  });
});

test('standard input can be read only once', async () => {
  const input = createReadStream(path.join(folder, 'a.jsonl'));
  const dataset = await openDataset({ paths: ['-', '-'], folder, readers, stdin: input });
  expect(await Array.fromAsync(dataset.drafts())).toHaveLength(1);
  await expect(Array.fromAsync(dataset.drafts())).rejects.toMatchObject({
    code: 'dataset-unreadable',
    message: '<stdin>: this can be read only once',
  });
});

test.skipIf(process.platform === 'win32')('a named pipe is read like standard input', async () => {
  const pipe = path.join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const [, read] = await Promise.all([writeFile(pipe, '{"question":"a"}\n'), questions(['pipe'])]);
  expect(read.questions).toEqual(['a']);
});

test('rows of a data file are read unchanged, up to the first invalid one', async () => {
  const rows = readRows({ path: 'c.csv', folder, readers });
  expect((await Array.fromAsync(rows)).map(({ value }) => value)).toEqual([{ question: 'c', category: 'x' }]);
  const broken = readRows({ path: 'broken.jsonl', folder, readers });
  expect((await broken.next()).value?.value).toEqual({ a: 1 });
  await expect(broken.next()).rejects.toMatchObject({
    code: 'dataset-invalid',
    message: `${named('broken.jsonl')}:2:6: expected a value but found '}'`,
  });
});
