import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scriptedJudge } from '../../evaluate/judges/registry.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { module } from '../../evaluate/targets/registry.ts';
import { exportRun, importRun } from './archive.ts';
import { exportBaseline, listBaselines, readBaseline, removeBaseline, setBaseline } from './baselines.ts';
import { compare } from './compare.ts';
import { gate } from './runs/gate.ts';
import { deleteRuns, listRuns, readRun, readTrial } from './records.ts';
import { rescore } from './runs/rescore.ts';
import { run } from './runs/run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-api-'));
const empty = mkdtempSync(path.join(tmpdir(), 'touchstone-none-'));
afterAll(() => {
  for (const each of [folder, empty]) rmSync(each, { recursive: true });
});

const rows = [
  { id: 'lamp', question: 'What does the lamp cost?', expected_keywords: ['49'], category: 'price' },
  { id: 'desk', question: 'What does the desk cost?', expected_keywords: ['199'], category: 'price' },
  { id: 'open', question: 'When are you open?', expected_keywords: ['nine'], category: 'hours' },
];
writeFileSync(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));

const config = {
  dataset: 'golden.jsonl',
  targets: [
    module({
      name: 'bot',
      function: (question: string) => (/lamp|desk/.test(question) ? 'It costs 49.' : 'At nine.'),
    }),
  ],
  metrics: ['keywords', 'relevance'],
  scorecard: { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }] },
  judge: scriptedJudge({ rules: [{ reply: { reason: 'To the point.', score: 1 } }] }),
  gate: { failUnder: 60 },
};
const { run: made } = await run(config, { folder });

test('runs are listed, the newest first, and read with their numbers and their results', async () => {
  const { run: second } = await rescore(made.id, config, { folder });
  expect((await listRuns({ folder })).map(({ id }) => id)).toEqual([second.id, made.id]);
  expect((await listRuns({ folder, limit: 1 })).map(({ id }) => id)).toEqual([second.id]);
  const { summary, results } = await readRun('latest~1', { folder });
  expect(summary).toEqual(made.summary);
  const totals = async () =>
    await Array.fromAsync(results(), ({ case: { id }, scorecard }) => [id, scorecard?.total]);
  expect(await totals()).toEqual([
    ['lamp', 1],
    ['desk', 0],
    ['open', 1],
  ]);
  expect(await totals()).toHaveLength(3);
  expect(await deleteRuns([second.id, 'latest'], { folder })).toEqual([second.id]);
  expect((await listRuns({ folder })).map(({ id }) => id)).toEqual([made.id]);
});

test.each([
  [{ failed: true }, ['desk']],
  [{ filter: ['category=price'] }, ['lamp', 'desk']],
  [{ filter: ['category=price'], failed: true, cases: ['desk', 'open'] }, ['desk']],
])('of a run only the part is read that %j leaves', async (part, ids) => {
  const { results } = await readRun(made.id, { folder, ...part });
  expect(await Array.fromAsync(results(), (result) => result.case.id)).toEqual(ids);
});

test('a trial is read in full, with what its judge was asked and said', async () => {
  const { trial, verdicts, judgements } = await readTrial('latest', 'desk', { folder });
  expect(trial).toMatchObject({ caseId: 'desk', answer: 'It costs 49.', attempt: 1 });
  expect(verdicts['keywords']).toMatchObject({ status: 'scored', value: 0 });
  expect(JSON.stringify(judgements)).toContain('To the point.');
  expect(judgements.map(({ id }) => id)).toEqual(judgementsOf(verdicts));
});

test.each([
  ['a run', () => readRun('nothing', { folder }), 'run-not-found'],
  ['a question', () => readRun('latest', { folder, cases: ['dsk'] }), 'case-not-found'],
  ['an attempt', () => readTrial('latest', 'desk', { folder, attempt: 2 }), 'case-not-found'],
  ['a target', () => readTrial('latest', 'desk', { folder, target: 'bod' }), 'case-not-found'],
  ['a run to delete', () => deleteRuns(['latest', 'nothing'], { folder }), 'run-not-found'],
  ['a run to export', () => Array.fromAsync(exportRun('nothing', { folder })), 'run-not-found'],
  ['a baseline', () => readBaseline('nothing', { folder }), 'baseline-not-found'],
  ['a baseline to remove', () => removeBaseline('nothing', { folder }), 'baseline-not-found'],
  ['a run in a folder without a store', () => gate('latest', { folder: empty }), 'run-not-found'],
])('%s that is not there has an error code, and changes nothing', async (_, call, code) => {
  await expect(call()).rejects.toMatchObject({ code });
  expect(await listRuns({ folder })).toHaveLength(1);
  expect(existsSync(path.join(empty, '.touchstone'))).toBe(false);
});

test('a gate decides on a kept run: its own, that of a config, or another threshold', async () => {
  expect((await gate(made.id, { folder })).decision.outcome).toBe('pass');
  const strict = await gate(made.id, { folder, failUnder: 90 });
  expect(strict).toMatchObject({ decision: { outcome: 'fail' }, run: { gate: { failUnder: 90 } } });
  const named = { ...config, gate: { failUnder: 70 } };
  expect((await gate(made.id, { folder, config: named })).decision.outcome).toBe('fail');
  expect((await readRun(made.id, { folder })).run).toEqual(made);
});

test('a baseline is kept, listed, read by name and by file, used by a gate, and removed', async () => {
  const kept = await setBaseline('main', 'latest', { folder });
  expect(kept).toMatchObject({ name: 'main', run: { id: made.id } });
  expect(await listBaselines({ folder })).toEqual([kept]);
  await exportBaseline('main', 'main.json', { folder });
  expect(await readBaseline('main', { folder })).toEqual(kept);
  expect(await readBaseline('./main.json', { folder })).toEqual(kept);
  // Three questions are too few to show that nothing was lost; without a baseline there is nothing to compare with.
  const withRule = { ...config, gate: { rules: { loss: { type: 'no-regression' } } } } as const;
  const outcomeBy = async (baseline?: string) =>
    (await gate('latest', { folder, config: withRule, ...(baseline && { baseline }) })).decision.outcome;
  expect(await outcomeBy('main')).toBe('inconclusive');
  expect(await outcomeBy('./main.json')).toBe('inconclusive');
  expect(await outcomeBy()).toBe('not-measured');
  await removeBaseline('main', { folder });
  expect(await listBaselines({ folder })).toEqual([]);
  await expect(setBaseline('no/name', 'latest', { folder })).rejects.toMatchObject({ code: 'usage-invalid' });
});

test('runs are compared as the command names them: by a baseline, latest, a part of an id, or an exported file', async () => {
  await setBaseline('main', made.id, { folder });
  await writeFile(path.join(folder, 'main.jsonl'), exportRun('main', { folder }));
  const { run: second } = await rescore('main', config, { folder });
  for (const name of ['main', made.id.slice(-4), 'main.jsonl']) {
    const { comparisons } = await compare([name, 'latest'], { folder });
    expect(comparisons.map(({ a, b }) => [a.run, b.run])).toEqual([[made.id, second.id]]);
  }
  expect((await gate('main', { folder })).run.id).toBe(made.id);
  expect((await readRun('main', { folder })).run.id).toBe(made.id);
  await expect(compare(['other.jsonl', 'latest'], { folder })).rejects.toMatchObject({
    code: 'run-not-found',
  });
  await removeBaseline('main', { folder });
  await deleteRuns([second.id], { folder });
});

test('functions on kept runs use the store that a config names', async () => {
  const project = mkdtempSync(path.join(folder, 'project-'));
  writeFileSync(path.join(project, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const withStore = { ...config, store: { use: 'sqlite', path: 'runs', durability: 'power' } };
  const choice = { folder: project, config: withStore };
  const { run: elsewhere } = await run(withStore, { folder: project });
  expect(existsSync(path.join(project, 'runs', 'touchstone.db'))).toBe(true);
  expect((await listRuns(choice)).map(({ id }) => id)).toEqual([elsewhere.id]);
  expect((await setBaseline('main', 'latest', choice)).run.id).toBe(elsewhere.id);
  expect((await gate('latest', choice)).run.id).toBe(elsewhere.id);
  const { run: again } = await rescore('latest', withStore, { folder: project });
  expect((await listRuns(choice)).map(({ id }) => id)).toEqual([again.id, elsewhere.id]);
  expect(existsSync(path.join(project, '.touchstone'))).toBe(false);
  expect(await listRuns({ folder: project })).toEqual([]);
  expect(await listRuns({ store: path.join(project, 'runs') })).toHaveLength(2);
  const file = path.join(project, 'touchstone.config.json');
  await writeFile(file, JSON.stringify({ store: 'runs' }));
  expect(await listRuns({ config: file })).toHaveLength(2);
  expect(await listRuns({ folder: project })).toHaveLength(2);
  expect(await listRuns({ config: file, store: createMemoryStore() })).toEqual([]);
  await writeFile(file, JSON.stringify({ store: { use: 'sqlit' } }));
  await expect(listRuns({ config: file })).rejects.toThrow(
    /touchstone\.config\.json:1:\d+: store: there is no store "sqlit"\. Did you mean "sqlite"\?/,
  );
});

test('an exported run is the same where it is imported, and is refused a second time', async () => {
  const file = path.join(folder, 'run.jsonl');
  await writeFile(file, exportRun('latest', { folder }));
  const store = createMemoryStore();
  expect(await importRun('run.jsonl', { folder, store })).toEqual(made);
  expect((await Array.fromAsync(exportRun('latest', { store }))).join('')).toBe(await readFile(file, 'utf8'));
  await expect(importRun('run.jsonl', { folder, store })).rejects.toMatchObject({ code: 'import-invalid' });
});
