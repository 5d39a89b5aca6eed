import { expect, test } from 'vitest';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { createLocalExecutor } from '../../executors/local.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { planParts } from '../prepare/plan-parts.ts';
import { run } from '../run.ts';
import { neverStopped } from '../run-needs.ts';
import { workOnRun } from './work.ts';

/** Wraps a store that is away for one reading of shared records: the one after the first claim of a part. */
function awayAfterClaim(store: Store): Store {
  let claims = 0;
  return {
    ...store,
    claimRun: async (runId, part) => {
      claims += Number(part !== undefined);
      return await store.claimRun(runId, part);
    },
    shared: {
      ...store.shared,
      list: async (prefix) => {
        if (claims === 1) {
          claims += 1;
          throw new TouchstoneError('store-unreadable', 'The store cannot be reached.');
        }
        return await store.shared.list(prefix);
      },
    },
  };
}

test('a part that was claimed as the store went away is given back, so that its run can end', async () => {
  const store = createMemoryStore();
  const cases = Array.from({ length: 40 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));
  const bot = buildTarget(() => 'yes');
  const evaluation = buildEvaluation(cases, [resolvedTarget('bot', bot)]);
  const needs = { executor: createLocalExecutor(), observer: {}, signals: neverStopped, keepsDone: true };
  const faults: unknown[] = [];
  const fleet = {
    work: async (planned: { readonly id: string }) => {
      const work = async (own: Store) =>
        await workOnRun(planned.id, evaluation, { ...needs, store: own, worker: 'one' });
      await work(awayAfterClaim(store)).catch((error: unknown) => faults.push(error));
      const stored = await store.readRun(planned.id);
      const claimed =
        stored === undefined ? [] : planParts(stored).map(({ name }) => store.isClaimed(planned.id, name));
      expect(new Set(await Promise.all(claimed))).toEqual(new Set([false]));
      await work(store);
    },
  };
  const finished = await run(evaluation, { ...needs, store, fleet });
  expect(faults).toMatchObject([{ code: 'store-unreadable' }]);
  expect([finished.status, bot.calls.length, new Set(bot.calls).size]).toEqual(['completed', 40, 40]);
});

test.for([
  { what: 'all', most: Infinity, looks: 0, made: 40 },
  { what: 'a part', most: 7, looks: 1, made: 40 },
])(
  'a process whose workers have made $what of a run looks for what they have left only where they left some',
  async ({ most, looks, made }) => {
    const store = createMemoryStore();
    const cases = Array.from({ length: 40 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));
    const stopping = new AbortController();
    const bot = buildTarget(() => {
      if (bot.calls.length >= most) stopping.abort();
      return 'yes';
    });
    const evaluation = buildEvaluation(cases, [resolvedTarget('bot', bot)]);
    const needs = { executor: createLocalExecutor(), observer: {}, keepsDone: true };
    let looked = 0;
    let isOver = false;
    const watched: Store = {
      ...store,
      readCases: (...given) => {
        looked += Number(isOver);
        return store.readCases(...given);
      },
    };
    const fleet = {
      work: async (planned: { readonly id: string }) => {
        const signals = { stop: stopping.signal, abort: neverStopped.abort };
        await workOnRun(planned.id, evaluation, { ...needs, signals, store, worker: 'one' });
        isOver = true;
      },
    };
    const finished = await run(evaluation, { ...needs, signals: neverStopped, store: watched, fleet });
    expect([finished.status, new Set(bot.calls).size, finished.summary?.targets[0]?.counts.measured]).toEqual(
      ['completed', made, made],
    );
    expect(looked).toBe(looks);
  },
);
