import { readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

async function project(config: object, rows: string, files: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'golden.jsonl'), rows);
  await writeFile(
    path.join(folder, 'touchstone.config.json'),
    JSON.stringify({ dataset: 'golden.jsonl', ...config }),
  );
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

const bad = '{"question":"fine?"}\n{"question":""}\n';

test('a missing key, an absent bot and a bad row are reported together, the dataset first', async () => {
  const http = { use: 'http', name: 'bot', url: 'http://127.0.0.1:9/chat' };
  const withKey = { ...http, headers: { authorization: 'Bearer {{env.NO_SUCH_KEY_HERE}}' } };
  for (const [target, said] of [
    [withKey, 'NO_SUCH_KEY_HERE'],
    [http, '127.0.0.1:9'],
  ] as const) {
    const cwd = await project({ targets: [target] }, bad);
    const { code, stderr } = await touchstone(['run'], { cwd });
    expect([code, stderr.indexOf('golden.jsonl:2') < stderr.indexOf(said)]).toEqual([4, true]);
    expect(stderr).toContain('golden.jsonl:2');
    expect(stderr).toContain(said);
  }
});

test.each([0, 1, 2])(
  'a store deleted during question %i is noticed, and the message does not claim that anything is kept',
  async (asked) => {
    const rows = [0, 1, 2].map((index) => `{"id":"q${index}","question":"Question ${index}?"}`);
    const bot = `import { rmSync } from 'node:fs';
export default async (question) => {
  if (question === 'Question ${asked}?') rmSync('.touchstone', { recursive: true });
  return 'yes';
};`;
    const config = { targets: [{ use: 'module', path: 'bot.mjs' }], concurrency: 1 };
    const cwd = await project(config, rows.join('\n'), { 'bot.mjs': bot });
    const { code, stderr } = await touchstone(['run'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/The store in \S+ was deleted during the run: nothing of run \S+ is stored/);
    expect(stderr).not.toContain('Answers received so far are stored');
  },
);

test("an invalid reply of a user's target fails one trial, not the run", async () => {
  const folder = await project(
    {},
    '{"id":"a","question":"A?"}\n{"id":"b","question":"B?"}\n{"id":"c","question":"C?"}',
  );
  await rm(path.join(folder, 'touchstone.config.json'));
  const library = path.resolve(import.meta.dirname, '..', 'dist', 'index.js');
  await writeFile(
    path.join(folder, 'touchstone.config.mjs'),
    `import { defineConfig, defineTarget, z } from ${JSON.stringify(library)};
const replies = { a: { status: 'completed', answer: 'yes' }, b: { answer: 5 }, c: { answer: 'x', toolCalls: [7] } };
const mine = defineTarget({ name: 'mine', version: 1, summary: 'Mine.', options: z.object({}),
  create: () => ({ call: async ({ caseId }) => replies[caseId] }) });
export default defineConfig({ dataset: 'golden.jsonl', targets: [mine({})] });`,
  );
  const { code, stdout } = await touchstone(['run', '--json', '--output', 'results.csv'], { cwd: folder });
  expect(code).toBe(2);
  const { results } = JSON.parse(stdout) as {
    results: { trial: { status: string; error?: { message: string } } }[];
  };
  expect(results.map(({ trial }) => trial.error?.message ?? trial.status)).toEqual([
    'completed',
    'its answer is the number 5, where that is a text, or null for none',
    'toolCalls[0] is the number 7, which is invalid',
  ]);
  expect(readdirSync(folder)).toContain('results.csv');
  expect(readdirSync(path.join(folder, '.touchstone'))).toContain('.gitignore');
});

test('a YAML config from `init` refers to its JSON Schema by a path that exists in the project', async () => {
  const cwd = await temporaryFolder();
  expect((await touchstone(['init', 'eval', '--target', 'command'], { cwd })).code).toBe(0);
  const folder = path.join(cwd, 'eval');
  const [first = ''] = (await readFile(path.join(folder, 'touchstone.config.yaml'), 'utf8')).split('\n');
  const [, schema = ''] = /^# yaml-language-server: \$schema=(.+)$/.exec(first) ?? [];
  const { properties } = JSON.parse(await readFile(path.resolve(folder, schema), 'utf8')) as {
    properties: object;
  };
  expect(properties).toHaveProperty('dataset');
});
