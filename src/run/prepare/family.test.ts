import { expect, test } from 'vitest';
import type { Run } from '../../schema/run.ts';
import { createMemoryStore } from '../../stores/memory.ts';
import { buildRun } from '../../testing/build-records.ts';
import { findFamily } from './family.ts';

async function storeOf(continued: Readonly<Record<string, string | undefined>>) {
  const store = createMemoryStore();
  for (const [index, [id, continues]] of Object.entries(continued).entries()) {
    const createdAt = `2026-01-0${index + 1}T00:00:00.000Z`;
    await store.createRun(buildRun({ id, createdAt, ...(continues !== undefined && { continues }) }));
  }
  const familyOf = async (id: string) => {
    const { first, others, later } = await findFamily((await store.readRun(id)) as Run, store);
    return { first: first.id, others: others.map((run) => run.id), later: later.map((run) => run.id) };
  };
  return { store, familyOf };
}

test('runs that go on with each other are a family, to the last branch', async () => {
  const { familyOf } = await storeOf({ a: undefined, b: 'a', other: undefined, c: 'b', d: 'a' });
  expect(await familyOf('a')).toEqual({ first: 'a', others: ['d', 'c', 'b'], later: ['d', 'c', 'b'] });
  expect(await familyOf('b')).toEqual({ first: 'a', others: ['d', 'c', 'a'], later: ['c'] });
  expect(await familyOf('c')).toEqual({ first: 'a', others: ['d', 'b', 'a'], later: [] });
  expect(await familyOf('other')).toEqual({ first: 'other', others: [], later: [] });
});

test('a run whose plan is not complete belongs to none, and one that was deleted parts those around it', async () => {
  const { store, familyOf } = await storeOf({ a: undefined, b: 'a', c: 'b' });
  await store.updateRun({ ...((await store.readRun('c')) as Run), status: 'planning' });
  expect(await familyOf('a')).toEqual({ first: 'a', others: ['b'], later: ['b'] });
  await store.deleteRun('a');
  expect(await familyOf('b')).toEqual({ first: 'b', others: [], later: [] });
});

test('records that lead back to themselves, as an archive may have them, end all the same', async () => {
  const { familyOf } = await storeOf({ a: 'a', b: 'c', c: 'b' });
  expect(await familyOf('a')).toEqual({ first: 'a', others: [], later: [] });
  expect((await familyOf('b')).first).toBe('c');
});
