import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { isEnded } from './is-ended.ts';

test('a run with status `planning` or `running` has ended when no process works on it any more', async () => {
  const store = createMemoryStore();
  for (const status of ['planning', 'running', 'completed', 'interrupted'] as const) {
    const run = buildRun({ id: status, status });
    await store.createRun(run);
    const claim = await store.claimRun(run.id);
    expect(await isEnded(run, store)).toBe(false);
    await claim[Symbol.asyncDispose]();
    expect(await isEnded(run, store)).toBe(status === 'planning' || status === 'running');
    await (await store.claimRun(run.id))[Symbol.asyncDispose]();
  }
});

test('a run that was completed or deleted since its record was read is not mistaken for a killed one', async () => {
  const store = createMemoryStore();
  const run = buildRun({ status: 'running' });
  await store.createRun({ ...run, status: 'completed' });
  expect(await isEnded(run, store)).toBe(false);
  await store.deleteRun(run.id);
  expect(await isEnded(run, store)).toBe(false);
});
