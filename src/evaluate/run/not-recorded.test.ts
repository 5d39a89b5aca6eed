import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import type { Store } from '../../stores/store.ts';
import { TargetFailure } from '../targets/target.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { run } from './run.ts';
import { neverStopped } from './run-needs.ts';
import { summarizeRun } from './summarize.ts';

/** Enough cases that a store keeps their numbers apart from their texts. */
const questions = Array.from({ length: 500 }, (_, index) => ({
  id: `q${index}`,
  input: `question ${index}`,
  expected: { keywords: ['yes'] },
}));

/** A recording of five questions: two have answers, one an error, and two are missing. */
const bot = buildTarget(({ caseId }) => {
  const kind = Number(caseId.slice(1)) % 5;
  if (kind === 3) throw new TargetFailure('target-threw', 'no answer today');
  if (kind === 1 || kind === 4) throw new TargetFailure('not-recorded', `no answer for ${caseId}`);
  return 'yes';
});

async function summarize(store: Store, parts: Partial<Evaluation> = {}) {
  const evaluation = buildEvaluation(questions, [resolvedTarget('recorded', bot)], parts);
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  const finished = await run(evaluation, needs);
  // Computed again from the store: a later report has only the record.
  const again = await summarizeRun(finished, store);
  expect(again.targets).toEqual(finished.summary?.targets);
  return again.targets[0];
}

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-not-recorded-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['memory', () => createMemoryStore()],
  ['sqlite', () => openSqliteStore(path.join(folder, 'touchstone.db'))],
] as const)(
  'a question that a recording lacks is not measured, and is not an error of the bot (%s)',
  async (_, open) => {
    const store = open();
    const target = await summarize(store);
    expect(target?.counts).toMatchObject({ planned: 500, measured: 200, errors: 100, notMeasured: 200 });
    expect(target?.errorRate).toMatchObject({ value: expect.closeTo(1 / 3, 12), n: 300 });
    expect(target?.coverage).toBe(0.4);
    expect([target?.worstCase, target?.bestCase]).toEqual([expect.closeTo(0.4, 12), 1]);
    await store.close();
  },
);

test('without a scorecard or metrics it is not measured either', async () => {
  const target = await summarize(createMemoryStore(), { scorecard: null, metrics: [] });
  expect(target?.counts).toMatchObject({ measured: 200, errors: 100, notMeasured: 200 });
});
