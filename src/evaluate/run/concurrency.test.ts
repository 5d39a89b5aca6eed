import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { TargetFailure } from '../targets/target.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import { run } from './run.ts';
import { neverStopped } from './run-needs.ts';

/**
 * Creates a generator of numbers that are the same for the same seed (Park and Miller, "Random number generators",
 * 1988).
 */
function createDraw(seed: number): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/** Builds the questions with the outcome that each has whenever it is asked. */
function drawWorld(seed: number) {
  const draw = createDraw(seed);
  const cases = Array.from({ length: 1 + draw(120) }, (_, index) => ({
    id: `q${index}`,
    input: `question ${draw(1000)} of ${index}`,
    category: ['a', 'b', undefined][draw(3)],
    expected: { keywords: ['yes', 'no'].slice(draw(2)) },
  }));
  const fates = new Map(cases.map(({ id }) => [id, { fate: draw(6), delayMs: draw(4) }]));
  return { cases, fates, attempts: 1 + draw(3) };
}

/**
 * Returns everything stored of a run except for the times at which it happened. The target reports its latency itself.
 */
async function outcomeOf(seed: number, concurrency: number) {
  const { cases, fates, attempts } = drawWorld(seed);
  const answer = (name: string) =>
    buildTarget(async ({ caseId, attempt, seed: given }) => {
      const { fate, delayMs } = fates.get(caseId) ?? { fate: 0, delayMs: 0 };
      await wait(concurrency === 1 ? 0 : (delayMs * attempt) % 4);
      const latency = { totalMs: 1 + ((given >>> 0) % 50) };
      if (fate === 0) throw new TargetFailure('target-threw', `no intent for ${caseId}`, { latency });
      if (fate === 1) return { answer: null, toolCalls: [], latency };
      const text = `${name} ${fate > 3 ? 'yes' : 'no'} ${given}`;
      return { answer: text, toolCalls: [], cost: fate / 100, latency };
    });
  const store = createMemoryStore();
  const targets = ['one', 'two'].map((name) => resolvedTarget(name, answer(name)));
  const parts = {
    attempts,
    settings: { concurrency, timeLimitMs: 60_000, maxRetries: 0, stopAfterFailures: null },
  };
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  const finished = await run(buildEvaluation(cases, targets, parts), needs);
  const results = await Array.fromAsync(store.readResults(finished.id));
  const untimed = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, part) => (key === 'startedAt' ? undefined : part)));
  return untimed({ summary: finished.summary, results, status: finished.status });
}

test.each(Array.from({ length: 5 }, (_, seed) => seed))(
  'order, verdicts and numbers are the same one at a time and 500 at a time (seed %i)',
  async (seed) => {
    const alone = await outcomeOf(seed, 1);
    expect(await outcomeOf(seed, 500)).toEqual(alone);
    expect(await outcomeOf(seed, 7)).toEqual(alone);
  },
);
