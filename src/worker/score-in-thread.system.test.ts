import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../api/run.ts';
import { toRules } from '../config/load-rules.ts';
import type { PortableRules } from '../config/portable-rules.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { rescore } from '../run/rescore.ts';
import { neverStopped, type RunObserver } from '../run/run-needs.ts';
import type { Outcome, Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import { defineMetric } from '../metrics/metric.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import { z } from 'zod';
import { scoreInThread } from './score-in-thread.ts';

const trees = ['oak', 'elm', 'ash', 'fir', 'yew'];
const questions = Array.from({ length: 3210 }, (_, index) => ({
  id: `q${index}`,
  input: `${index}: ${trees[index % 5]}?`,
  category: `c${index % 3}`,
  expected: { keywords: [trees[index % 4]] },
}));
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-'));
const file = path.join(folder, '.touchstone', 'touchstone.db');
const config = {
  dataset: 'golden.jsonl',
  targets: [{ use: 'module', path: 'bot.mjs' }],
  attempts: 2,
};
const otherRules = { ...config, metrics: ['keyword-recall', 'answer-length'] };
let source: Run;

beforeAll(async () => {
  writeFileSync(path.join(folder, 'golden.jsonl'), questions.map((row) => JSON.stringify(row)).join('\n'));
  writeFileSync(path.join(folder, 'bot.mjs'), 'export default ({ input }) => `It is about ${input}`;\n');
  source = (await run(config, { folder })).run;
});

afterAll(() => rmSync(folder, { recursive: true }));

async function rescored(
  change: (rules: PortableRules) => PortableRules = (rules) => rules,
  observer: RunObserver = {},
  fileOfThread = file,
  signals = neverStopped,
): Promise<{ finished: Run; results: Result[] }> {
  const rules = await toRules(otherRules, folder);
  const store = openSqliteStore(file);
  const help = {
    ...scoreInThread({ rules: change(rules.portable as PortableRules), file: fileOfThread, options: {} }),
    leastTrials: 0,
  };
  try {
    const needs = { store, executor: createLocalExecutor(), observer, signals, help };
    const finished = await rescore(source, rules, needs);
    return { finished, results: await Array.fromAsync(store.readResults(finished.id)) };
  } finally {
    await store.close();
  }
}

async function rescoredAlone(): Promise<{ finished: Run; results: Result[] }> {
  const rules = await toRules(otherRules, folder);
  const store = openSqliteStore(file);
  try {
    const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
    const finished = await rescore(source, rules, needs);
    return { finished, results: await Array.fromAsync(store.readResults(finished.id)) };
  } finally {
    await store.close();
  }
}

test('scored with a thread, a run has the scores and numbers that it has without', async () => {
  let [here, elsewhere] = [0, 0];
  const helped = await rescored(undefined, {
    onScored: (trials) => (here += trials.length),
    onHelped: (outcomes) => (elsewhere += outcomes.length),
  });
  const alone = await rescoredAlone();
  expect(helped.results).toEqual(alone.results);
  expect(helped.finished.summary).toEqual(alone.finished.summary);
  expect(helped.finished.status).toBe('completed');
  expect([here, elsewhere]).toEqual([3000, 3420]);
});

test('a run that is stopped ends at once, here and in the thread, and its numbers are those of all that is kept', async () => {
  for (const stopped of ['onScored', 'onHelped'] as const) {
    const stop = new AbortController();
    let helped = 0;
    const onHelped = (outcomes: readonly Outcome[]) => void (helped += outcomes.length);
    const observer = { onHelped, [stopped]: () => stop.abort() };
    const { finished, results } = await rescored(undefined, observer, file, {
      ...neverStopped,
      stop: stop.signal,
    });
    expect(finished.status).toBe('interrupted');
    expect(helped).toBeLessThan(3420);
    const measured = results.filter(({ verdicts }) => Object.keys(verdicts).length > 0).length;
    expect(finished.summary?.targets[0]?.counts).toMatchObject({ measured, unscored: 6420 - measured });
  }
});

test('a thread whose metrics would be others scores nothing', async () => {
  const otherwise = (rules: PortableRules) => ({ ...rules, metrics: rules.metrics.slice(0, -1) });
  await expect(rescored(otherwise)).rejects.toThrow('the metrics have changed while they were used');
});

test('what the user can mend is told as it is', async () => {
  const noStore = path.join(folder, 'bot.mjs');
  await expect(rescored(undefined, {}, noStore)).rejects.toMatchObject({
    name: 'TouchstoneError',
    code: 'store-unreadable',
    message: expect.stringContaining('bot.mjs'),
  });
});

test('when scoring ends early, no thread goes on', async () => {
  const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = threads();
  const stumble = () => {
    throw new Error('stumbled');
  };
  await expect(rescored(undefined, { onScored: stumble })).rejects.toThrow('stumbled');
  expect(threads()).toBe(before);
});

test('rules with a part of the user’s own stay in their thread', async () => {
  const own = defineMetric({
    name: 'keywords',
    version: 1,
    summary: 'Has the name of another.',
    options: z.object({}),
    create: () => ({ score: () => ({ status: 'scored', value: 0 }) }),
  });
  const rules = await toRules({ ...config, metrics: [own()], scorecard: null }, folder);
  expect(rules.portable).toBeUndefined();
  expect((await toRules(otherRules, folder)).portable).toBeDefined();
});
