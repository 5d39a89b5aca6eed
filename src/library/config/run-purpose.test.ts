import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { module } from '../../evaluate/targets/registry.ts';
import { findRun } from '../../look/queries/runs.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { setBaseline } from '../api/baselines.ts';
import { listRuns } from '../api/records.ts';
import { type RunOptions, run } from '../api/runs/run.ts';
import { rescore } from '../api/runs/rescore.ts';
import type { Config } from './config.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-names-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(path.join(folder, 'golden.csv'), 'question,expected_answer\nWhat is 1 + 1?,2\n');

const config: Config = {
  dataset: 'golden.csv',
  targets: [module({ name: 'bot', function: () => '2' })],
  scorecard: { use: 'weighted', criteria: [{ metric: 'exact-match', weight: 1 }] },
};
const runIn = async (store: ReturnType<typeof createMemoryStore>, options: RunOptions) =>
  (await run(config, { folder, store, ...options })).run;

test('a name finds the newest run that has it, and the older one is said', async () => {
  const store = createMemoryStore();
  const notices: string[] = [];
  const observer = { onNotice: ({ message }: { message: string }) => void notices.push(message) };
  const first = await runIn(store, { name: 'prompt v7', note: 'shorter', tags: { prompt: 'v7' }, observer });
  expect(notices).toEqual([]);
  const newest = await runIn(store, { name: 'prompt v7', observer });
  expect(notices).toEqual([
    `Run ${first.id} is called "prompt v7" too: from now on the name means the newer one.`,
  ]);
  expect((await findRun(store, 'prompt v7')).id).toBe(newest.id);
  expect(await findRun(store, 'latest~1')).toMatchObject({ note: 'shorter', tags: { prompt: 'v7' } });
  await expect(findRun(store, 'promt v7')).rejects.toThrow('Did you mean prompt v7?');
});

test('a whole id, latest and a baseline come before a name, and a name before a part of an id', async () => {
  const store = createMemoryStore();
  const first = await runIn(store, { name: 'shared' });
  const named = await runIn(store, { name: 'shared' });
  await setBaseline('shared', first.id, { store });
  expect((await findRun(store, 'shared')).id).toBe(first.id);
  expect((await findRun(store, named.id)).id).toBe(named.id);
  const ofPart = await runIn(store, { name: 'zz' });
  await store.createRun({ ...first, id: '20200101-000000-a9zz' });
  expect((await findRun(store, 'zz')).id).toBe(ofPart.id);
});

test.each([
  'latest',
  'Latest',
  'latest~2',
  'latest~x',
  '20260102-030405-abcd',
  '20260102',
  '20260102-0304',
  'run.jsonl',
  'run.json',
  '',
  '   ',
  ' x',
  '-x',
  'a\u001B[31mb',
  'a\nb',
  'a\u202Eb',
  'x'.repeat(81),
])('a run cannot be called %j, which reads as something else, or as nothing', async (name) => {
  await expect(runIn(createMemoryStore(), { name })).rejects.toMatchObject({ code: 'usage-invalid' });
});

test('a run cannot be called like a baseline or like the end of an id of its store', async () => {
  const store = createMemoryStore();
  const { id } = await runIn(store, {});
  await setBaseline('main', 'latest', { store });
  await expect(runIn(store, { name: 'main' })).rejects.toThrow('a baseline of this store has that name');
  await expect(runIn(store, { name: id.slice(-4) })).rejects.toThrow(`that is the end of the id ${id}`);
});

test.each<Record<string, string>>([{ 'a b': 'x' }, { '': 'x' }, { 'a=b': 'x' }, { a: 'x'.repeat(201) }])(
  'the tags %j are refused, since no filter could name them',
  async (tags) => {
    await expect(runIn(createMemoryStore(), { tags })).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  },
);

test('runs are listed by their names and tags', async () => {
  const store = createMemoryStore();
  await runIn(store, { name: 'release-1', tags: { prompt: 'v7' } });
  await runIn(store, { name: 'release-2', tags: { prompt: 'v8' } });
  const names = async (...filter: string[]) => (await listRuns({ store, filter })).map(({ name }) => name);
  expect(await names()).toEqual(['release-2', 'release-1']);
  expect(await names('tag=prompt=v7')).toEqual(['release-1']);
  expect(await names('tag=prompt')).toEqual(['release-2', 'release-1']);
  expect(await names('name=release-*', 'tag!=prompt=v7')).toEqual(['release-2']);
});

test('answers that are scored again keep the tags, and the name stays with its run', async () => {
  const store = createMemoryStore();
  const first = await runIn(store, { name: 'first', tags: { prompt: 'v7' } });
  const { run: again } = await rescore('first', config, { store, folder });
  expect(again.name).toBeUndefined();
  expect(again.tags).toEqual({ prompt: 'v7' });
  expect((await findRun(store, 'first')).id).toBe(first.id);
});
