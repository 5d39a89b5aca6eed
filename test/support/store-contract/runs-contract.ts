import { toRunHead } from '../../../src/core/schema/api/to-run-head.ts';
import type { Run } from '../../../src/core/schema/run.ts';
import type { Store } from '../../../src/stores/store.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, judgementAt, plan, run, type StoreTest, trialAt } from './store-records.ts';

/** Registers the tests of storing, listing and deleting runs. */
export function testRuns(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('a run is read as it was written, and an update replaces it as a whole', async (store) => {
    await store.createRun(run);
    expect(await store.readRun(run.id)).toEqual(run);
    const done: Run = { ...run, status: 'completed', description: 'läuft 🙂' };
    await store.updateRun(done);
    expect(await store.readRun(run.id)).toEqual(done);
  });

  storeTest('an unknown run is undefined when read and an error when used', async (store) => {
    expect(await store.readRun('nothing')).toBeUndefined();
    const notFound = { code: 'run-not-found' };
    await expect(store.updateRun(run)).rejects.toMatchObject(notFound);
    await expect(store.deleteRun('nothing')).rejects.toMatchObject(notFound);
    await expect(store.addCases('nothing', [])).rejects.toMatchObject(notFound);
    await expect(store.addTrials('nothing', [])).rejects.toMatchObject(notFound);
    await expect(collect(store.readResults('nothing'))).rejects.toMatchObject(notFound);
  });

  storeTest('the version changes with every write and with nothing else', async (store) => {
    const versions = [await store.readVersion()];
    const note = async () => versions.push(await store.readVersion());
    await store.createRun(run);
    await note();
    await store.updateRun({ ...run, status: 'completed' });
    await note();
    await store.addCases(run.id, [plan(0)]);
    await note();
    await store.addTrials(run.id, [{ case: plan(0).case, trial: trialAt(0, 'answer') }]);
    await note();
    expect(new Set(versions).size).toBe(5);
    await collect(store.readResults(run.id));
    await store.countProgress(run.id);
    await using _claim = await store.claimRun(run.id);
    expect(await store.readVersion()).toBe(versions.at(-1));
  });

  storeTest('runs are listed with the newest first', async (store) => {
    const days = ['2026-01-02', '2026-01-04', '2026-01-03'];
    for (const day of days) await store.createRun({ ...run, id: day, createdAt: `${day}T00:00:00.000Z` });
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(['2026-01-04', '2026-01-03', '2026-01-02']);
  });

  storeTest('runs are listed page by page, by status and by the run that they continue', async (store) => {
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
    expect(heads.at(-1)).toEqual(toRunHead({ ...run, createdAt, ...parts[0] }));
    expect(heads[1]).toMatchObject({ rescoredFrom: 'b', finishedAt: '2026-01-03T00:00:00.000Z' });
  });

  storeTest('a deleted run is gone, and other runs are not changed', async (store) => {
    const results = await fill(store);
    const other = { ...run, id: 'other' };
    await store.createRun(other);
    await store.addCases(other.id, [plan(0)]);
    await store.deleteRun(other.id);
    expect(await store.readRun(other.id)).toBeUndefined();
    await expect(collect(store.readCases(other.id))).rejects.toMatchObject({ code: 'run-not-found' });
    expect(await collect(store.readResults(run.id))).toEqual(results);
  });

  storeTest('an undamaged store has no faults, and all records of a run are read', async (store) => {
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

  storeTest('changing a record after it was stored does not change the store', async (store) => {
    const mine = structuredClone(run);
    await store.createRun(mine);
    mine.status = 'completed';
    expect((await store.readRun(run.id))?.status).toBe('running');
  });
}

/** Registers the tests of claims, which keep other processes from working on the same run. */
export function testClaims(storeTest: StoreTest, expect: TestRunner['expect']): void {
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

  storeTest('parts of a run are claimed apart from the run and from each other', async (store) => {
    await store.createRun(run);
    await using whole = await store.claimRun(run.id);
    const part = await store.claimRun(run.id, 'bot.0');
    await using _other = await store.claimRun(run.id, 'bot.200');
    await expect(store.claimRun(run.id, 'bot.0')).rejects.toMatchObject({ code: 'run-in-progress' });
    const claimed = async () =>
      await Promise.all(['bot.0', 'bot_0', 'bot.200'].map((each) => store.isClaimed(run.id, each)));
    expect(await claimed()).toEqual([true, false, true]);
    await part[Symbol.asyncDispose]();
    expect(await claimed()).toEqual([false, false, true]);
    expect([whole.lost.aborted, part.lost.aborted]).toEqual([false, false]);
    await (await store.claimRun(run.id, 'bot.0'))[Symbol.asyncDispose]();
  });
}
