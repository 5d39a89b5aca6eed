import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import type { Result } from '../../../src/core/schema/result.ts';
import type { Store } from '../../../src/stores/store.ts';
import { collect, fill, run, type StoreTest } from './store-records.ts';

/** Registers the tests of the traits of scored trials, by which they are filtered and counted. */
export function testTraits(storeTest: StoreTest, expect: TestRunner['expect']): void {
  const traitsIn = async (store: Store, id = run.id) =>
    (await store.countTraits(id, { fields: ['tool', 'calls', 'gap.tone'] })).map(
      ({ field, value, trials }) => `${field}=${value}: ${trials}`,
    );
  const found = async (store: Store, field: string, value: string, id = run.id) =>
    (await store.selectTrials(id, { where: [{ field, operator: '=', values: [value] }], limit: 9 })).rows.map(
      ({ ordinal }) => ordinal,
    );
  /** Returns a result in which one tool was called. */
  const calling = (result: Result | undefined, name: string): Result => {
    if (result === undefined) throw new Error('There is no result.');
    const call = { role: 'assistant' as const, content: 'It is.', toolCalls: [{ name }] };
    return {
      ...result,
      trial: { ...result.trial, status: 'completed', transcript: [{ role: 'user', content: 'hi' }, call] },
    };
  };

  storeTest(
    'tools are counted and found as soon as a trial is scored, and no more when it is made again',
    async (store) => {
      await fill(store);
      expect(await traitsIn(store)).toEqual(['calls=look: 1', 'tool=look: 1']);
      expect(await found(store, 'tool', 'LOOK')).toEqual([3]);
      const [, , , rich] = await collect(store.readResults(run.id));
      await store.addTrials(run.id, [calling(rich, 'book')]);
      expect(await traitsIn(store)).toEqual([]);
      await store.addScores(run.id, [calling(rich, 'book')]);
      expect(await traitsIn(store)).toEqual(['calls=book: 1', 'tool=book: 1']);
      expect(await found(store, 'tool', 'look')).toEqual([]);
    },
  );

  storeTest('scores that are written again replace the traits, in this run alone', async (store) => {
    const results = await fill(store);
    await store.createRun({ ...run, id: 'again' }, { trialsOf: run.id });
    await store.addScores('again', results);
    const late = { status: 'failed', code: 'judge-timeout', reason: 'late' } as const;
    await store.addScores('again', [{ ...(results[3] as Result), verdicts: { tone: late } }]);
    expect(await traitsIn(store, 'again')).toContain('gap.tone=judge-timeout: 1');
    expect(await found(store, 'gap.tone', 'judge-*', 'again')).toEqual([3]);
    expect(await traitsIn(store)).toEqual(['calls=look: 1', 'tool=look: 1']);
    await store.deleteRun('again');
    expect(await found(store, 'tool', 'look')).toEqual([3]);
  });

  storeTest('names of tools may be long, or mean something in SQL', async (store) => {
    const results = await fill(store);
    const names = ["x'); DROP TABLE traits; --", 'a"b.c d', '100%_\\', 'y'.repeat(1_000_000)];
    const scored = names.map((name, index) => calling(results[index], name));
    await store.addTrials(run.id, scored);
    await store.addScores(run.id, scored);
    const counted = await store.countTraits(run.id);
    for (const name of names.slice(0, 3))
      expect(counted).toContainEqual(expect.objectContaining({ field: 'tool', value: name, trials: 1 }));
    expect(await found(store, 'tool', "x'); DROP*")).toEqual([0]);
    expect(await found(store, 'tool', 'yyy*')).toEqual([3]);
  });

  storeTest('a name that is erased from the records is erased from the traits', async (store) => {
    const results = await fill(store);
    const scored = [calling(results[3], 'look up Ann')];
    await store.addTrials(run.id, scored);
    await store.addScores(run.id, scored);
    const without = (text: string) => text.replaceAll('Ann', '[erased]');
    await store.texts.rewrite('trial', {
      record: ({ record }) => JSON.parse(without(JSON.stringify(record))) as object,
      column: without,
    });
    await store.texts.purge();
    expect(await found(store, 'tool', '*Ann*')).toEqual([]);
    expect(await traitsIn(store)).toEqual(['calls=look up [erased]: 1', 'tool=look up [erased]: 1']);
  });
}
