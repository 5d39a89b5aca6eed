import type { Judgement } from '../schema/judgement.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Trial } from '../schema/trial.ts';
import type { Store } from '../stores/store.ts';
import { testSharedTrials } from './shared-trials-contract.ts';
import { collect, fill, judgementAt, keyOf, plan, run, trialAt } from './store-records.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * What every store must do. Registers its tests with the runner it is given.
 * @param openStore - Opens an empty store; each test closes the one it was given.
 */
export function testStoreContract(
  name: string,
  openStore: () => Promise<Store>,
  { test, expect }: TestRunner,
): void {
  const storeTest = (fact: string, check: (store: Store) => Promise<void>) =>
    test(`${name}: ${fact}`, async () => {
      const store = await openStore();
      try {
        await check(store);
      } finally {
        await store.close();
      }
    });

  testSharedTrials(storeTest, expect);

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

  storeTest('cases at some positions are read without the others', async (store) => {
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

  storeTest('two runs can hold the same cases', async (store) => {
    const other = { ...run, id: 'other' };
    for (const each of [run, other]) {
      await store.createRun(each);
      await store.addCases(each.id, [plan(0)]);
    }
    await store.deleteRun(run.id);
    expect(await collect(store.readCases(other.id))).toEqual([plan(0)]);
  });

  storeTest('a part of a plan is read from one ordinal up to another', async (store) => {
    const results = await fill(store);
    for (const part of [{ from: 1 }, { to: 3 }, { from: 1, to: 3 }, { from: 3, to: 3 }, { from: 99 }, {}]) {
      const { from = 0, to = Infinity } = part;
      const wanted = results
        .map(({ trial }) => trial.ordinal)
        .filter((ordinal) => ordinal >= from && ordinal < to);
      const trials = (await collect(store.readTrials(run.id, part))).flat();
      const outcomes = await collect(store.readOutcomes(run.id, part));
      expect(trials.map(({ trial }) => trial.ordinal)).toEqual(wanted);
      expect(outcomes.map(({ trial }) => trial.ordinal)).toEqual(wanted);
    }
  });

  storeTest('of every case the names are read under which it is counted', async (store) => {
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

  storeTest('results are read as they were written, in the order of the plan', async (store) => {
    const results = await fill(store);
    expect(await collect(store.readResults(run.id))).toEqual(results);
  });

  storeTest('trials are read without what was said of them', async (store) => {
    const results = await fill(store);
    const trials = (await collect(store.readTrials(run.id))).flat();
    expect(trials).toEqual(results.map(({ case: testCase, trial }) => ({ case: testCase, trial })));
    await expect(collect(store.readTrials('nothing'))).rejects.toMatchObject({ code: 'run-not-found' });
  });

  storeTest(
    'results are read at the places asked for, and where nothing is kept there is none',
    async (store) => {
      const results = await fill(store);
      expect(await collect(store.readResults(run.id, [0, 3, 5, 99]))).toEqual([results[0], results[3]]);
      expect(await collect(store.readResults(run.id, []))).toEqual([]);
    },
  );

  storeTest('outcomes are the numbers of the results', async (store) => {
    const results = await fill(store);
    const outcomes = await collect(store.readOutcomes(run.id));
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
    'a conversation is read as it was written, with who played the user and what spoilt it',
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
        spoilt: { kind: 'leaked', reason: 'said it' },
      });
      await store.addTrials(run.id, [{ case: planned.case, trial }]);
      expect((await collect(store.readResults(run.id)))[0]).toMatchObject({ case: planned.case, trial });
      const [outcome] = await collect(store.readOutcomes(run.id));
      expect(outcome?.trial.conversation?.user).toMatchObject({ usage, cost: 0.5 });
    },
  );

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

  storeTest('a trial at the same place replaces the earlier one and what was said of it', async (store) => {
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
    await store.addScores(run.id, [{ trial: first?.trial as Trial, verdicts, scorecard }]);
    const [read] = await collect(store.readResults(run.id));
    expect(read).toMatchObject({ verdicts, scorecard });
    expect(Object.keys(read?.verdicts ?? {})).toEqual(['tool-usage']);
  });

  storeTest('more rows than any page are read whole and in order', async (store) => {
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
    'a run is claimed by one caller at a time, and by the next when it was given back',
    async (store) => {
      await store.createRun(run);
      await store.createRun({ ...run, id: 'other' });
      const giveBack = await store.claimRun(run.id);
      await expect(store.claimRun(run.id)).rejects.toMatchObject({ code: 'run-in-progress' });
      const giveBackOther = await store.claimRun('other');
      giveBack();
      giveBack();
      (await store.claimRun(run.id))();
      giveBackOther();
      await expect(store.claimRun('nothing')).rejects.toMatchObject({ code: 'run-not-found' });
    },
  );

  storeTest(
    'judgements are read as they were written, in the order in which they were asked',
    async (store) => {
      await store.createRun(run);
      const all = [judgementAt(2), judgementAt(0), judgementAt(1, 'failed')];
      await store.addJudgements(run.id, all);
      await store.addJudgements(run.id, all);
      expect(await collect(store.readJudgements(run.id))).toEqual([all[1], all[2], all[0]]);
      const [some, missing] = [all[0] as Judgement, 'f'.repeat(32)];
      expect(await collect(store.readJudgements(run.id, [some.id, missing]))).toEqual([some]);
      const notFound = { code: 'run-not-found' };
      await expect(store.addJudgements('nothing', all)).rejects.toMatchObject(notFound);
      await expect(collect(store.readJudgements('nothing'))).rejects.toMatchObject(notFound);
    },
  );

  storeTest(
    'the newest answer to a question is found, whichever run asked; a failure is none',
    async (store) => {
      await store.createRun(run);
      const key = judgementAt(0).key;
      expect(await store.findJudgement(key)).toBeUndefined();
      await store.addJudgements(run.id, [{ ...judgementAt(3, 'failed'), key }]);
      expect(await store.findJudgement(key)).toBeUndefined();
      const newest = { ...judgementAt(2), key };
      await store.addJudgements(run.id, [newest, { ...judgementAt(1), key }, judgementAt(4)]);
      expect(await store.findJudgement(key)).toEqual(newest);
    },
  );

  storeTest('a run rests on the judgements that its verdicts name, and they outlive it', async (store) => {
    const results = await fill(store);
    const other = { ...run, id: 'other' };
    await store.createRun(other);
    await store.addJudgements(other.id, [judgementAt(0), judgementAt(1)]);
    const { trial } = results[0] as Result;
    const verdict = { status: 'scored', value: 1, judgements: [judgementAt(1).id] } as const;
    const failed = { status: 'failed', code: 'judge-timeout', reason: 'late', judgements: [] } as const;
    const verdicts = {
      'tool-usage': { ...verdict, judgements: [...verdict.judgements] },
      keywords: { ...failed, judgements: [] },
    };
    await store.addScores(run.id, [{ trial, verdicts, scorecard: null }]);
    expect((await collect(store.readResults(run.id)))[0]?.verdicts).toEqual(verdicts);
    expect((await collect(store.readOutcomes(run.id)))[0]?.verdicts['keywords']).toMatchObject({
      code: 'judge-timeout',
    });
    expect(await collect(store.readJudgements(run.id))).toEqual([judgementAt(1)]);
    await store.deleteRun(other.id);
    await store.createRun(other);
    expect(await collect(store.readJudgements(other.id))).toEqual([]);
    expect(await collect(store.readJudgements(run.id))).toEqual([judgementAt(1)]);
    expect(await store.findJudgement(judgementAt(0).key)).toEqual(judgementAt(0));
  });

  storeTest('what a caller does to a record afterwards does not reach the store', async (store) => {
    const mine = structuredClone(run);
    await store.createRun(mine);
    mine.status = 'completed';
    expect((await store.readRun(run.id))?.status).toBe('running');
  });
}
