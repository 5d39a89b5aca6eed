import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { collect, plan, run, type StoreTest } from './store-records.ts';

/** Registers the tests of storing and reading the cases of a run. */
export function testCases(storeTest: StoreTest, expect: TestRunner['expect']): void {
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
