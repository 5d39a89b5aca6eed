import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findConfig } from './load-config.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'find-config-'));
  for (const name of ['both', 'yaml', 'empty']) await mkdir(path.join(folder, name));
  for (const name of [
    'both/touchstone.config.yaml',
    'both/touchstone.config.ts',
    'yaml/touchstone.config.yml',
  ]) {
    await writeFile(path.join(folder, name), '');
  }
});
afterAll(() => rm(folder, { recursive: true }));

test('a file is used as it is; in a folder the config is looked up, TypeScript first', async () => {
  const find = async (name: string) => path.relative(folder, await findConfig(path.join(folder, name)));
  expect(await find('both/touchstone.config.yaml')).toBe(path.join('both', 'touchstone.config.yaml'));
  expect(await find('both')).toBe(path.join('both', 'touchstone.config.ts'));
  expect(await find('yaml')).toBe(path.join('yaml', 'touchstone.config.yml'));
});

test.each([
  ['empty', /^There is no touchstone\.config\.ts \(\.js, \.yaml, \.json\) in .*empty\.$/],
  [
    'yaml/touchstone.config.yaml',
    /^There is no file or folder .*\. Did you mean ".*touchstone\.config\.yml"\?$/,
  ],
  ['nowhere/at/all', /^There is no file or folder .*all\.$/],
])('%s is refused', async (name, message) => {
  await expect(findConfig(path.join(folder, name))).rejects.toMatchObject({
    code: 'config-not-found',
    message: expect.stringMatching(message),
  });
});
