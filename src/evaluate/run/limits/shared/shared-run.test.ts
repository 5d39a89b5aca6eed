import { expect, test } from 'vitest';
import {
  buildEvaluation,
  buildTarget,
  resolvedTarget,
} from '../../../../../test/support/build-evaluation.ts';
import { createLocalExecutor } from '../../../executors/local.ts';
import { createMemoryStore } from '../../../../../test/support/memory-store.ts';
import { run } from '../../run.ts';
import { neverStopped } from '../../run-needs.ts';
import { resetSharedLimits } from './run-state.ts';
import { createSharedLimits } from './shared-limits.ts';

test('a run with shared limits that its budget stopped is resumed with a higher one, and counts what it had spent', async () => {
  const store = createMemoryStore();
  const cases = Array.from({ length: 6 }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));
  const bot = buildTarget(() => ({ answer: 'yes', toolCalls: [], cost: 0.25 }));
  const evaluate = (maxCost: number) =>
    buildEvaluation(cases, [resolvedTarget('bot', bot)], {
      settings: { concurrency: 1, timeLimitMs: 60_000, maxRetries: 0, maxCost },
    });
  const needs = {
    store,
    executor: createLocalExecutor(),
    createLimits: createSharedLimits({ records: store.shared }),
    resetLimits: async (runId: string) => await resetSharedLimits(store.shared, runId),
    observer: {},
    signals: neverStopped,
  };
  const first = await run(evaluate(0.5), needs);
  expect([first.stops?.[0]?.reason, bot.calls.length]).toEqual(['cost', 2]);
  const second = await run(evaluate(1), needs, first);
  expect([second.stops?.[0]?.reason, bot.calls.length]).toEqual(['cost', 4]);
  const third = await run(evaluate(10), needs, second);
  expect([third.stops, bot.calls.length]).toEqual([undefined, 6]);
});
