import { expect, test } from 'vitest';
import type { Judge } from '../../judges/judge.ts';
import type { Run } from '../../../core/schema/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildTarget, resolvedMetric, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { warnOfSelfJudging } from './begin-run.ts';
import { isEnded } from './is-ended.ts';

async function storeWith(status: Run['status']) {
  const store = createMemoryStore();
  const run = buildRun({ status });
  await store.createRun(run);
  return { store, run };
}

test('a run with status `running` has ended when no process has claimed it', async () => {
  for (const status of ['planning', 'running'] as const) {
    const { store, run } = await storeWith(status);
    expect(await isEnded(run, store)).toBe(true);
    await store.claimRun(run.id);
    expect(await isEnded(run, store)).toBe(false);
  }
});

test('a finished run has not just ended, and where a claim cannot be tried the stored status counts', async () => {
  const { store, run } = await storeWith('completed');
  expect(await isEnded(run, store)).toBe(false);
  const unknown = { ...store, isClaimed: () => Promise.reject(new Error('the folder is read-only')) };
  expect(await isEnded({ ...run, status: 'running' }, unknown)).toBe(false);
});

test('a target that is judged by its own model is reported, however deeply its options name the model', () => {
  const judge = { models: ['m-1', 'm-2'] } as unknown as Judge;
  const metrics = [resolvedMetric('relevance', { judge, score: () => ({ status: 'scored', value: 1 }) })];
  const target = (name: string, use: object) => ({
    ...resolvedTarget(
      name,
      buildTarget(() => 'yes'),
    ),
    use: { use: 'chat', ...use },
  });
  const targets = [
    target('same', { model: { use: 'openai-chat', model: 'm-2' } }),
    target('other', { model: { use: 'openai-chat', model: 'm-3' } }),
    target('none', { path: 'm-1' }),
  ];
  expect(warnOfSelfJudging({ targets, metrics })).toEqual([expect.stringMatching(/^same is judged by m-2/)]);
});
