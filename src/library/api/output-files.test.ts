import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteUserFile } from '../../core/lib/user-code/user-files.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import { runScores } from '../../../test/support/gated-run.ts';
import { checkOutputFiles } from './output-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'outputs-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const inFolder = (name: string) => path.join(folder, name);
const write = async (name: string, text: string) => await writeFile(inFolder(name), text);

/** Checks files against a store in the folder, whose runs were asked from `memory.jsonl`. */
async function check(...names: readonly string[]): Promise<string> {
  await mkdir(inFolder('.touchstone'), { recursive: true });
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  try {
    await runScores([{ scores: [1] }], { store });
    await checkOutputFiles(names.map(inFolder), { store });
    return 'may be written';
  } catch (error) {
    return (error as Error).message.replaceAll(folder, '').replace(/run \S+/, 'run R');
  } finally {
    await store.close();
  }
}

test('the questions of a run of the store are not replaced, under any name of their file', async () => {
  await write('memory.jsonl', '');
  await symlink('memory.jsonl', inFolder('link.jsonl'));
  expect(await check('memory.jsonl')).toBe(
    '/memory.jsonl is not replaced: run R read its questions from it.',
  );
  expect(await check('link.jsonl')).toBe('/link.jsonl is not replaced: run R read its questions from it.');
  expect(await check('other.jsonl')).toBe('may be written');
});

test.each([
  ['dataset: data.md', 'data.md'],
  ['dataset: my data.md # all', 'my data.md'],
  ['dataset:\n  - a.jsonl\n  - data.md', 'data.md'],
  ['targets: [{ use: replay, answers: data.md }, { use: x, knowledge: other.md }]', 'other.md'],
  ['dataset: { path: [a.jsonl, data.md] }', 'data.md'],
  ['dataset: "sub/../data.md"', 'data.md'],
])('the config %j in the folder protects %s', async (config, name) => {
  await write('touchstone.config.yaml', config);
  await write(name, '');
  expect(await check(name)).toContain('touchstone.config.yaml names it');
  expect(await check('touchstone.config.yaml')).toContain('Touchstone reads it');
});

test.each([
  ['nightly.yaml', 'dataset: golden.csv\ntargets:\n  - { use: module, path: bot.mjs }'],
  ['eval.mjs', 'export default {\n  targets: [],\n};'],
  ['eval.ts', 'export default defineConfig({ ...shared });'],
])('a config under another name, %s, is not replaced', async (name, config) => {
  await write(name, config);
  expect(await check(name)).toBe(`/${name} is not replaced: Touchstone reads it.`);
});

test('a file of YAML that is no config is replaced', async () => {
  await write('eval.yaml', '{"results": {"targets": []}}');
  expect(await check('eval.yaml')).toBe('may be written');
});

test('a file that no config and no run names is replaced, and a new one may have any name', async () => {
  await write('touchstone.config.ts', "export default { dataset: 'golden.jsonl', notes: 'report' };");
  await write('report.md', '');
  expect(await check('report.md', 'golden.jsonl', 'new/folder/report.md')).toBe('may be written');
  expect(await readdir(inFolder('new'))).toEqual(['folder']);
});

test('a config that was read and is gone does no harm', async () => {
  noteUserFile(inFolder('gone.yaml'));
  await write('report.md', '');
  expect(await check('report.md')).toBe('may be written');
});
