import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { summarizeRun } from '../../evaluate/run/summarize.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import { runScores } from '../../../test/support/gated-run.ts';
import {
  encodeBaseline,
  checkBaselineName,
  locateBaseline,
  locatedGate,
  portableGate,
  readBaselineFile,
  readLocatedBaseline,
  removeBaseline,
} from './baselines.ts';
import { makeBaseline } from './make-baseline.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { putDocuments } from '../../stores/documents/document-store.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-baselines-'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

async function build(name = 'main') {
  const cases = [
    { id: 'a', scores: [1, 0.25], category: 'easy' },
    { id: 'b', scores: [null, 0.3] },
    { id: 'c', scores: [null, null] },
  ];
  const { run, store } = await runScores(cases, { judge: 'j1' });
  return { run, baseline: await makeBaseline(name, run, store) };
}

test('a baseline contains means over attempts, and null for anything not measured', async () => {
  const { run, baseline } = await build();
  expect(baseline).toMatchObject({
    touchstoneBaseline: 1,
    run: { id: run.id, attempts: 2 },
    metrics: [{ name: 'quality', version: 1, judge: 'j1' }],
    scorecard: { name: 'quality-only' },
  });
  const [target] = baseline.targets;
  expect(target?.cases).toMatchObject([
    { id: 'a', category: 'easy', score: 0.625, passed: 0.5, metrics: { quality: 0.625 } },
    { id: 'b', score: 0.3, passed: 0, metrics: { quality: 0.3 } },
    { id: 'c', score: null, passed: null, metrics: {} },
  ]);
  const score = [2, (0.625 - 0.25) ** 2 * 2];
  expect(target?.cases.map(({ spread }) => spread?.['score'])).toEqual([score, [1, 0], undefined]);
});

test('a baseline is written with a line for each case and is read back unchanged', async () => {
  const { baseline } = await build();
  const file = path.join(folder, 'main.json');
  await writeFile(file, encodeBaseline(baseline));
  expect(await readBaselineFile(file)).toEqual(baseline);
  const text = await readFile(file, 'utf8');
  expect(text.split('\n').filter((line) => line.includes('"hash"'))).toHaveLength(3);
  expect(await readdir(folder)).toEqual(['main.json']);
});

test('a baseline without cases or without targets is valid JSON', async () => {
  const { baseline } = await build();
  for (const targets of [[], [{ name: 'bot', fingerprint: 'f', cases: [] }]]) {
    expect(JSON.parse(encodeBaseline({ ...baseline, targets }))).toEqual({ ...baseline, targets });
  }
});

test('a baseline of a store is read by its name, one in a file by its path, and an unknown one is refused', async () => {
  const store = createMemoryStore();
  await expect(readLocatedBaseline('main', store)).rejects.toThrow('There are none yet.');
  const { baseline } = await build('main');
  await putDocuments(store.documents, baselineKind, [baseline]);
  expect(await readLocatedBaseline('main', store)).toEqual(baseline);
  const file = path.join(folder, 'exported.json');
  await writeFile(file, encodeBaseline({ ...baseline, name: 'other' }));
  expect((await readLocatedBaseline(file, store)).name).toBe('other');
  await expect(readLocatedBaseline('release', store)).rejects.toMatchObject({
    code: 'baseline-not-found',
    message: expect.stringContaining('Known are main.'),
  });
  await expect(removeBaseline(store, 'mian')).rejects.toThrow('Did you mean "main"?');
  await removeBaseline(store, 'main');
  expect((await store.documents.heads(baselineKind, ['name'])).map(({ name }) => name)).toEqual([]);
});

test('a name that differs from another one only in capitals is refused, and the same name again is not', async () => {
  const { run, store } = await runScores([{ id: 'a', scores: [1] }], { judge: 'j1' });
  await putDocuments(store.documents, baselineKind, [await makeBaseline('main', run, store)]);
  await expect(makeBaseline('Main', run, store)).rejects.toMatchObject({
    code: 'usage-invalid',
    message: '"Main" differs from the baseline "main" only in capitals.',
  });
  expect((await makeBaseline('main', run, store)).name).toBe('main');
});

test.each(['./main', 'a/b', '', '.hidden', 'main.json', 'x'.repeat(80)])(
  '%j is no name of a baseline',
  (name) => {
    expect(() => checkBaselineName(name)).toThrow('cannot be the name');
  },
);

test('a name of a baseline stays as it is, and a path is relative to the folder of the user', () => {
  expect(locateBaseline('main', '/project')).toBe('main');
  expect(locateBaseline('baselines/main.json', '/project')).toBe('/project/baselines/main.json');
  expect(locateBaseline('main.json', '/project')).toBe('/project/main.json');
  expect(() => locateBaseline('.hidden', '/project')).toThrow('cannot be the name');
});

test('a file that is no baseline is refused with the reason', async () => {
  const file = path.join(folder, 'other.json');
  await writeFile(file, '{"touchstoneBaseline":2}');
  await expect(readBaselineFile(file)).rejects.toMatchObject({ code: 'baseline-unreadable' });
  await expect(readBaselineFile(path.join(folder, 'gone.json'))).rejects.toMatchObject({
    code: 'baseline-not-found',
  });
});

test('an unfinished run is refused as a baseline', async () => {
  const { run, store } = await runScores([{ scores: [1] }]);
  await expect(makeBaseline('main', { ...run, status: 'planning' }, store)).rejects.toMatchObject({
    remedy: expect.stringContaining('touchstone delete'),
  });
  await expect(makeBaseline('main', { ...run, status: 'interrupted' }, store)).rejects.toThrow(
    'is interrupted',
  );
});

test('a record names a baseline without a folder of the machine, and it is found again from the store', () => {
  const stored: [string, string][] = [
    ['main', 'main'],
    ['/project/baselines/main.json', '../baselines/main.json'],
    ['/project/.touchstone/main.json', './main.json'],
    ['/elsewhere/main', '../../elsewhere/main'],
  ];
  const store = { address: '/project/.touchstone/touchstone.db' };
  for (const [located, baseline] of stored) {
    expect(portableGate({ baseline: located } as Gate, store)).toEqual({ baseline });
    expect(locatedGate({ baseline } as Gate, store)).toEqual({ baseline: located });
  }
});

test('without a file of the store, a record names the file of a baseline relative to the current folder', () => {
  const gate = { baseline: path.resolve('baselines/main.json') } as Gate;
  const store = createMemoryStore();
  expect(portableGate(gate, store)).toEqual({ baseline: 'baselines/main.json' });
  expect(locatedGate(portableGate(gate, store), store)).toEqual(gate);
});

test('a run is stored with the name of its baseline and decided by it', async () => {
  const storeFolder = path.join(folder, 'moved-before');
  await mkdir(storeFolder);
  const store = openSqliteStore(path.join(storeFolder, 'touchstone.db'));
  const cases = Array.from({ length: 3 }, () => ({ scores: [1] }));
  const first = await runScores(cases, { store });
  await putDocuments(store.documents, baselineKind, [await makeBaseline('main', first.run, store)]);
  const { run } = await runScores(cases, { store, gate: { baseline: 'main' } });
  await store.close();
  expect(run.gate.baseline).toBe('main');
  expect(run.summary?.decision.rules?.[0]).toMatchObject({ type: 'no-regression', n: 3 });
  const movedTo = path.join(folder, 'moved-after');
  await rename(storeFolder, movedTo);
  const moved = openSqliteStore(path.join(movedTo, 'touchstone.db'));
  const { decision } = await summarizeRun(run, moved);
  await moved.close();
  expect(decision.rules?.[0]).toMatchObject({ type: 'no-regression', n: 3 });
});
