import { toRunHead } from '../schema/api/run-head.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { testAccounts } from './accounts-contract.ts';
import { testBaselines } from './baselines-contract.ts';
import { testCertificates } from './certificates-contract.ts';
import { testFeedback } from './feedback-contract.ts';
import { testReopening, testVersion } from './kept-contract.ts';
import { testLabels } from './labels-contract.ts';
import { testJudgements } from './judgements-contract.ts';
import { testProposals } from './proposals-contract.ts';
import { testRetention } from './removal/retention-contract.ts';
import { testReviewWork } from './review-work-contract.ts';
import { testResults } from './results-contract.ts';
import { collect, fill, judgementAt, keyOf, plan, run, type StoreTest, trialAt } from './store-records.ts';
import type { TestRunner } from './test-runner.ts';
import { testShared } from './limits/shared-contract.ts';
import { testTexts } from './removal/texts-contract.ts';
import { testTraces } from './traces-contract.ts';
import { testTrialLists } from './trials-contract.ts';

/**
 * Registers the tests that every store must pass with the given runner.
 * @param openStore - Opens an empty store; each test closes the store it opened.
 * @param reopen - Closes a store and opens another one on the same records; left out for a store that ends with the process.
 */
export function testStoreContract(
  name: string,
  openStore: () => Promise<Store>,
  { test, expect }: TestRunner,
  reopen?: (store: Store) => Promise<Store>,
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
  testTrialLists(storeTest, expect);
  testSharedTrials(storeTest, expect);
  testJudgements(storeTest, expect);
  testBaselines(storeTest, expect);
  testLabels(storeTest, expect);
  testCertificates(storeTest, expect);
  testFeedback(storeTest, expect);
  testProposals(storeTest, expect);
  testTraces(storeTest, expect);
  testTexts(storeTest, expect);
  testRetention(storeTest, expect);
  testShared(storeTest, expect);
  testAccounts(storeTest, expect);
  testReviewWork(storeTest, expect);
  testVersion(storeTest, expect);
  if (reopen !== undefined) testReopening(storeTest, expect, reopen);

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

/** Registers the tests of storing and reading the cases of a run. */
function testCases(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('cases are read as they were written, in order', async (store) => {
    await store.createRun(run);
    const cases = [
      plan(0, { id: 'a', category: 'x', tags: ['t'], cluster: 'c', expected: { keywords: ['é', '\u0000'] } }),
      plan(1, {
        id: 'b',
        input: [{ role: 'user', content: 'hello' }],
        metadata: { nested: { deep: [1, null] } },
      }),
      plan(2, { id: 'c', input: 'three', context: ['why', 'not'] }),
    ];
    await store.addCases(run.id, cases.slice(0, 2));
    await store.addCases(run.id, cases.slice(2));
    expect(await collect(store.readCases(run.id))).toEqual(cases);
  });

  storeTest('cases at given positions are read without the others', async (store) => {
    await store.createRun(run);
    const cases = Array.from({ length: 450 }, (_, position) => plan(position, { id: `c${position}` }));
    await store.addCases(run.id, cases);
    const wanted = [3, 199, 200, 449];
    expect(await collect(store.readCases(run.id, [...wanted, 450]))).toEqual(
      wanted.map((position) => cases[position]),
    );
    expect(await collect(store.readCases(run.id, []))).toEqual([]);
  });

  storeTest('a case is found by its id', async (store) => {
    await store.createRun(run);
    await store.addCases(run.id, [plan(0, { id: 'a' }), plan(1, { id: 'b', input: 'two' })]);
    expect(await store.findCase(run.id, 'b')).toEqual(plan(1, { id: 'b', input: 'two' }));
    expect(await store.findCase(run.id, 'c')).toBeUndefined();
  });

  storeTest('two runs can have the same cases', async (store) => {
    const other = { ...run, id: 'other' };
    for (const each of [run, other]) {
      await store.createRun(each);
      await store.addCases(each.id, [plan(0)]);
    }
    await store.deleteRun(run.id);
    expect(await collect(store.readCases(other.id))).toEqual([plan(0)]);
  });

  storeTest('the id, category and cluster of every case are read', async (store) => {
    await store.createRun(run);
    const names = Array.from({ length: 450 }, (_, position) => ({
      id: `${position}`,
      category: ['z', 'a', undefined][position % 3],
      cluster: position === 0 ? 'first' : undefined,
    }));
    await store.addCases(
      run.id,
      names.map((of, position) => plan(position, { ...of, input: `${position}` })),
    );
    expect((await collect(store.readCaseNames(run.id))).flat()).toEqual(names);
    await expect(collect(store.readCaseNames('nothing'))).rejects.toMatchObject({ code: 'run-not-found' });
  });
}

/** A run that shares the trials of `run`, with fewer metrics. */
const rescored = { ...run, id: 'rescored', metrics: run.metrics.slice(0, 1) };

/** Registers the tests of runs that share the cases and trials of another run. */
function testSharedTrials(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('a run can share the trials of another and have scores of its own', async (store) => {
    const results = await fill(store);
    await store.createRun(rescored, { trialsOf: run.id });
    const bare = results.map(({ case: testCase, trial }) => ({ case: testCase, trial }));
    expect(await collect(store.readResults(rescored.id))).toEqual(
      bare.map((result) => ({ ...result, verdicts: {}, scorecard: null })),
    );
    const scored = bare.map((result) => ({ ...result, ...otherScores }));
    await store.addScores(rescored.id, scored);
    expect(await collect(store.readResults(rescored.id))).toEqual(scored);
    expect(await collect(store.readResults(rescored.id, [3]))).toEqual([scored[3]]);
    expect(await collect(store.readResults(run.id))).toEqual(results);
    const outcomes = (await collect(store.readOutcomes(rescored.id))).flat();
    expect(outcomes.map(({ scorecard }) => scorecard?.total)).toEqual(scored.map(() => 0.5));
  });

  storeTest('a run that shares trials has the plan of the other run', async (store) => {
    await fill(store);
    await store.createRun(rescored, { trialsOf: run.id });
    expect(await collect(store.readCases(rescored.id))).toEqual(await collect(store.readCases(run.id)));
    expect((await store.findCase(rescored.id, 'c'))?.position).toBe(2);
    expect(await collect(store.readCaseNames(rescored.id))).toEqual(
      await collect(store.readCaseNames(run.id)),
    );
    const specs = [0, 2].map((ordinal) => ({ ordinal, key: keyOf(ordinal) }));
    expect(await store.findDone(rescored.id, specs)).toEqual(new Set([keyOf(0)]));
  });

  storeTest(
    'each of several runs that share trials can be deleted, and the others stay complete',
    async (store) => {
      const results = await fill(store);
      const third = { ...rescored, id: 'third' };
      await store.createRun(rescored, { trialsOf: run.id });
      await store.createRun(third, { trialsOf: rescored.id });
      const scored = results.map((result) => ({ ...result, ...otherScores }));
      for (const each of [rescored, third]) await store.addScores(each.id, scored);
      await store.deleteRun(third.id);
      expect(await collect(store.readResults(run.id))).toEqual(results);
      await store.deleteRun(run.id);
      await expect(collect(store.readResults(run.id))).rejects.toMatchObject({ code: 'run-not-found' });
      expect(await collect(store.readResults(rescored.id))).toEqual(scored);
      expect(await collect(store.readCases(rescored.id))).toHaveLength(3);
      await store.deleteRun(rescored.id);
      await store.createRun(run);
      expect(await collect(store.readCases(run.id))).toEqual([]);
      expect(await collect(store.readResults(run.id))).toEqual([]);
    },
  );

  storeTest('a replaced trial loses its scores in every run that shares it', async (store) => {
    const results = await fill(store);
    await store.createRun(rescored, { trialsOf: run.id });
    await store.addScores(
      rescored.id,
      results.map((result) => ({ ...result, ...otherScores })),
    );
    const planned = plan(0, { id: 'a' });
    const trial = trialAt(0, 'another answer', planned);
    await store.addTrials(run.id, [{ case: planned.case, trial }]);
    const [first, second] = await collect(store.readResults(rescored.id));
    expect(first).toEqual({ case: planned.case, trial, verdicts: {}, scorecard: null });
    expect(second?.scorecard).toEqual(otherScores.scorecard);
  });

  storeTest('cases and trials cannot be added to a run that shares those of another', async (store) => {
    const [first] = await fill(store);
    const { case: testCase, trial } = first as Result;
    const notFound = { code: 'run-not-found' };
    await expect(store.createRun(rescored, { trialsOf: 'nothing' })).rejects.toMatchObject(notFound);
    expect(await store.readRun(rescored.id)).toBeUndefined();
    await store.createRun(rescored, { trialsOf: run.id });
    const refused = { code: 'run-not-resumable' };
    await expect(store.addCases(rescored.id, [plan(9)])).rejects.toMatchObject(refused);
    await expect(store.addTrials(rescored.id, [{ case: testCase, trial }])).rejects.toMatchObject(refused);
  });
}

const otherScores: Pick<Result, 'verdicts' | 'scorecard'> = {
  verdicts: { 'tool-usage': { status: 'scored', value: 0.5, explanation: 'one of two' } },
  scorecard: { total: 0.5, lower: 0.5, upper: 0.5, grade: 'F', passed: false, explanation: 'half' },
};
