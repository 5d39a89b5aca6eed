import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../../test/support/build-evaluation.ts';
import { readRuns, type Store } from '../../../stores/store.ts';
import { run } from '../run.ts';
import { neverStopped } from '../run-needs.ts';
import type { ScoredTrial } from '../../../core/schema/result.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { createScoreRecorder } from './record.ts';

const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `q${index}`, input: `question ${index}` }));
const settings = { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0 };

/** A metric that gives no verdict until it is released. */
function buildStuckMetric() {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const score = async () => {
    await promise;
    return { status: 'scored', value: 1 } as const;
  };
  return { metric: resolvedMetric('slow', { score }), letGo };
}

/** Returns the count once it has begun to rise and has stood still for a while. */
async function untilQuiet(count: () => number): Promise<number> {
  for (let [last, quiet] = [0, 0]; quiet < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    quiet = count() > 0 && count() === last ? quiet + 1 : 0;
    last = count();
  }
  return count();
}

test('answers are stored at once, however long their scores take', async () => {
  const store = createMemoryStore();
  let kept = 0;
  const watched = {
    ...store,
    addTrials: (id: string, trials: Parameters<typeof store.addTrials>[1]) => {
      kept += trials.length;
      return store.addTrials(id, trials);
    },
  };
  const bot = buildTarget(async () => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    return 'yes';
  });
  const { metric, letGo } = buildStuckMetric();
  const evaluation = buildEvaluation(drafts(50), [resolvedTarget('bot', bot)], {
    settings,
    metrics: [metric],
    scorecard: null,
  });
  const running = run(evaluation, {
    store: watched,
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  });
  expect(await untilQuiet(() => kept)).toBe(50);
  letGo();
  expect((await running).summary?.targets[0]?.metrics[0]).toMatchObject({ scored: 50 });
});

test('no more calls are made than scoring can keep up with', async () => {
  const bot = buildTarget(() => 'yes');
  const { metric, letGo } = buildStuckMetric();
  const evaluation = buildEvaluation(drafts(2000), [resolvedTarget('bot', bot)], {
    settings,
    metrics: [metric],
    scorecard: null,
  });
  const running = run(evaluation, {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  });
  expect(await untilQuiet(() => bot.calls.length)).toBeLessThan(500);
  letGo();
  expect((await running).summary?.targets[0]?.metrics[0]).toMatchObject({ scored: 2000 });
});

test('a run that is stopped while scoring holds up its calls makes no more of them', async () => {
  const bot = buildTarget(() => 'yes');
  const { metric, letGo } = buildStuckMetric();
  const stop = new AbortController();
  const evaluation = buildEvaluation(drafts(2000), [resolvedTarget('bot', bot)], {
    settings,
    metrics: [metric],
    scorecard: null,
  });
  const signals = { ...neverStopped, stop: stop.signal };
  const store = createMemoryStore();
  const running = run(evaluation, { store, executor: createLocalExecutor(), observer: {}, signals });
  const called = await untilQuiet(() => bot.calls.length);
  stop.abort();
  letGo();
  const { id, status, summary } = await running;
  expect(status).toBe('interrupted');
  expect(bot.calls).toHaveLength(called);
  expect(summary?.targets[0]?.counts.notRun).toBe(2000 - called);
  expect(await Array.fromAsync(store.readResults(id))).toHaveLength(called);
});

test('a failing store ends the run with its error, and every call with it', async () => {
  const full = () => Promise.reject(new Error('disk full'));
  for (const broken of ['addTrials', 'addScores']) {
    const bot = buildTarget(() => 'yes');
    const store = { ...createMemoryStore(), [broken]: full };
    const evaluation = buildEvaluation(drafts(2000), [resolvedTarget('bot', bot)], { settings });
    const running = run(evaluation, {
      store,
      executor: createLocalExecutor(),
      observer: {},
      signals: neverStopped,
    });
    await expect(running).rejects.toThrow('disk full');
    const called = bot.calls.length;
    expect(called).toBeLessThan(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bot.calls).toHaveLength(called);
  }
});

test('a store that fails for a moment loses only the answer that it failed for', async () => {
  const memory = createMemoryStore();
  let faults = 0;
  const store: Store = {
    ...memory,
    addTrials: async (runId, added) => {
      if ((faults += 1) === 1) throw new Error('disk full');
      return await memory.addTrials(runId, added);
    },
  };
  let [answered, closedAfter] = [0, 0];
  const bot = buildTarget(
    async ({ caseId }) => {
      // The first answer comes before the others, and cannot be stored.
      await wait(caseId === 'q0' ? 1 : 100);
      answered += 1;
      return 'yes';
    },
    {
      close: async () => {
        closedAfter = answered;
      },
    },
  );
  const evaluation = buildEvaluation(drafts(100), [resolvedTarget('bot', bot)], {
    settings: { ...settings, concurrency: 8 },
  });
  const running = run(evaluation, {
    store,
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  });
  await expect(running).rejects.toThrow('disk full');
  expect(bot.calls).toHaveLength(8);
  expect(closedAfter).toBe(8);
  const [kept] = await Array.fromAsync(readRuns(store));
  expect(await Array.fromAsync(store.readResults(kept?.id ?? ''))).toHaveLength(7);
});

test('when another process stored an answer first, that one counts, and the later one is counted with its price', async () => {
  const memory = createMemoryStore();
  const store: Store = {
    ...memory,
    addTrials: async (runId, added, writing) => {
      const first = added.filter(({ trial }) => trial.caseId === 'q1');
      const rival = first.map((cased) => ({
        ...cased,
        trial: { ...cased.trial, answer: 'theirs', cost: 0 },
      }));
      await memory.addTrials(runId, rival);
      return await memory.addTrials(runId, added, writing);
    },
  };
  const bot = buildTarget(() => ({ answer: 'ours', toolCalls: [], cost: 0.25 }));
  const recorded: string[] = [];
  const finished = await run(buildEvaluation(drafts(3), [resolvedTarget('bot', bot)], { settings }), {
    store,
    executor: createLocalExecutor(),
    keepsDone: true,
    observer: { onRecorded: ({ caseId }) => void recorded.push(caseId) },
    signals: neverStopped,
  });
  expect(finished).toMatchObject({ lateAnswers: 1, lateCost: 0.25 });
  expect(recorded.toSorted()).toEqual(['q0', 'q2']);
  const answers = (await Array.fromAsync(store.readResults(finished.id))).map(({ trial }) => trial.answer);
  expect(answers).toEqual(['ours', 'theirs', 'ours']);
});

function prepare() {
  const kept: number[] = [];
  const store = {
    addScores: async (_run: string, scored: readonly unknown[]) => void kept.push(scored.length),
  };
  return { kept, keeper: createScoreRecorder('run', store) };
}

function scored(count: number, from = 0): ScoredTrial[] {
  return Array.from({ length: count }, (_, index) => {
    const trial = buildTrial('yes', { ordinal: from + index });
    return { case: buildCase(), trial, verdicts: {}, scorecard: null };
  });
}

test('scores that come fast are stored many at a time, and the rest at the end', async () => {
  const { kept, keeper } = prepare();
  for (let round = 0; round < 30; round += 1) await keeper.add(scored(10));
  await keeper.finish();
  expect(kept.reduce((sum, count) => sum + count, 0)).toBe(300);
  expect(kept[0]).toBe(10);
  expect(kept.length).toBeLessThan(10);
});

test('a score that comes alone is stored at once, and nothing is left at the end', async () => {
  const { kept, keeper } = prepare();
  await keeper.add(scored(1));
  expect(kept).toEqual([1]);
  await keeper.finish();
  expect(kept).toEqual([1]);
});

test('scores that come fast are stored some hundreds at a time', async () => {
  const { kept, keeper } = prepare();
  for (let from = 0; from < 2000; from += 10) await keeper.add(scored(10, from));
  expect(kept).toEqual([10, ...Array.from({ length: 9 }, () => 200)]);
});
