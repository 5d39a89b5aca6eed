import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { module } from '../../../evaluate/targets/registry.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Config } from '../../config/config.ts';
import { setBaseline } from '../baselines.ts';
import { exportRun } from '../archive.ts';
import { listRuns } from '../records.ts';
import { ab } from './ab.ts';
import { rescore } from './rescore.ts';
import { run } from './run.ts';
import { score } from './score.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-made-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  path.join(folder, 'golden.csv'),
  'question,expected_answer\nWhat is 1 + 1?,2\nWhat is 1 + 2?,3\n',
);

let calls = 0;
let onCall = () => {};
const bot = module({
  name: 'bot',
  function: () => {
    calls += 1;
    onCall();
    return '2';
  },
});
const config: Config = {
  dataset: 'golden.csv',
  targets: [bot],
  scorecard: { use: 'weighted', criteria: [{ metric: 'exact-match', weight: 1 }] },
};

test('a baseline that is not there is refused before anything is asked, and no store is left', async () => {
  const before = calls;
  const place = { folder, store: 'none' };
  await expect(run(config, { ...place, baseline: 'mian' })).rejects.toThrow('There is no baseline "mian".');
  const gated = { ...config, gate: { baseline: 'mian' } };
  await expect(run(gated, place)).rejects.toThrow('There is no baseline "mian".');
  expect(calls).toBe(before);
  expect(existsSync(path.join(folder, 'none'))).toBe(false);
});

test('questions that cannot be read leave no store', async () => {
  writeFileSync(path.join(folder, 'broken.jsonl'), '{"question": "What');
  await expect(run({ ...config, dataset: 'broken.jsonl' }, { folder, store: 'none' })).rejects.toThrow();
  expect(existsSync(path.join(folder, 'none'))).toBe(false);
});

test('a store is named by its folder, a gate by options, and the unfinished run by true', async () => {
  const place = { folder, store: 'elsewhere' };
  const stop = new AbortController();
  onCall = () => stop.abort();
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  const one = { ...config, concurrency: 1 };
  const { run: begun } = await run(one, { ...place, signals, name: 'first' });
  expect(begun.status).toBe('interrupted');
  const { run: made, summary, results } = await run(one, { ...place, resume: true, failUnder: 90 });
  expect(made).toMatchObject({ id: begun.id, status: 'completed', name: 'first', gate: { failUnder: 90 } });
  expect(summary.decision.outcome).toBe('fail');
  expect(await Array.fromAsync(results(), ({ trial }) => trial.answer)).toEqual(['2', '2']);
  expect((await listRuns(place)).map(({ id }) => id)).toEqual([made.id]);
});

test('an A/B test has the name and the tags that it was given', async () => {
  const b = { ...config, targets: [module({ name: 'other', function: () => '3' })] };
  const { run: made } = await ab(config, b, {
    folder,
    store: 'sides',
    name: 'two bots',
    tags: { by: 'night' },
  });
  expect(made).toMatchObject({ name: 'two bots', tags: { by: 'night' } });
});

test('answers under conditions are scored again by the metrics that the conditions bring', async () => {
  const store = createMemoryStore();
  const { run: made } = await run({ ...config, faults: ['empty'] }, { folder, store });
  const { run: again } = await rescore(made.id, config, { folder, store });
  const names = made.metrics.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(1);
  expect(again.metrics.map(({ name }) => name)).toEqual(names);
});

test('what is scored again is decided by the gate that is asked for', async () => {
  const store = createMemoryStore();
  const { run: made } = await run(config, { folder, store });
  await setBaseline('main', made.id, { store });
  const { run: again } = await rescore('main', config, { folder, store, baseline: 'main', failUnder: 40 });
  expect(again.gate).toMatchObject({ baseline: 'main', failUnder: 40 });
  const missing = rescore('main', config, { folder, store, baseline: 'mian' });
  await expect(missing).rejects.toThrow('There is no baseline "mian".');
  expect(await store.listRuns()).toHaveLength(2);
});

test('recorded answers are all scored, whatever the gate says of ending early', async () => {
  const store = createMemoryStore();
  const { run: made } = await run(config, { folder, store });
  const lines = await Array.fromAsync(exportRun(made.id, { store }));
  writeFileSync(path.join(folder, 'answers.jsonl'), lines.join(''));
  const gated =
    'gate: { failUnder: 99, sequential: true }\nscorecard: { use: weighted, criteria: [{ metric: exact-match, weight: 1 }] }\n';
  writeFileSync(
    path.join(folder, 'gate.yaml'),
    `dataset: golden.csv\ntargets: [{ use: command, command: [true] }]\n${gated}`,
  );
  const { run: scored } = await score('answers.jsonl', { folder, store, config: 'gate.yaml' });
  expect(scored.gate).toMatchObject({ failUnder: 99, sequential: false });
});
