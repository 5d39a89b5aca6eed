import type { Judgement } from '../../../src/core/schema/judgement.ts';
import type { Result } from '../../../src/core/schema/result.ts';
import type { Store } from '../../../src/stores/store.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, fill, judgementAt, run, type StoreTest } from './store-records.ts';

/** Locks questions, and returns the ids of the runs that hold the locks. */
async function takersOf(store: Store, ...given: Parameters<Store['takeQuestions']>): Promise<string[]> {
  return (await store.takeQuestions(...given)).map(({ runId }) => runId);
}

/** Registers the tests of storing judgements and of locking their questions. */
export function testJudgements(storeTest: StoreTest, expect: TestRunner['expect']): void {
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
    'the newest answer to a question is found, from any run; a failed judgement does not count',
    async (store) => {
      await store.createRun(run);
      const key = judgementAt(0).key;
      expect(await store.findJudgement(key)).toBeUndefined();
      await store.addJudgements(run.id, [{ ...judgementAt(3, 'failed'), key }]);
      expect(await store.findJudgement(key)).toBeUndefined();
      const newest = { ...judgementAt(2), key };
      await store.addJudgements(run.id, [newest, { ...judgementAt(1), key }, judgementAt(4)]);
      expect(await store.findJudgement(key)).toEqual(newest);
      const other = { ...judgementAt(5), key, askedIn: 'other' };
      await store.createRun({ ...run, id: 'other' });
      await store.addJudgements('other', [other]);
      expect(await store.findJudgement(key)).toEqual(other);
      expect(await store.findJudgement(key, run.id)).toEqual(newest);
      expect(await store.findJudgement(key, 'unknown-run')).toBeUndefined();
    },
  );

  storeTest('judgements that no run uses are found by their key, and are no part of a run', async (store) => {
    await store.createRun(run);
    const own = { ...judgementAt(0), askedIn: 'draft' };
    await store.addJudgements(null, [own]);
    await store.addJudgements(null, [own]);
    expect(await store.findJudgement(own.key)).toEqual(own);
    expect(await store.findJudgement(own.key, 'draft')).toEqual(own);
    expect(await store.findJudgement(own.key, run.id)).toBeUndefined();
    expect(await collect(store.readJudgements(run.id))).toEqual([]);
    expect(await collect(store.check())).toEqual([]);
  });

  storeTest(
    'judgements are erased by the name under which they were asked, unless a run uses them',
    async (store) => {
      await store.createRun(run);
      const [erased, other, used] = [0, 1, 2].map((index) => ({
        ...judgementAt(index),
        askedIn: index === 1 ? 'draft:other' : 'draft:trace',
      })) as [Judgement, Judgement, Judgement];
      await store.addJudgements(null, [erased, other]);
      await store.addJudgements(run.id, [used]);
      expect(await store.eraseJudgements('draft:trace')).toBe(1);
      expect(await store.findJudgement(erased.key)).toBeUndefined();
      expect(await store.findJudgement(other.key)).toEqual(other);
      expect(await collect(store.readJudgements(run.id))).toEqual([used]);
      expect(await store.eraseJudgements('draft:trace')).toBe(0);
      expect(await collect(store.check())).toEqual([]);
    },
  );

  storeTest(
    'the judgements that verdicts name belong to the run, and remain after a run is deleted',
    async (store) => {
      const results = await fill(store);
      const other = { ...run, id: 'other' };
      await store.createRun(other);
      await store.addJudgements(other.id, [judgementAt(0), judgementAt(1)]);
      const { case: testCase, trial } = results[0] as Result;
      const verdict = { status: 'scored', value: 1, judgements: [judgementAt(1).id] } as const;
      const failed = { status: 'failed', code: 'judge-timeout', reason: 'late', judgements: [] } as const;
      const verdicts = {
        'tool-usage': { ...verdict, judgements: [...verdict.judgements] },
        keywords: { ...failed, judgements: [] },
      };
      await store.addScores(run.id, [{ case: testCase, trial, verdicts, scorecard: null }]);
      expect((await collect(store.readResults(run.id)))[0]?.verdicts).toEqual(verdicts);
      expect((await collect(store.readOutcomes(run.id))).flat()[0]?.verdicts['keywords']).toMatchObject({
        code: 'judge-timeout',
      });
      expect(await collect(store.readJudgements(run.id))).toEqual([judgementAt(1)]);
      await store.deleteRun(other.id);
      await store.createRun(other);
      expect(await collect(store.readJudgements(other.id))).toEqual([]);
      expect(await collect(store.readJudgements(run.id))).toEqual([judgementAt(1)]);
      expect(await store.findJudgement(judgementAt(0).key)).toEqual(judgementAt(0));
    },
  );

  storeTest('a question is locked by one run at a time, until that run releases it', async (store) => {
    await store.createRun(run);
    await store.createRun({ ...run, id: 'other' });
    const [first, second, third] = [0, 1, 2].map((number) => judgementAt(number).key) as [
      string,
      string,
      string,
    ];
    expect(await takersOf(store, run.id, [first, second])).toEqual([run.id, run.id]);
    expect(await takersOf(store, 'other', [third, first])).toEqual(['other', run.id]);
    expect(await takersOf(store, run.id, [first])).toEqual([run.id]);
    await store.releaseQuestions('other', [first]);
    expect(await takersOf(store, 'other', [first])).toEqual([run.id]);
    await store.releaseQuestions(run.id, [first]);
    expect(await takersOf(store, 'other', [first, second])).toEqual(['other', run.id]);
    await store.releaseQuestions('other');
    expect(await takersOf(store, run.id, [first, third])).toEqual([run.id, run.id]);
    await store.deleteRun(run.id);
    expect(await takersOf(store, 'other', [first, second, third])).toEqual(['other', 'other', 'other']);
    const notFound = { code: 'run-not-found' };
    await expect(store.takeQuestions(run.id, [first])).rejects.toMatchObject(notFound);
    await expect(store.releaseQuestions(run.id)).rejects.toMatchObject(notFound);
  });

  storeTest('parts of a run lock questions apart from each other, and release their own', async (store) => {
    await store.createRun(run);
    const [first, second] = ['1'.repeat(32), '2'.repeat(32)] as [string, string];
    const holder = (part: string) => ({ runId: run.id, part });
    expect(await store.takeQuestions(run.id, [first], 'bot.0')).toEqual([holder('bot.0')]);
    expect(await store.takeQuestions(run.id, [second, first], 'bot.200')).toEqual([
      holder('bot.200'),
      holder('bot.0'),
    ]);
    await store.releaseQuestions(run.id, undefined, 'bot.200');
    expect(await store.takeQuestions(run.id, [first, second])).toEqual([holder('bot.0'), holder('')]);
    await store.releaseQuestions(run.id, undefined, '');
    expect(await store.takeQuestions(run.id, [first, second], 'x')).toEqual([holder('bot.0'), holder('x')]);
    await store.releaseQuestions(run.id);
    expect(await store.takeQuestions(run.id, [first, second], 'y')).toEqual([holder('y'), holder('y')]);
  });
}
