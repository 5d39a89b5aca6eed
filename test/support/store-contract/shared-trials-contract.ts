import type { Result } from '../../../src/core/schema/result.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, keyOf, plan, run, type StoreTest, trialAt } from './store-records.ts';

/** A run that shares the trials of `run`, with fewer metrics. */
const rescored = { ...run, id: 'rescored', metrics: run.metrics.slice(0, 1) };

/** Registers the tests of runs that share the cases and trials of another run. */
export function testSharedTrials(storeTest: StoreTest, expect: TestRunner['expect']): void {
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
