import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RandomRun, randomRun, storeRandomRun } from '../../../../test/support/random-trials.ts';
import { type AskedCase, buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { summarizeRun } from '../../../evaluate/run/summarize.ts';
import type { Result } from '../../../core/schema/result.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { openSqliteStore } from '../../../stores/sqlite/sqlite.ts';
import type { Store } from '../../../stores/store.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import type { KeptRun } from './compared-run.ts';

/** Returns a store whose whole records cannot be read for numbers. */
function columnsOnly(store: Store): Store {
  return {
    ...store,
    readOutcomes: () => {
      throw new Error('Whole records were read.');
    },
  };
}

/** Compares two runs by their columns, and by whole records. */
async function compareBoth(runs: readonly KeptRun[]) {
  const asked = runs.map(({ run }) => ({ a: run.targets[0]?.name ?? '', b: run.targets.at(-1)?.name ?? '' }));
  const choices = { targets: [{ a: asked[0]?.a ?? '', b: asked[1]?.b ?? '' }], flips: 100, margin: 0.05 };
  // Without scores, the unit of each metric has to be learnt from records.
  const haveScores = runs.every(({ run }) => run.scorecard !== null);
  const byColumns = await compareRuns(
    runs.map(({ run, store }) => ({
      run,
      store: haveScores ? columnsOnly(store) : store,
      hasColumnsRead: true,
    })),
    choices,
  );
  const byRecords = await compareRuns(
    runs.map(({ run: { summary: _none, ...run }, store }) => ({ run, store })),
    choices,
  );
  return { byColumns, byRecords };
}

/** Makes a drawn run complete: one metric finds error reports, one has a unit, and attempts may stop early. */
async function keep(
  drawn: RandomRun,
  store: Store,
  { id, isCurtailed }: { readonly id: string; readonly isCurtailed: boolean },
): Promise<KeptRun> {
  const [first, ...others] = drawn.run.metrics;
  const run = {
    ...drawn.run,
    id,
    createdAt: `2026-01-0${id}T00:00:00.000Z`,
    status: 'completed' as const,
    metrics: first === undefined ? others : [{ ...first, aspect: 'no-error' as const }, ...others],
    ...(isCurtailed && { caseRule: { passes: 1, isCurtailed } }),
  };
  await storeRandomRun(store, { ...drawn, run, results: drawn.results.map(withParts) });
  const whole = { ...run, summary: await summarizeRun(run, store) };
  await store.updateRun(whole);
  return { run: whole, store };
}

function withParts(result: Result): Result {
  const { keywords, cost } = result.verdicts;
  return {
    ...result,
    verdicts: {
      ...result.verdicts,
      ...(keywords?.status === 'scored' && { keywords: { ...keywords, passed: keywords.value > 0 } }),
      ...(cost?.status === 'scored' && { cost: { ...cost, unit: 'USD' } }),
    },
  };
}

test('the columns of complete runs give the same comparison as whole records', async () => {
  await fc.assert(
    fc.asyncProperty(randomRun, randomRun, fc.boolean(), async (one, other, isCurtailed) => {
      const store = createMemoryStore();
      const a = await keep(one, store, { id: '1', isCurtailed });
      const b = await keep(other, store, { id: '2', isCurtailed: false });
      const { byColumns, byRecords } = await compareBoth([a, b]);
      expect(byColumns).toEqual(byRecords);
    }),
    { numRuns: 10 },
  );
});

const asked = (count: number): AskedCase[] =>
  Array.from({ length: count }, (_, index) => ({
    asks: `q${index}`,
    attempts: [{ total: (index % 4) / 3 }],
  }));

/** Builds a complete run whose metric finds error reports, and says so in a way of its own. */
async function keepReports(id: string, reportOf: (value: number) => boolean): Promise<KeptRun> {
  const { run, store } = await buildKeptRun(asked(20), {
    id,
    metrics: [
      {
        name: 'keywords',
        use: { use: 'own' },
        version: 1,
        fingerprint: 'k'.repeat(32),
        aspect: 'no-error',
      },
    ],
  });
  const results = await Array.fromAsync(store.readResults(run.id));
  await store.addScores(
    run.id,
    results.map((result) => {
      const { keywords } = result.verdicts;
      if (keywords?.status !== 'scored') return result;
      return { ...result, verdicts: { keywords: { ...keywords, passed: !reportOf(keywords.value) } } };
    }),
  );
  return { run: { ...run, summary: await summarizeRun(run, store) }, store, hasColumnsRead: true };
}

test('whole records are read where columns do not say which answers are error reports', async () => {
  // A value of 1 says that there was an answer, and this metric contradicts itself.
  const a = await keepReports('a', (value) => value === 1);
  const b = await keepReports('b', (value) => value === 0);
  const { comparisons } = await compareRuns([a, b]);
  expect(comparisons[0]?.differences.find(({ measure }) => measure === 'errors')).toMatchObject({
    meanA: 0.25,
    meanB: 0.25,
  });
  await expect(compareRuns([{ ...a, store: columnsOnly(a.store) }, b])).rejects.toThrow('Whole records');
  await compareRuns([{ ...b, run: { ...b.run, id: 'b' }, store: columnsOnly(b.store) }, a]);
});

test('a number that changed on the disk stops a comparison, unless only columns are asked for', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
  const file = path.join(folder, 'touchstone.db');
  const store = openSqliteStore(file);
  const runs = await Promise.all(
    ['1', '2'].map(async (id) => {
      const [drawn] = fc.sample(
        randomRun.filter(({ run: { scorecard } }) => scorecard !== null),
        { numRuns: 1, seed: 1 },
      );
      return await keep(drawn as RandomRun, store, { id, isCurtailed: false });
    }),
  );
  const targets = [{ a: runs[0]?.run.targets[0]?.name ?? '', b: runs[1]?.run.targets[0]?.name ?? '' }];
  await compareRuns(runs, { targets });
  const raw = new DatabaseSync(file);
  raw.exec('UPDATE scores SET total = 0.123 WHERE ordinal = (SELECT min(ordinal) FROM scores)');
  raw.close();
  await expect(compareRuns(runs, { targets })).rejects.toMatchObject({ code: 'store-damaged' });
  const read = runs.map((of) => ({ ...of, hasColumnsRead: true }));
  await expect(compareRuns(read, { targets })).resolves.toBeDefined();
  await store.close();
  await rm(folder, { recursive: true });
});
