import type { Result } from '../../../src/core/schema/result.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, keyOf, plan, run, trialAt, type StoreTest } from './store-records.ts';

/** Registers the tests of storing and reading trials and their scores. */
export function testResults(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('results are read as they were written, in the order of the plan', async (store) => {
    const results = await fill(store);
    expect(await collect(store.readResults(run.id))).toEqual(results);
  });

  storeTest('trials are read without their scores', async (store) => {
    const results = await fill(store);
    const trials = (await collect(store.readTrials(run.id))).flat();
    expect(trials).toEqual(results.map(({ case: testCase, trial }) => ({ case: testCase, trial })));
    await expect(collect(store.readTrials('nothing'))).rejects.toMatchObject({ code: 'run-not-found' });
  });

  storeTest('the first answer to a trial can be kept, and later ones are returned', async (store) => {
    const results = await fill(store);
    const [first, second, cancelled] = results as [Result, Result, Result];
    const again = results.map(({ case: of, trial }) => ({ case: of, trial: { ...trial, answer: 'later' } }));
    const late = await store.addTrials(run.id, again, { keepsDone: true });
    expect(late).toEqual(again.filter((_, index) => index !== 2));
    const [one, two, three] = await collect(store.readResults(run.id));
    expect([one, two]).toEqual([first, second]);
    expect(three).toMatchObject({ trial: { ...cancelled.trial, answer: 'later' }, scorecard: null });
    // What is stored already, such as by a write whose confirmation was lost, is not late.
    expect(await store.addTrials(run.id, [first], { keepsDone: true })).toEqual([]);
    expect((await collect(store.readResults(run.id)))[0]).toEqual(first);
    expect(await store.addTrials(run.id, [again[0] as Result])).toEqual([]);
    expect((await collect(store.readResults(run.id)))[0]?.trial.answer).toBe('later');
  });

  storeTest('of two callers that store the same trials at the same time, one is late', async (store) => {
    await store.createRun({ ...run, attempts: 1 });
    const cases = Array.from({ length: 250 }, (_, position) => plan(position, { id: `c${position}` }));
    await store.addCases(run.id, cases);
    const trialsOf = (answer: string) =>
      cases.map((planned, ordinal) => ({ case: planned.case, trial: trialAt(ordinal, answer, planned) }));
    const late = await Promise.all(
      ['one', 'other'].map((answer) => store.addTrials(run.id, trialsOf(answer), { keepsDone: true })),
    );
    expect(late.flat()).toHaveLength(250);
    const kept = (await collect(store.readResults(run.id))).map(({ trial }) => trial.answer);
    const lost = late.flat().toSorted((a, b) => a.trial.ordinal - b.trial.ordinal);
    expect(kept).toEqual(lost.map(({ trial }) => (trial.answer === 'one' ? 'other' : 'one')));
  });

  storeTest('results are read at the given places, and places without a trial are skipped', async (store) => {
    const results = await fill(store);
    expect(await collect(store.readResults(run.id, [0, 3, 5, 99]))).toEqual([results[0], results[3]]);
    expect(await collect(store.readResults(run.id, []))).toEqual([]);
  });

  storeTest('outcomes contain the numbers of the results', async (store) => {
    const results = await fill(store);
    const outcomes = (await collect(store.readOutcomes(run.id))).flat();
    for (const [index, outcome] of outcomes.entries())
      expect(results[index]).toMatchObject({
        ...outcome,
        scorecard: { total: outcome.scorecard?.total ?? null },
      });
    expect(outcomes).toHaveLength(results.length);
    const spent = (all: readonly Pick<Result, 'trial'>[]) =>
      all.map(({ trial: { usage, cost, latency, retries } }) => ({ usage, cost, latency, retries }));
    expect(spent(outcomes as Result[])).toEqual(spent(results));
    expect(outcomes[0]?.verdicts['tool-usage']).toMatchObject({ status: 'scored', value: 1, passed: true });
    expect(outcomes[0]?.verdicts['error-handling']).toMatchObject({ value: 12.5, unit: 'ms' });
    expect(outcomes.at(-1)?.case.category).toBe('x');
  });

  storeTest(
    'a conversation is read as it was written, with its simulated user and the reason why it is invalid',
    async (store) => {
      const user = { goal: 'a room', secrets: ['\u0000 X1'], turnLimit: 3 };
      const planned = plan(0, { user });
      await store.createRun(run);
      await store.addCases(run.id, [planned]);
      const usage = { inputTokens: 7 };
      const call = {
        startedAt: '2026-01-02T03:04:05.678Z',
        reply: '{}\u0000',
        usage,
        cost: 0.5,
        latencyMs: 3,
      };
      const played = { model: 'm', system: 'Play.', promptVersion: 1, calls: [call], usage, cost: 0.5 };
      const turns = [
        { from: 0, script: 0, latency: { totalMs: 2 }, documents: ['d'], state: { at: 1 } },
        { from: 2 },
      ];
      const conversation = { turns, ended: 'spoilt' as const, reason: 'why', user: played };
      const trial = trialAt(0, 'answer', planned, {
        conversation,
        rewriting: { model: 'other words', usage, cost: 0.25 },
        spoilt: { kind: 'leaked', reason: 'said it' },
      });
      await store.addTrials(run.id, [{ case: planned.case, trial }]);
      expect((await collect(store.readResults(run.id)))[0]).toMatchObject({ case: planned.case, trial });
      const [outcome] = (await collect(store.readOutcomes(run.id))).flat();
      expect(outcome?.trial.conversation?.user).toMatchObject({ usage, cost: 0.5 });
      expect(outcome?.trial.rewriting).toMatchObject({ usage, cost: 0.25 });
    },
  );

  storeTest('the progress of a run is counted', async (store) => {
    await store.createRun({ ...run, id: 'empty' });
    expect(await store.countProgress('empty')).toEqual({ done: 0, measured: 0, sum: 0 });
    const [first] = await fill(store);
    const progress = await store.countProgress(run.id);
    expect(progress).toEqual({ done: 4, measured: 5, sum: expect.closeTo(5 * 0.92, 12) });
    await store.addScores(run.id, [{ ...(first as Result), scorecard: null }]);
    expect(await store.countProgress(run.id)).toMatchObject({ done: 4, measured: 4 });
    await expect(store.countProgress('nothing')).rejects.toMatchObject({ code: 'run-not-found' });
  });

  storeTest('a trial without scores is a result without verdicts', async (store) => {
    await store.createRun(run);
    await store.addCases(run.id, [plan(0)]);
    const trial = trialAt(0, 'answer');
    await store.addTrials(run.id, [{ case: plan(0).case, trial }]);
    const [result] = await collect(store.readResults(run.id));
    expect(result).toEqual({ case: plan(0).case, trial, verdicts: {}, scorecard: null });
  });

  storeTest('completed and failed trials are done, cancelled and missing ones are not', async (store) => {
    await fill(store);
    const specs = [0, 1, 2, 5].map((ordinal) => ({ ordinal, key: keyOf(ordinal) }));
    const otherContent = { ordinal: 3, key: keyOf(99) };
    expect(await store.findDone(run.id, [...specs, otherContent])).toEqual(new Set([keyOf(0), keyOf(1)]));
  });

  storeTest('a trial at the same place replaces the earlier one and its scores', async (store) => {
    await fill(store);
    const planned = plan(0, { id: 'a' });
    const trial = trialAt(0, 'another answer', planned);
    await store.addTrials(run.id, [{ case: planned.case, trial }]);
    const [first, second] = await collect(store.readResults(run.id));
    expect(first).toEqual({ case: planned.case, trial, verdicts: {}, scorecard: null });
    expect(Object.keys(second?.verdicts ?? {})).not.toEqual([]);
  });

  storeTest('scores replace the earlier scores of the trial', async (store) => {
    const [first] = await fill(store);
    const scorecard = {
      total: null,
      lower: 0.25,
      upper: 1,
      grade: null,
      passed: null,
      explanation: 'half known',
    };
    const verdicts = { 'tool-usage': { status: 'failed', code: 'judge-down', reason: 'no reply' } } as const;
    await store.addScores(run.id, [{ ...(first as Result), verdicts, scorecard }]);
    const [read] = await collect(store.readResults(run.id));
    expect(read).toMatchObject({ verdicts, scorecard });
    expect(Object.keys(read?.verdicts ?? {})).toEqual(['tool-usage']);
  });

  storeTest('more rows than fit in one batch are read completely and in order', async (store) => {
    const many = 2345;
    await store.createRun({ ...run, attempts: 1 });
    const cases = Array.from({ length: many }, (_, position) =>
      plan(position, { id: `${position}`, input: `q${position}` }),
    );
    await store.addCases(run.id, cases);
    const backwards = cases
      .map((planned, ordinal) => ({ case: planned.case, trial: trialAt(ordinal, `a${ordinal}`, planned) }))
      .reverse();
    await store.addTrials(run.id, backwards);
    expect((await collect(store.readCases(run.id))).map(({ position }) => position)).toEqual([
      ...cases.keys(),
    ]);
    const answers = (await collect(store.readResults(run.id))).map(({ trial }) => trial.answer);
    expect(answers).toEqual(cases.map((_, ordinal) => `a${ordinal}`));
  });
}
