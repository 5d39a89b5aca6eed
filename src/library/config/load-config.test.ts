import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { loadConfig } from './load-config.ts';

// Imported configs are tested in test/config.test.ts, since the import of the test runner differs from Node's.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'load-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(name: string, text: string | Uint8Array) {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return await loadConfig(file);
}

async function refusal(name: string, text: string | Uint8Array): Promise<string> {
  const error = await load(name, text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'config-unreadable' });
  return (error as Error).message.replace(displayPath(folder) + path.sep, '');
}

const yaml = '# why\ndataset: a.csv\ntargets:\n  - use: module\n    path: bot.ts\ngate: { failUnder: 80 }\n';
const written = {
  dataset: 'a.csv',
  targets: [{ use: 'module', path: 'bot.ts' }],
  gate: { failUnder: 80 },
};

test('YAML and JSON are read alike, also with a byte order mark and in UTF-16', async () => {
  const json = JSON.stringify(written);
  for (const [name, text] of [
    ['a.yaml', yaml],
    ['a.yml', `\ufeff${yaml.replaceAll('\n', '\r\n')}`],
    ['a.json', json],
    ['b.json', Buffer.from(`\ufeff${json}`, 'utf16le')],
  ] as const) {
    expect((await load(name, text)).written).toEqual(written);
  }
});

test('settings are located: values, names, and the surroundings of a missing one', async () => {
  const { locate, file } = await load('c.yaml', yaml);
  const where = async (at: readonly PropertyKey[], isName = false) =>
    (await locate({ path: at, isName })).replace(`${displayPath(file)}:`, '');
  expect(await where(['gate', 'failUnder'])).toBe('6:20');
  expect(await where(['gate', 'failUnder'], true)).toBe('6:9');
  expect(await where(['targets', 0, 'path'])).toBe('5:11');
  expect(await where(['targets', 0, 'path'], true)).toBe('5:5');
  expect(await where(['targets', 0, 'export'])).toBe('4:5');
  expect(await where(['targets', 7, 'path'])).toBe('4:3');
  expect(await where(['store'])).toBe('2:1');
});

test('settings in JSON are located by their path', async () => {
  const text =
    '{\n  "dataset": "a \\"b\\": c.csv",\n  "targets": [{ "use": "module" }, { "use": "module" }]\n}\n';
  const { written, locate, file } = await load('k.json', text);
  expect(written).toEqual(JSON.parse(text));
  expect(await locate({ path: ['targets', 1, 'use'] })).toBe(`${displayPath(file)}:3:45`);
});

test('JSON with a trailing comma is read as YAML', async () => {
  expect((await load('l.json', '{ "dataset": "a.csv", }')).written).toEqual({ dataset: 'a.csv' });
});

test.each([
  ['d.yaml', 'dataset: [a\ntargets:\n', 'd.yaml:2:1: expected ] to close what began before'],
  ['d.json', '{"dataset": "a"\n "targets": []}', `d.json:2:2: expected ',' or '}' but found '"'`],
  ['d.json', '{"dataset": "a",\n "dataset": "b"}', 'd.json:2:2: two fields with the same name'],
  ['d.json', '{"targets": [{"use": "a", "use": "b"}]}', 'd.json:1:27: two fields with the same name'],
  ['e.json', '', 'e.json: the file is empty'],
  ['e.yaml', '', 'e.yaml: the file is empty'],
  ['f.yaml', '# nothing\n', 'f.yaml: the file is empty'],
  ['g.yaml', 'dataset: *nothing\n', 'g.yaml: Unresolved alias'],
  ['h.jsonl', '{"question":"a"}\n', 'h.jsonl is a dataset, not a configuration.'],
  ['h.csv', 'question\na\n', 'h.csv is a dataset, not a configuration.'],
  [
    'i.yaml',
    Buffer.from('dataset: f\xfcr', 'latin1'),
    'i.yaml:1:11: the byte 0xFC (byte offset 10) is not UTF-8',
  ],
  ['j.yaml', 'version https://git-lfs.github.com/spec/v1\n', 'j.yaml: this is a git-lfs pointer'],
])('%s is refused', async (name, text, message) => {
  expect(await refusal(name, text)).toContain(message);
});
