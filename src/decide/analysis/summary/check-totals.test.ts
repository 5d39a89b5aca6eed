import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CaseDraft } from '../../../evaluate/datasets/dataset.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import { createLineWriter } from '../../../evaluate/run/record/archive-line.ts';
import { exportRun, importRun } from '../../../evaluate/run/record/archive.ts';
import { rescore } from '../../../evaluate/run/rescore.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { run } from '../../../evaluate/run/run.ts';
import type { TargetSummary } from '../../../core/schema/summary.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import { checkTotals, requireWhole, withSoundTotals } from './check-totals.ts';
import { readRuns } from '../../../stores/store.ts';

async function targetsOfRun(): Promise<TargetSummary[]> {
  const drafts = Array.from({ length: 9 }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    category: `c${index % 3}`,
  }));
  const bot = buildTarget(({ caseId }) => {
    if (caseId === 'q3') throw new Error('no database');
    return 'yes';
  });
  const needs = { store: createMemoryStore(), executor: createLocalExecutor(), observer: {} };
  const finished = await run(buildEvaluation(drafts, [resolvedTarget('bot', bot)], { attempts: 2 }), {
    ...needs,
    signals: neverStopped,
  });
  return finished.summary?.targets ?? [];
}

test('the totals of a run add up', async () => {
  const targets = await targetsOfRun();
  expect(targets[0]?.counts).toMatchObject({ planned: 18, measured: 16, errors: 2 });
  expect(checkTotals(targets)).toEqual([]);
  const decision = { outcome: 'pass', reasons: [] } as const;
  expect(withSoundTotals({ ...decision, reasons: [] }, targets)).toEqual(decision);
});

test('a run whose totals do not add up reports it and is not decided', async () => {
  const [target] = (await targetsOfRun()) as [TargetSummary];
  const short = { ...target, counts: { ...target.counts, measured: 15 } };
  expect(withSoundTotals({ outcome: 'pass', reasons: [] }, [short])).toEqual({
    outcome: 'not-measured',
    reasons: [
      'bot: the totals do not add up: 15 measured + 2 errors + 0 not measured + 0 cancelled + 0 not run is not 18 planned',
      'bot: the totals do not add up: the categories have 16 measured and the whole has 15',
    ],
  });
  const metrics = target.metrics.map((metric) => ({ ...metric, scored: metric.scored - 1 }));
  expect(checkTotals([{ ...target, metrics }])).toHaveLength(target.metrics.length);
});

const drafts = ['a', 'b'].map((id) => ({ id, input: `question ${id}` }));

/** Builds an evaluation whose dataset ends only on a signal. */
function slowEvaluation() {
  const evaluation = buildEvaluation(drafts, [
    resolvedTarget(
      'bot',
      buildTarget(() => 'yes'),
    ),
  ]);
  const [reading, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* slowly(): AsyncGenerator<CaseDraft> {
    yield* evaluation.dataset.drafts();
    reading.resolve();
    await ending.promise;
  }
  const slow = { ...evaluation, dataset: { ...evaluation.dataset, drafts: slowly } };
  return { evaluation: slow, untilRead: reading.promise, end: ending.resolve };
}

const needsOf = (store = createMemoryStore()) => ({
  store,
  executor: createLocalExecutor(),
  observer: {},
  signals: neverStopped,
});

test('a run that another process is planning is not reported', async () => {
  const needs = needsOf();
  const { store } = needs;
  const { evaluation, untilRead, end } = slowEvaluation();
  const running = run(evaluation, needs);
  await untilRead;
  const [planned] = await Array.fromAsync(readRuns(store));
  if (planned === undefined) throw new Error('no run was begun');
  const inProgress = { code: 'run-in-progress', message: expect.stringContaining(planned.id) };
  await expect(store.claimRun(planned.id)).rejects.toMatchObject(inProgress);
  await expect(rescore(planned, evaluation, needs)).rejects.toMatchObject(inProgress);
  const kept = { run: planned, store };
  const other = { run: { ...planned, id: 'other' }, store };
  await expect(compareRuns([kept, other])).rejects.toMatchObject(inProgress);
  await expect(run(evaluation, needs, planned)).rejects.toMatchObject(inProgress);
  expect(await store.listRuns()).toHaveLength(1);
  end();
  const finished = await running;
  expect(finished).toMatchObject({ id: planned.id, status: 'completed' });
  await requireWhole(finished, store);
  await (await store.claimRun(finished.id))[Symbol.asyncDispose]();
});

test('the error about a run with an incomplete plan states how to remove it', async () => {
  const needs = needsOf();
  const finished = await run(
    buildEvaluation(drafts, [
      resolvedTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ]),
    needs,
  );
  const half = { ...finished, status: 'planning' as const };
  await expect(requireWhole(half, needs.store)).rejects.toMatchObject({
    code: 'run-not-whole',
    remedy: expect.stringContaining(`touchstone delete ${finished.id}`),
  });
  await (await needs.store.claimRun(finished.id))[Symbol.asyncDispose]();
});

test('an incomplete export is not imported, and a run that is being imported is reported as such', async () => {
  const { store } = needsOf();
  const finished = await run(
    buildEvaluation(drafts, [
      resolvedTarget(
        'bot',
        buildTarget(() => 'yes'),
      ),
    ]),
    {
      ...needsOf(store),
    },
  );
  const lines = await Array.fromAsync(exportRun(finished, store));
  async function* rows(texts: readonly string[], ready = Promise.resolve()) {
    for (const [index, line] of texts.entries()) {
      if (index > 0) await ready;
      yield { value: JSON.parse(line), place: { file: 'run.jsonl', line: index + 1 } };
    }
  }
  const half = createLineWriter()('run', {
    version: 1,
    run: { ...finished, id: 'half', status: 'planning' },
  });
  await expect(importRun(rows([half]), store)).rejects.toMatchObject({ code: 'import-invalid' });
  const elsewhere = createMemoryStore();
  const ready = Promise.withResolvers<void>();
  const importing = importRun(rows(lines, ready.promise), elsewhere);
  while ((await elsewhere.listRuns()).length === 0) await setImmediate();
  await expect(importRun(rows(lines), elsewhere)).rejects.toMatchObject({
    code: 'run-in-progress',
    message: `Run ${finished.id} is being imported by another process already.`,
  });
  ready.resolve();
  expect(await importing).toEqual(finished);
});

test('a failed import leaves no run behind, and one that was imported meanwhile is reported as existing', async () => {
  const { store } = needsOf();
  const unclaimable = { ...store, claimRun: () => Promise.reject(new Error('no room')) };
  const evaluation = buildEvaluation(drafts, [
    resolvedTarget(
      'bot',
      buildTarget(() => 'yes'),
    ),
  ]);
  await expect(run(evaluation, needsOf(unclaimable))).rejects.toThrow('no room');
  expect(await store.listRuns()).toEqual([]);
  const finished = await run(evaluation, needsOf(store));
  const lines = await Array.fromAsync(exportRun(finished, store));
  async function* rows() {
    for (const line of lines) yield { value: JSON.parse(line), place: { file: 'run.jsonl' } };
  }
  let looks = 0;
  const late = {
    ...store,
    readRun: async (id: string) => (looks++ === 0 ? undefined : await store.readRun(id)),
    createRun: () => Promise.reject(new Error('UNIQUE constraint failed: runs.id')),
  };
  await expect(importRun(rows(), late)).rejects.toMatchObject({
    message: `Run ${finished.id} is already in the store.`,
  });
});
