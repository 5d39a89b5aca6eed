import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import type { RunStop } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { type Reply, TargetFailure } from '../targets/target.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import type { Evaluation } from './evaluation.ts';
import { run } from './run.ts';
import { neverStopped, type RunNeeds } from './run-needs.ts';

const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: ['yes'] },
  }));

function prepare() {
  const stops: RunStop[] = [];
  const needs: RunNeeds = {
    store: createMemoryStore(),
    executor: createLocalExecutor(),
    observer: { onStopped: (stop) => stops.push(stop) },
    signals: neverStopped,
  };
  return { needs, stops };
}

const settings = (parts: Partial<Evaluation['settings']>) => ({
  settings: { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0, ...parts },
});

/** Stops the timers of a run, so that its time limit is reached when the test says so, however busy the machine is. */
function holdTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

const paid = (cost: number): Reply => ({ answer: 'yes', toolCalls: [], cost });

test('no trial is begun that could pass the cost limit; the rest is not run, not measured, and can be resumed', async () => {
  const { needs, stops } = prepare();
  const bot = buildTarget(async () => {
    await wait(1);
    return paid(0.1);
  });
  const limited = (maxCost: number) =>
    buildEvaluation(questions(40), [resolvedTarget('bot', bot)], settings({ concurrency: 8, maxCost }));
  const first = await run(limited(1.05), needs);
  expect(bot.calls).toHaveLength(10);
  expect(first).toMatchObject({ status: 'interrupted', stops: [{ reason: 'cost' }] });
  expect(stops).toEqual(first.stops);
  expect(stops[0]?.message).toBe(
    'the run has cost $1.00, and one more attempt (about $0.10) could pass its limit of $1.05',
  );
  expect(first.summary?.targets[0]?.counts).toMatchObject({ measured: 10, notRun: 30 });
  expect(first.summary?.decision.outcome).toBe('not-measured');
  const second = await run(limited(2), needs, first);
  expect(bot.calls).toHaveLength(20);
  const whole = await run(limited(100), needs, second);
  expect(bot.calls).toHaveLength(40);
  expect(new Set(bot.calls).size).toBe(40);
  expect(whole).toMatchObject({ status: 'completed', summary: { decision: { outcome: 'pass' } } });
  expect(whole.stops).toBeUndefined();
});

test('a gate that would not need the rest does not pass a run that its budget ended', async () => {
  const { needs } = prepare();
  const bot = buildTarget(() => paid(0.1));
  const parts = { ...settings({ maxCost: 0.5 }), gate: { failUnder: 10, minCoverage: 0.1 } };
  const finished = await run(buildEvaluation(questions(6), [resolvedTarget('bot', bot)], parts), needs);
  expect(finished.summary?.decision).toMatchObject({
    outcome: 'not-measured',
    reasons: [expect.stringContaining('could pass its limit of $0.50'), expect.any(String)],
  });
});

test('after its time limit a run starts nothing new, and keeps the trials in flight', async () => {
  const { needs, stops } = prepare();
  const bot = buildTarget(async () => {
    await wait(20);
    return 'yes';
  });
  const evaluation = buildEvaluation(
    questions(10_000),
    [resolvedTarget('bot', bot)],
    settings({ maxDurationMs: 100 }),
  );
  const finished = await run(evaluation, needs);
  expect(finished.status).toBe('interrupted');
  expect(stops).toEqual([{ reason: 'time', message: 'the time limit of the run, 100 ms, is over' }]);
  const counts = finished.summary?.targets[0]?.counts;
  expect(counts).toMatchObject({ measured: bot.calls.length, notRun: 10_000 - bot.calls.length, errors: 0 });
});

test('a limit that is reached while the last answer is arriving affects no measurement', async () => {
  holdTimers();
  const { needs, stops } = prepare();
  const bot = buildTarget(async () => {
    while (bot.calls.length < 2) await nextTurn();
    vi.advanceTimersByTime(20);
    return 'yes';
  });
  const parts = settings({ maxDurationMs: 20 });
  const finished = await run(buildEvaluation(questions(2), [resolvedTarget('bot', bot)], parts), needs);
  expect(stops).toHaveLength(1);
  expect(finished).toMatchObject({ status: 'completed', summary: { decision: { outcome: 'pass' } } });
});

test('a target that never answers is stopped early with each error reported once, and the others continue', async () => {
  const { needs, stops } = prepare();
  const dead = buildTarget(() => {
    throw new TargetFailure('connection-failed', `port ${Math.random()}: refused`);
  });
  const bot = buildTarget(() => 'yes');
  const evaluation = buildEvaluation(questions(500), [
    resolvedTarget('dead', dead),
    resolvedTarget('bot', bot),
  ]);
  const finished = await run(evaluation, needs);
  expect(bot.calls).toHaveLength(500);
  expect(dead.calls.length).toBeGreaterThanOrEqual(24);
  expect(dead.calls.length).toBeLessThanOrEqual(24 + 4);
  expect(stops).toEqual([
    {
      reason: 'failures',
      target: 'dead',
      message: 'dead failed 24 times in a row, and is not asked any more',
      failures: [{ code: 'connection-failed', message: expect.stringMatching(/refused/), trials: 24 }],
    },
  ]);
  expect(finished).toMatchObject({ status: 'interrupted', stops });
  expect(finished.summary?.decision.outcome).toBe('not-measured');
  const [ofDead, ofBot] = finished.summary?.targets ?? [];
  expect(ofDead?.counts).toMatchObject({ errors: dead.calls.length, notRun: 500 - dead.calls.length });
  expect(ofBot?.counts).toMatchObject({ measured: 500, notRun: 0 });
});

test('a target that fails under a condition is not stopped: failures are measured there', async () => {
  const { needs, stops } = prepare();
  const failing = buildTarget(() => {
    throw new TargetFailure('timeout', 'late');
  });
  const condition = { type: 'fault' as const, kind: 'timeout', of: 'bot' };
  const targets = [
    resolvedTarget(
      'bot',
      buildTarget(() => 'yes'),
    ),
    { ...resolvedTarget('bot + fault timeout', failing), condition },
  ];
  await run(buildEvaluation(questions(100), targets), needs);
  expect(failing.calls).toHaveLength(100);
  expect(stops).toEqual([]);
});

test('the limit of failures can be set, also to never', async () => {
  const callsWith = async (stopAfterFailures: number | null) => {
    const dead = buildTarget(() => {
      throw new Error('no');
    });
    const parts = settings({ concurrency: 1, stopAfterFailures });
    await run(buildEvaluation(questions(200), [resolvedTarget('dead', dead)], parts), prepare().needs);
    return dead.calls.length;
  };
  expect(await callsWith(3)).toBe(3);
  expect(await callsWith(null)).toBe(200);
});

test('repeats are counted over the whole run, and end at their limit', async () => {
  const bot = buildTarget(() => {
    throw new TargetFailure('server-error', 'no', { retryable: true, retryAfterMs: 0 });
  });
  const parts = settings({ maxRetries: 3, maxRunRetries: 5, concurrency: 1 });
  const finished = await run(
    buildEvaluation(questions(10), [resolvedTarget('bot', bot)], parts),
    prepare().needs,
  );
  expect(bot.calls).toHaveLength(15);
  expect(finished.summary?.targets[0]).toMatchObject({ counts: { errors: 10 }, usage: { retries: 5 } });
});

test('a trial has a time limit for all its calls together, repeats included', async () => {
  const { needs } = prepare();
  const bot = buildTarget(async (_request, { signal }) => {
    await wait(30, undefined, { signal });
    throw new TargetFailure('server-error', 'no', { retryable: true, retryAfterMs: 1 });
  });
  const parts = settings({ maxRetries: 100, trialTimeLimitMs: 100 });
  const finished = await run(buildEvaluation(questions(1), [resolvedTarget('bot', bot)], parts), needs);
  const [result] = await Array.fromAsync(needs.store.readResults(finished.id));
  expect(result?.trial).toMatchObject({
    status: 'failed',
    error: { code: 'timeout', message: 'the attempt took longer than 100 ms altogether' },
  });
  // 100 repeats of 31 ms would take three seconds.
  expect(bot.calls.length).toBeLessThan(20);
});

test('a conversation has a time limit for all its turns together', async () => {
  const { needs } = prepare();
  const bot = buildTarget(async (_request, { signal }) => {
    await wait(30, undefined, { signal });
    return 'go on';
  });
  const script = Array.from({ length: 50 }, () => ({ say: 'more' }));
  const talk = [{ id: 'talk', input: 'hello', user: { script }, expected: { keywords: ['yes'] } }];
  const parts = settings({ trialTimeLimitMs: 100 });
  const finished = await run(buildEvaluation(talk, [resolvedTarget('bot', bot)], parts), needs);
  const [result] = await Array.fromAsync(needs.store.readResults(finished.id));
  expect(result?.trial).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
  // Without it, all 50 turns would be asked.
  expect(bot.calls.length).toBeLessThan(10);
});

test('an answer that comes after its time limit is dropped, and counted', async () => {
  const { needs } = prepare();
  // Each answer comes once the next question is asked, which is after its own time limit.
  let answer = () => {};
  const slow = buildTarget(async () => {
    answer();
    await new Promise<void>((resolve) => (answer = resolve));
    return 'yes';
  });
  const parts = settings({ timeLimitMs: 100, concurrency: 1 });
  const finished = await run(buildEvaluation(questions(4), [resolvedTarget('slow', slow)], parts), needs);
  expect(finished.summary?.targets[0]?.counts).toMatchObject({ errors: 4, measured: 0 });
  expect(finished.lateAnswers).toBeGreaterThanOrEqual(1);
});

test('accounts are watched during the run, and their records are added up when it is resumed', async () => {
  const { needs } = prepare();
  const record = { account: 'http://bot', requests: 3, refused: 1, waitedMs: 5, limits: [] };
  const bot = buildTarget(() => paid(0.1));
  const watched = (maxCost: number) =>
    buildEvaluation(questions(4), [resolvedTarget('bot', bot)], {
      ...settings({ maxCost }),
      watchAccounts: () => () => [record],
    });
  const first = await run(watched(0.2), needs);
  expect(first.accounts).toEqual([record]);
  const second = await run(watched(9), needs, first);
  expect(second.accounts).toEqual([{ ...record, requests: 6, refused: 2, waitedMs: 10 }]);
});

test.each(['addTrials', 'addScores'] as const)(
  'a run that reached its cost limit ends also when %s fails',
  async (method) => {
    const { needs } = prepare();
    const store = { ...needs.store, [method]: () => Promise.reject(new Error('disk full')) };
    const bot = buildTarget(() => paid(0.1));
    const limited = buildEvaluation(questions(50), [resolvedTarget('bot', bot)], settings({ maxCost: 0.45 }));
    await expect(run(limited, { ...needs, store })).rejects.toThrow('disk full');
  },
);

test('trials that wait for their first turn at the time limit are not run; sent ones are finished, and the rest is resumed', async () => {
  holdTimers();
  const { needs } = prepare();
  let isFree = false;
  let sent = 0;
  const bot = buildTarget(async ({ caseId }, { onWaiting, signal }) => {
    onWaiting?.(true);
    try {
      if (!isFree && caseId !== 'q0') await wait(60_000, undefined, { signal });
    } finally {
      onWaiting?.(false);
    }
    sent += 1;
    while (bot.calls.length < 4) await nextTurn();
    if (!isFree) vi.advanceTimersByTime(60);
    return paid(0);
  });
  const limited = (maxDurationMs?: number) =>
    buildEvaluation(questions(6), [resolvedTarget('bot', bot)], settings({ maxDurationMs }));
  const first = await run(limited(60), needs);
  // Otherwise the waiting calls would take a minute, and be sent.
  expect(sent).toBe(1);
  expect(first).toMatchObject({ status: 'interrupted', stops: [{ reason: 'time' }] });
  expect(first.summary?.targets[0]?.counts).toMatchObject({
    measured: 1,
    notRun: 5,
    errors: 0,
    cancelled: 0,
  });
  isFree = true;
  const second = await run(limited(), needs, first);
  expect(second.summary?.targets[0]?.counts).toMatchObject({ measured: 6, notRun: 0 });
  expect(sent).toBe(6);
});
