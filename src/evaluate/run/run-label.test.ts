import { expect, test } from 'vitest';
import { exportRun } from './record/archive.ts';
import { findRun, listRunHeads, listRunStates } from '../../look/queries/runs.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { runEditKind } from '../../stores/kinds/run-edit.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { editRun } from './run-label.ts';

const id = '20260101-120000-abcd';
const begun = { name: 'first', note: 'as begun', tags: { prompt: 'v6', model: 'm' } };

async function storeOfOne(): Promise<Store> {
  const store = createMemoryStore();
  await store.createRun(buildRun({ id, status: 'completed', ...begun }));
  return store;
}

test('a run is called what it was called last, and its record stays as it was run', async () => {
  const store = await storeOfOne();
  const record = await store.readRun(id);
  const run = await findRun(store, id);
  await editRun(run, { name: 'prompt v7', note: 'shorter', by: 'ann' }, store);
  await editRun(await findRun(store, id), { tags: { prompt: 'v7', model: null }, by: 'bob' }, store);
  const now = { name: 'prompt v7', note: 'shorter', tags: { prompt: 'v7' } };
  expect(await findRun(store, 'prompt v7')).toMatchObject({ id, ...now });
  await expect(findRun(store, 'first')).rejects.toMatchObject({ code: 'run-not-found' });
  expect(await store.readRun(id)).toEqual(record);
  const kept = await store.documents.get(runEditKind, [id]);
  expect(kept?.edits).toMatchObject([
    { by: 'ann', name: 'prompt v7', note: 'shorter', tags: begun.tags },
    { by: 'bob', ...now },
  ]);
});

test('lists and their filters know runs by what they are called now', async () => {
  const store = await storeOfOne();
  await editRun(
    await findRun(store, id),
    { name: 'prompt v7', note: 'shorter', tags: { prompt: 'v7' } },
    store,
  );
  const count = async (...where: string[]) => (await listRunHeads(store, { where })).length;
  expect(await count('name=prompt*')).toBe(1);
  expect(await count('name=first')).toBe(0);
  expect(await count('note~shorter')).toBe(1);
  expect(await count('tag=prompt=v7')).toBe(1);
  expect(await count('tag=prompt=v6')).toBe(0);
  expect((await listRunStates(store))[0]?.run).toMatchObject({ name: 'prompt v7', note: 'shorter' });
});

test('an empty text or null removes, what is left out stays, and no change is no record', async () => {
  const store = await storeOfOne();
  await editRun(await findRun(store, id), { name: 'first', tags: { model: 'm' } }, store);
  expect(await store.documents.get(runEditKind, [id])).toBeUndefined();
  await editRun(await findRun(store, id), { name: '', tags: { prompt: '', model: null } }, store);
  const { name, note, tags } = await findRun(store, id);
  expect({ name, note, tags }).toEqual({ name: undefined, note: 'as begun', tags: undefined });
});

test('a name that another run has is said, and one that reads as something else is refused', async () => {
  const store = await storeOfOne();
  const other = '20260102-120000-efgh';
  await store.createRun(buildRun({ id: other, status: 'completed', createdAt: '2026-01-02T12:00:00.000Z' }));
  await editRun(await findRun(store, id), { name: 'prompt v7' }, store);
  const { notices } = await editRun(await findRun(store, other), { name: 'prompt v7' }, store);
  expect(notices).toEqual([`Run ${id} is called "prompt v7" too: from now on the name means the newer one.`]);
  for (const change of [
    { name: 'latest' },
    { name: 'efgh' },
    { note: 'x'.repeat(1001) },
    { tags: { 'a b': 'x' } },
  ])
    await expect(editRun(await findRun(store, id), change, store)).rejects.toMatchObject({
      code: 'usage-invalid',
    });
});

test('an export has what the run is called now, and a run that is removed takes it with it', async () => {
  const store = await storeOfOne();
  await editRun(await findRun(store, id), { name: 'prompt v7' }, store);
  const lines = await Array.fromAsync(exportRun(await findRun(store, id), store));
  expect(lines.join('')).toContain('prompt v7');
  await store.deleteRun(id);
  expect(await store.documents.count(runEditKind)).toBe(0);
});
