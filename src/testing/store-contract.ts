import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { testCases } from './cases-contract.ts';
import { testJudgements } from './judgements-contract.ts';
import { testResults } from './results-contract.ts';
import { testSharedTrials } from './shared-trials-contract.ts';
import { collect, fill, judgementAt, plan, run, type StoreTest } from './store-records.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * Registers the tests that every store must pass with the given runner.
 * @param openStore - Opens an empty store; each test closes the store it opened.
 */
export function testStoreContract(
  name: string,
  openStore: () => Promise<Store>,
  { test, expect }: TestRunner,
): void {
  const storeTest: StoreTest = (fact, check) =>
    test(`${name}: ${fact}`, async () => {
      const store = await openStore();
      try {
        await check(store);
      } finally {
        await store.close();
      }
    });

  testCases(storeTest, expect);
  testResults(storeTest, expect);
  testSharedTrials(storeTest, expect);
  testJudgements(storeTest, expect);

  storeTest('a run is read as it was written, and changed as a whole', async (store) => {
    await store.createRun(run);
    expect(await store.readRun(run.id)).toEqual(run);
    const done: Run = { ...run, status: 'completed', description: 'läuft 🙂' };
    await store.updateRun(done);
    expect(await store.readRun(run.id)).toEqual(done);
  });

  storeTest('a run that is not there is undefined when read and an error when used', async (store) => {
    expect(await store.readRun('nothing')).toBeUndefined();
    const notFound = { code: 'run-not-found' };
    await expect(store.updateRun(run)).rejects.toMatchObject(notFound);
    await expect(store.deleteRun('nothing')).rejects.toMatchObject(notFound);
    await expect(store.addCases('nothing', [])).rejects.toMatchObject(notFound);
    await expect(store.addTrials('nothing', [])).rejects.toMatchObject(notFound);
    await expect(collect(store.readResults('nothing'))).rejects.toMatchObject(notFound);
  });

  storeTest('runs are listed with the newest first', async (store) => {
    const days = ['2026-01-02', '2026-01-04', '2026-01-03'];
    for (const day of days) await store.createRun({ ...run, id: day, createdAt: `${day}T00:00:00.000Z` });
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(['2026-01-04', '2026-01-03', '2026-01-02']);
  });

  storeTest('runs are listed page by page, by status and by what they go on with', async (store) => {
    const createdAt = '2026-01-02T00:00:00.000Z';
    const parts: Partial<Run>[] = [
      { id: 'a', description: 'first' },
      { id: 'b', status: 'completed', continues: 'a' },
      { id: 'c', status: 'completed', rescoredFrom: 'b', finishedAt: '2026-01-03T00:00:00.000Z' },
      { id: 'd', status: 'completed', continues: 'a' },
    ];
    for (const part of parts) await store.createRun({ ...run, createdAt, ...part });
    const idsOf = async (choice: Parameters<Store['listRuns']>[0]) =>
      (await store.listRuns(choice)).map(({ id }) => id);
    expect(await idsOf({ limit: 3 })).toEqual(['d', 'c', 'b']);
    expect(await idsOf({ limit: 2, before: 'c' })).toEqual(['b', 'a']);
    expect(await idsOf({ before: 'nothing' })).toEqual([]);
    expect(await idsOf({ status: 'completed', before: 'd' })).toEqual(['c', 'b']);
    expect(await idsOf({ continues: 'a', limit: 1 })).toEqual(['d']);
    const heads = await store.listRuns();
    expect(heads.at(-1)).toEqual({ id: 'a', status: 'running', createdAt, description: 'first' });
    expect(heads[1]).toMatchObject({ rescoredFrom: 'b', finishedAt: '2026-01-03T00:00:00.000Z' });
  });

  storeTest('a deleted run is gone, and others are as they were', async (store) => {
    const results = await fill(store);
    const other = { ...run, id: 'other' };
    await store.createRun(other);
    await store.addCases(other.id, [plan(0)]);
    await store.deleteRun(other.id);
    expect(await store.readRun(other.id)).toBeUndefined();
    await expect(collect(store.readCases(other.id))).rejects.toMatchObject({ code: 'run-not-found' });
    expect(await collect(store.readResults(run.id))).toEqual(results);
  });

  storeTest(
    'a run is claimed by one caller at a time, and can be claimed again after its release',
    async (store) => {
      await store.createRun(run);
      await store.createRun({ ...run, id: 'other' });
      expect(await store.isClaimed(run.id)).toBe(false);
      const claim = await store.claimRun(run.id);
      expect([await store.isClaimed(run.id), await store.isClaimed('other')]).toEqual([true, false]);
      await expect(store.claimRun(run.id)).rejects.toMatchObject({ code: 'run-in-progress' });
      const claimOfOther = await store.claimRun('other');
      await claim[Symbol.asyncDispose]();
      await claim[Symbol.asyncDispose]();
      expect(await store.isClaimed(run.id)).toBe(false);
      await (await store.claimRun(run.id))[Symbol.asyncDispose]();
      await claimOfOther[Symbol.asyncDispose]();
      await expect(store.isClaimed('nothing')).rejects.toMatchObject({ code: 'run-not-found' });
      await expect(store.claimRun('nothing')).rejects.toMatchObject({ code: 'run-not-found' });
    },
  );

  storeTest('nothing of what is kept is damaged, and all of a run is whole', async (store) => {
    const results = await fill(store);
    await store.addJudgements(run.id, [judgementAt(1), judgementAt(0)]);
    expect(await collect(store.check())).toEqual([]);
    const lost: string[] = [];
    const records = await collect(store.readWhole(run.id, (what) => lost.push(what)));
    expect(lost).toEqual([]);
    expect(records).toEqual([
      ...(await collect(store.readCases(run.id))).map((planned) => ({ type: 'case', case: planned })),
      ...[0, 1].map((second) => ({ type: 'judgement', judgement: judgementAt(second) })),
      ...results.map((result) => ({ type: 'result', result })),
    ]);
  });

  storeTest('what a caller does to a record afterwards does not reach the store', async (store) => {
    const mine = structuredClone(run);
    await store.createRun(mine);
    mine.status = 'completed';
    expect((await store.readRun(run.id))?.status).toBe('running');
  });
}
