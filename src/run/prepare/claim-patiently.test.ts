import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Run } from '../../schema/run.ts';
import { createMemoryStore } from '../../stores/memory.ts';
import { buildRun } from '../../testing/build-records.ts';
import { claimPatiently } from './claim-patiently.ts';
import { isEnded } from './is-ended.ts';

async function storeWith(status: Run['status']) {
  const store = createMemoryStore();
  const run = buildRun({ status });
  await store.createRun(run);
  return { store, run };
}

test('who has a run for a moment is waited for, and who works on it is not', async () => {
  const { store, run } = await storeWith('running');
  const giveBack = await store.claimRun(run.id);
  const inProgress = { code: 'run-in-progress' };
  await expect(claimPatiently(run.id, store, 2)).rejects.toMatchObject(inProgress);
  const claiming = claimPatiently(run.id, store);
  await wait(30);
  giveBack();
  await claiming;
  await expect(store.claimRun(run.id)).rejects.toMatchObject(inProgress);
});

test('a run is ended that says it goes on, when nobody has it', async () => {
  for (const status of ['planning', 'running'] as const) {
    const { store, run } = await storeWith(status);
    expect(await isEnded(run, store)).toBe(true);
    await store.claimRun(run.id);
    expect(await isEnded(run, store)).toBe(false);
  }
});

test('a run that says it is over is, and what cannot be told is as it is said', async () => {
  const { store, run } = await storeWith('completed');
  expect(await isEnded(run, store)).toBe(false);
  const unclaimable = { ...store, claimRun: () => Promise.reject(new Error('the folder is read-only')) };
  expect(await isEnded({ ...run, status: 'running' }, unclaimable)).toBe(false);
});
