import { recordsOfRun } from '../../../src/stores/shared/shared-records.ts';
import { run, type StoreTest } from './store-records.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';

/** Registers the tests that every store must pass with the records that processes share. */
export function testShared(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('a shared record is added, changed and removed by what it was', async ({ shared }) => {
    const seen: unknown[] = [];
    const value = { count: 1, text: 'nul \u0000, high \u{1f642}, " \\' };
    const result = await shared.change<typeof value, string>('a', (before) => {
      seen.push(before);
      return { value, result: 'added' };
    });
    expect(result).toBe('added');
    await shared.change<typeof value, undefined>('a', (before) => {
      seen.push(structuredClone(before));
      return { value: { ...(before as typeof value), count: 2 }, result: undefined };
    });
    expect(seen).toEqual([undefined, value]);
    expect(await shared.list('')).toEqual([{ name: 'a', value: { ...value, count: 2 } }]);
    await shared.change('a', () => ({ value: undefined, result: undefined }));
    expect(await shared.list('')).toEqual([]);
    await shared.change('a', () => ({ value: undefined, result: undefined }));
    await shared.change('a', () => ({ value: 5, result: undefined }));
    expect(await shared.remove('a')).toBe(true);
    expect(await shared.remove('a')).toBe(false);
  });

  storeTest('of many changes at the same time, none is lost and none is made twice', async ({ shared }) => {
    const add = async () =>
      await shared.change<number, number>('count', (before = 0) => ({ value: before + 1, result: before }));
    const results = await Promise.all(Array.from({ length: 40 }, add));
    expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(await shared.list('count')).toEqual([{ name: 'count', value: 40 }]);
  });

  storeTest('a change that throws changes nothing, and its error is passed on', async ({ shared }) => {
    await shared.change('a', () => ({ value: 1, result: undefined }));
    const fault = new Error('no');
    const failing = shared.change('a', () => {
      throw fault;
    });
    await expect(failing).rejects.toBe(fault);
    expect(await shared.list('')).toEqual([{ name: 'a', value: 1 }]);
  });

  storeTest('shared records are listed by the beginning of their names, in order', async ({ shared }) => {
    const names = ['b', 'a/2', 'a/1', 'A/1', 'a/ü', 'a%', 'a_', 'a/🙂', 'a/ﬁ'];
    for (const name of names) await shared.change(name, () => ({ value: name, result: undefined }));
    const listed = async (prefix: string) => (await shared.list(prefix)).map(({ name }) => name);
    expect(await listed('a/')).toEqual(['a/1', 'a/2', 'a/ü', 'a/ﬁ', 'a/🙂']);
    expect(await listed('a%')).toEqual(['a%']);
    expect(await listed('')).toHaveLength(names.length);
  });

  storeTest('the clock of shared records goes forward, and is that of the world', async ({ shared }) => {
    const now = async () => await shared.change('at', (_, at) => ({ value: undefined, result: at }));
    const first = await now();
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    const second = await now();
    expect(second - first).toBeGreaterThanOrEqual(10);
    expect(Math.abs(second - Date.now())).toBeLessThan(3_600_000);
  });

  storeTest('the shared records of a run are removed with it, and no others', async (store) => {
    await store.createRun(run);
    const own = `${recordsOfRun(run.id)}limits`;
    for (const name of [own, `${recordsOfRun(`${run.id}2`)}limits`, 'account/x'])
      await store.shared.change(name, () => ({ value: {}, result: undefined }));
    await store.deleteRun(run.id);
    const left = (await store.shared.list('')).map(({ name }) => name);
    expect(left).toHaveLength(2);
    expect(left).not.toContain(own);
  });
}
