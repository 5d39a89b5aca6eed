import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { run } from '../api/runs/run.ts';
import { createMemoryStore, memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite/sqlite.ts';
import { defineStore, type Store } from '../../stores/store.ts';
import { module } from '../../evaluate/targets/module.ts';
import type { Config } from './config.ts';
import { loadEvaluation } from './load-evaluation.ts';
import { openStoreOf, storeElsewhere, storeFolderOf } from './open-store-of.ts';
import { checkConfig } from './resolve.ts';
import type { StoreSetting } from './store-setting.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-store-of-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rest = { dataset: 'golden.jsonl', targets: [{ use: 'module', path: './bot.ts' }] };
const configOf = (store?: StoreSetting) => ({ config: checkConfig({ ...rest, store }), folder });

test('a folder, the options of sqlite and a named store are the same store', async () => {
  const forms: StoreSetting[] = [
    'runs',
    { path: 'runs' },
    { use: 'sqlite', path: 'runs' },
    sqliteStore({ path: 'runs', durability: 'power' }),
  ];
  for (const form of forms) {
    const store = openStoreOf(configOf(form));
    expect(store.address).toBe(path.join(folder, 'runs', 'touchstone.db'));
    await store.close();
    expect(storeFolderOf(configOf(form))).toBe(path.join(folder, 'runs'));
  }
  expect(storeFolderOf(configOf())).toBe(path.join(folder, '.touchstone'));
});

test('where there is no store yet, one that is only read is empty, and nothing is created', async () => {
  const store = openStoreOf(configOf('nowhere'), { opening: 'existing' });
  expect(await store.listRuns()).toEqual([]);
  await store.close();
  expect(existsSync(path.join(folder, 'nowhere'))).toBe(false);
  writeFileSync(path.join(folder, 'file'), '');
  expect(() => openStoreOf(configOf('file'), { opening: 'existing' })).toThrow(
    expect.objectContaining({ code: 'store-unreadable' }),
  );
});

test('a store in memory is named like every other, and has no folder', async () => {
  for (const form of [memoryStore(), { use: 'memory' }]) {
    expect(openStoreOf(configOf(form)).address).toBe('memory');
    expect(storeFolderOf(configOf(form))).toBeUndefined();
  }
});

test('an address is a store in PostgreSQL, which is named without its password and has no folder', async () => {
  const url = 'postgresql://ann:secret@db.example.org:5433/evals?sslmode=require';
  for (const form of [url, { use: 'postgres', url }]) {
    const store = openStoreOf(configOf(form));
    expect(store.address).toBe('postgres://ann@db.example.org:5433/evals');
    await store.close();
    expect(storeFolderOf(configOf(form))).toBeUndefined();
  }
  expect(storeElsewhere('runs', 'postgres://db/evals')).toEqual({
    use: 'postgres',
    url: 'postgres://db/evals',
  });
  expect(() => storeElsewhere('runs', url)).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
});

test('another folder replaces the store of the config and keeps the other options of sqlite', () => {
  const there = path.resolve('there');
  const setting = storeElsewhere({ path: 'runs', durability: 'power' }, 'there');
  expect(setting).toEqual({ use: 'sqlite', path: there, durability: 'power' });
  expect(storeElsewhere(memoryStore(), 'there')).toEqual({ use: 'sqlite', path: there });
  expect(storeElsewhere('runs', 'there')).toEqual({ use: 'sqlite', path: there });
});

test.each([
  ['store: ""', '4:8: store: expected '],
  ['store: 3', '4:8: store: expected '],
  ['store: { use: sqlit }', '4:8: store: there is no store "sqlit". Did you mean "sqlite"?'],
  ['store: { use: memory, path: runs }', '4:23: store.path: unknown setting. No settings are allowed here.'],
  ['store: { durabilty: power }', '4:10: store.durabilty: unknown setting. Did you mean "durability"?'],
  ['store: { use: postgres }', '4:8: store: expected either `url` or `urlEnv`'],
  [
    'store: { use: postgres, url: "mysql://a:hidden@b" }',
    '4:30: store.url: expected an address such as postgres://',
  ],
  ['store: { use: sqlite, durability: disk }', '4:35: store.durability: expected '],
])('%s is refused with its place in the file', async (line, message) => {
  const file = path.join(folder, 'touchstone.config.yaml');
  writeFileSync(file, `dataset: golden.jsonl\ntargets:\n  - { use: module, path: ./bot.ts }\n${line}\n`);
  await expect(loadEvaluation(file)).rejects.toMatchObject({
    message: expect.stringContaining(`touchstone.config.yaml:${message}`),
  });
});

/** A store of a user: one in memory that stays as long as the process, with a log of the runs that were created. */
function createKeptStore() {
  const kept = createMemoryStore();
  const created: string[] = [];
  const keptStore = defineStore({
    name: 'kept',
    version: 1,
    summary: 'Runs in memory, for as long as the process.',
    options: z.strictObject({ label: z.string().default('kept') }),
    create: ({ label }): Store => ({
      ...kept,
      address: label,
      createRun: async (planned, sharing) => {
        created.push(planned.id);
        await kept.createRun(planned, sharing);
      },
      close: async () => {},
    }),
  });
  return { keptStore, created };
}

test("a config names a user's own store, whose options are checked and whose runs are kept", async () => {
  const { keptStore, created } = createKeptStore();
  writeFileSync(
    path.join(folder, 'golden.jsonl'),
    '{"id":"a","question":"Hello?","expected_answer":"Hello!"}\n',
  );
  const config: Config = {
    dataset: 'golden.jsonl',
    targets: [module({ name: 'bot', function: () => 'Hello!' })],
    metrics: ['exact-match'],
    scorecard: { use: 'weighted', criteria: [{ metric: 'exact-match', weight: 1 }] },
    store: keptStore({ label: 'here' }),
  };
  const { run: made } = await run(config, { folder });
  expect(created).toEqual([made.id]);
  const store = openStoreOf({ config: checkConfig(config), folder });
  expect([store.address, (await store.readRun(made.id))?.status]).toEqual(['here', 'completed']);
  expect(() => checkConfig({ ...config, store: keptStore({ label: 3 as never }) })).toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ path: ['store', 'label'] })] }),
  );
  expect(() => checkConfig({ ...config, store: config.targets[0] })).toThrow(
    expect.objectContaining({ issues: [{ path: ['store'], message: '"module" is a target, not a store' }] }),
  );
});
