import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { setBaseline } from '../../library/api/baselines.ts';
import { compare, trends } from '../../library/api/compare.ts';
import { gate } from '../../library/api/runs/gate.ts';
import { deleteRuns } from '../../library/api/records.ts';
import { run } from '../../library/api/runs/run.ts';
import { rescore } from '../../library/api/runs/rescore.ts';
import type { Config } from '../../library/config/config.ts';
import { listRunHeads } from '../../look/queries/runs.ts';
import { headlineParts } from '../../look/report/headline.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { module } from '../targets/registry.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-failed-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, numbers: readonly number[], edited: readonly number[] = []): string {
  const rows = numbers.map((number) => ({
    id: `c${number}`,
    question: `What is ${number} + 1${edited.includes(number) ? ', please' : ''}?`,
    expected_answer: String(number + 1),
  }));
  writeFileSync(path.join(folder, file), rows.map((row) => JSON.stringify(row)).join('\n'));
  return file;
}
const golden = write('golden.jsonl', [0, 1, 2, 3, 4, 5]);

/** Returns a bot that answers some of the questions rightly, and throws at others. */
function bot(right: readonly number[], { name = 'bot', throwsAt = [] as readonly number[] } = {}) {
  return module({
    name,
    function: (question: string) => {
      const number = Number(/\d+/.exec(question)?.[0]);
      if (throwsAt.includes(number)) throw new Error('out of order');
      return right.includes(number) ? String(number + 1) : 'I do not know.';
    },
  });
}

const configOf = (right: readonly number[], more: Partial<Config> = {}): Config => ({
  dataset: golden,
  targets: [bot(right)],
  scorecard: { use: 'weighted', criteria: [{ metric: 'exact-match', weight: 1 }] },
  ...more,
});

async function askedIn(report: Awaited<ReturnType<typeof run>>): Promise<string[]> {
  return (await Array.fromAsync(report.results())).map(({ case: { id } }) => id);
}

test('only what failed is asked again, and counted apart from the whole set', async () => {
  const store = createMemoryStore();
  const first = await run(configOf([0, 1, 2]), { folder, store, name: 'before' });
  const again = await run(configOf([0, 1, 2, 3]), { folder, store, failedOf: 'before' });
  expect(await askedIn(again)).toEqual(['c3', 'c4', 'c5']);
  expect(again.run.failedOf).toBe(first.run.id);
  const [target] = again.summary.targets;
  expect(target?.failedAgain).toEqual({ failed: 3, asked: 3, pass: 1 });
  expect(target && headlineParts(target, again.run)[0]).toBe('1 of 3 failed ones passes now');
  expect(first.summary.targets[0]?.failedAgain).toBeUndefined();
});

test('no mean of what is asked again is one of the whole set', async () => {
  const store = createMemoryStore();
  await run(configOf([0, 1]), { folder, store });
  const { summary } = await run(configOf([0, 1, 2]), { folder, store, failedOf: 'latest' });
  const [target] = summary.targets;
  for (const estimate of [target?.score, target?.passRate, target?.errorRate, target?.metrics[0]?.estimate])
    expect(estimate).toMatchObject({ value: null, reason: expect.stringContaining('was asked again') });
  expect(target).toMatchObject({ worstCase: null, bestCase: null, categories: [] });
  const [head] = await listRunHeads(store);
  expect(head?.run.headlines?.[0]).toMatchObject({
    score: { value: null },
    failedAgain: { failed: 4, asked: 4, pass: 1 },
  });
});

test('an error, an answer that could not be measured and a question that was never asked are asked again', async () => {
  const store = createMemoryStore();
  const all = [0, 1, 2, 3, 4, 5];
  const stopping = new AbortController();
  const observer = {
    onRecorded: ({ caseId }: { caseId: string }) => void (caseId === 'c4' && stopping.abort()),
  };
  const signals = { stop: stopping.signal, abort: new AbortController().signal };
  const config = configOf(all, { targets: [bot(all, { throwsAt: [4] })], concurrency: 1 });
  await run(config, { folder, store, observer, signals });
  const again = await run(configOf(all), { folder, store, failedOf: 'latest' });
  expect(await askedIn(again)).toEqual(['c4', 'c5']);
  expect(again.summary.targets[0]?.failedAgain).toEqual({ failed: 2, asked: 2, pass: 2 });
});

test('a question that passes by the rule on attempts is not asked again', async () => {
  const store = createMemoryStore();
  let calls = 0;
  const every = (right: (call: number) => boolean): Config =>
    configOf([], {
      dataset: write('one.jsonl', [0]),
      targets: [module({ name: 'bot', function: () => (right((calls += 1)) ? '1' : 'no') })],
      attempts: 3,
      passes: '2 of 3',
      curtail: false,
    });
  await run(
    every((call) => call % 3 !== 0),
    { folder, store },
  );
  await expect(
    run(
      every(() => true),
      { folder, store, failedOf: 'latest' },
    ),
  ).rejects.toMatchObject({
    code: 'nothing-failed',
  });
});

test('each target is counted by what it failed itself', async () => {
  const store = createMemoryStore();
  const targets = [bot([0, 1, 2, 3, 4]), bot([1, 2, 3, 4, 5], { name: 'other' })];
  await run(configOf([], { targets }), { folder, store });
  const again = await run(configOf([], { targets: [bot([5]), bot([], { name: 'other' })] }), {
    folder,
    store,
    failedOf: 'latest',
  });
  expect(again.summary.targets.map(({ failedAgain }) => failedAgain)).toEqual([
    { failed: 1, asked: 1, pass: 1 },
    { failed: 1, asked: 1, pass: 0 },
  ]);
  expect(again.summary.comparisons).toEqual([]);
});

test('what else is another since the earlier run is said', async () => {
  const store = createMemoryStore();
  await run(configOf([0, 1]), { folder, store });
  const dataset = write('edited.jsonl', [0, 1, 2, 3, 4], [2]);
  const scorecard = { use: 'weighted', criteria: [{ metric: 'keywords', weight: 1 }] } as const;
  const { summary } = await run(configOf([0, 1, 2, 3], { dataset, scorecard }), {
    folder,
    store,
    failedOf: 'latest',
  });
  expect(summary.targets[0]?.failedAgain).toMatchObject({ failed: 4, asked: 3 });
  expect(summary.failedAgain?.changes).toEqual(
    expect.arrayContaining(['1 of the questions was edited', 'exact-match is measured in A only']),
  );
});

test('a run whose targets were not asked before is refused with the names of those that were', async () => {
  const store = createMemoryStore();
  await run(configOf([]), { folder, store });
  await expect(
    run(configOf([], { targets: [bot([], { name: 'new' })] }), { folder, store, failedOf: 'latest' }),
  ).rejects.toMatchObject({ code: 'usage-invalid', remedy: expect.stringContaining('bot') });
});

test('nothing decides, compares or plans by a run of failed ones', async () => {
  const store = createMemoryStore();
  await run(configOf([0, 1, 2, 3]), { folder, store, name: 'whole' });
  const { run: again } = await run(configOf([0, 1, 2, 3, 4], { gate: { failUnder: 10, sequential: true } }), {
    folder,
    store,
    failedOf: 'whole',
    name: 'again',
  });
  expect(again.summary?.decision.outcome).toBe('not-measured');
  expect((await gate('again', { failUnder: 10, store })).decision.outcome).toBe('not-measured');
  await expect(compare(['whole', 'again'], { store })).rejects.toThrow('cannot be compared');
  await expect(setBaseline('main', 'again', { store })).rejects.toThrow('cannot be a baseline');
  const { trends: found } = await trends({ store });
  expect(found[0]?.points.map(({ name, leftOut }) => [name, leftOut])).toEqual([
    ['whole', undefined],
    ['again', 'only failed ones, again'],
  ]);
});

test('a chain of runs asks less each time, and a rescoring counts like its run', async () => {
  const store = createMemoryStore();
  await run(configOf([0]), { folder, store });
  await run(configOf([0, 1, 2]), { folder, store, failedOf: 'latest' });
  const third = await run(configOf([0, 1, 2, 3]), { folder, store, failedOf: 'latest' });
  expect(await askedIn(third)).toEqual(['c3', 'c4', 'c5']);
  const { summary } = await rescore('latest', configOf([]), { folder, store });
  expect(summary.targets[0]?.failedAgain).toEqual({ failed: 3, asked: 3, pass: 1 });
});

test('without the earlier run, nothing is made up', async () => {
  const store = createMemoryStore();
  const first = await run(configOf([0]), { folder, store });
  await run(configOf([0, 1]), { folder, store, failedOf: 'latest' });
  await deleteRuns([first.run.id], { store });
  const { summary } = await rescore('latest', configOf([]), { folder, store });
  expect(summary.targets[0]).toMatchObject({ score: { value: null } });
  expect(summary.targets[0]?.failedAgain).toBeUndefined();
});
