import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { TrialSpec } from '../../core/schema/trial.ts';
import { type Target, type TargetContext, TargetFailure } from '../targets/target.ts';
import { buildCase } from '../../library/testing/build-records.ts';
import { callTarget } from './call/call-target.ts';
import type { CallLimits } from './call/within-limits.ts';

const spec: TrialSpec = {
  key: '0'.repeat(32),
  ordinal: 0,
  case: buildCase(),
  caseHash: '1'.repeat(32),
  target: 'bot',
  attempt: 1,
  seed: 7,
};

/** Makes a trial with a target that counts its calls. */
async function trialOf(
  call: (calls: number, ...given: Parameters<Target['call']>) => ReturnType<Target['call']>,
  limits: Partial<CallLimits> = {},
) {
  let calls = 0;
  const target: Target = { call: (...given) => call((calls += 1), ...given) };
  const all = { timeLimitMs: 60_000, maxRetries: 2, abort: new AbortController().signal, ...limits };
  const { trial } = await callTarget(spec, target, all);
  return { trial, calls };
}

const yes = { answer: 'yes', toolCalls: [] };
const passing = () => new TargetFailure('overloaded', 'try later', { retryable: true, retryAfterMs: 1 });

test('a call is repeated after a transient failure, and the trial counts the repeats', async () => {
  const { trial, calls } = await trialOf(async (call) => {
    if (call < 3) throw passing();
    return yes;
  });
  expect(calls).toBe(3);
  expect(trial).toMatchObject({ status: 'completed', answer: 'yes', retries: 2 });
});

test('after the last repeat the failure is recorded', async () => {
  const { trial, calls } = await trialOf(async () => {
    throw passing();
  });
  expect(calls).toBe(3);
  expect(trial).toMatchObject({ status: 'failed', answer: null, retries: 2, error: { code: 'overloaded' } });
});

test('a call is not repeated after a permanent failure', async () => {
  const { trial, calls } = await trialOf(async () => {
    throw new TargetFailure('refused', 'wrong key');
  });
  expect(calls).toBe(1);
  expect(trial).toMatchObject({ retries: 0, error: { code: 'refused', message: 'wrong key' } });
});

test.each([
  ['an error', new Error('no database'), 'no database'],
  ['a text', 'no database', 'no database'],
  ['nothing', undefined, 'it threw undefined'],
  ['null', null, 'it threw null'],
  ['an object', { status: 500 }, 'it threw an object with the key status'],
])('a target that throws %s fails its trial', async (_what, thrown, message) => {
  const { trial } = await trialOf(async () => {
    // oxlint-disable-next-line typescript/only-throw-error -- a target may throw anything
    throw thrown;
  });
  expect(trial.error).toEqual({ code: 'target-threw', message });
});

test('a target that throws at once, without a promise, fails its trial', async () => {
  const { trial } = await trialOf(() => {
    throw new Error('at once');
  });
  expect(trial.error).toEqual({ code: 'target-threw', message: 'at once' });
});

test('a target that never answers is timed out, and its signal says so', async () => {
  let signal: AbortSignal | undefined;
  const { trial } = await trialOf(
    (_call, _request, context) => {
      signal = context.signal;
      return new Promise(() => {});
    },
    { timeLimitMs: 5 },
  );
  expect(trial).toMatchObject({
    status: 'failed',
    error: { code: 'timeout', message: 'no answer within 5 ms' },
  });
  expect(signal?.aborted).toBe(true);
});

test('an answer that comes after the time limit does not count', async () => {
  const { trial } = await trialOf(
    async (_call, _request, { signal }) =>
      await new Promise((resolve) => signal.addEventListener('abort', () => resolve(yes))),
    { timeLimitMs: 5 },
  );
  expect(trial.error?.code).toBe('timeout');
});

test('an abort cancels the call in flight', async () => {
  const abort = new AbortController();
  const { trial } = await trialOf(
    () => {
      abort.abort();
      return new Promise(() => {});
    },
    { abort: abort.signal },
  );
  expect(trial).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
});

test('an abort during the wait for a retry cancels the trial without another call', async () => {
  const abort = new AbortController();
  const { trial, calls } = await trialOf(
    async () => {
      setTimeout(() => abort.abort(), 1);
      throw new TargetFailure('overloaded', 'try later', { retryable: true, retryAfterMs: 60_000 });
    },
    { abort: abort.signal },
  );
  expect(calls).toBe(1);
  expect(trial).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
});

test('an aborted run calls nothing any more', async () => {
  const { trial, calls } = await trialOf(async () => yes, { abort: AbortSignal.abort() });
  expect(calls).toBe(0);
  expect(trial.status).toBe('cancelled');
});

test('time that the target waits for its turn does not count towards the limit, time after that does', async () => {
  const waitThen = (workMs: number) => async (_call: number, _request: unknown, context: TargetContext) => {
    context.onWaiting?.(true);
    context.onWaiting?.(true);
    await wait(150);
    context.onWaiting?.(false);
    await wait(150);
    context.onWaiting?.(false);
    await wait(workMs, undefined, { signal: context.signal });
    return yes;
  };
  expect((await trialOf(waitThen(0), { timeLimitMs: 200 })).trial.status).toBe('completed');
  expect((await trialOf(waitThen(60_000), { timeLimitMs: 200 })).trial.error?.code).toBe('timeout');
});

test('the usage of a failed call is recorded, with the repeats that it made itself', async () => {
  const transcript = [
    { role: 'user' as const, content: 'q' },
    { role: 'assistant' as const, content: 'well' },
  ];
  const partial = { transcript, usage: { inputTokens: 5 }, cost: 0.5, retries: 3 };
  const { trial } = await trialOf(async () => {
    throw new TargetFailure('step-limit', 'no answer', { partial });
  });
  expect(trial).toMatchObject({ status: 'failed', answer: null, ...partial });
  expect((await trialOf(async () => ({ ...yes, retries: 2 }))).trial.retries).toBe(2);
});

test('nested waits are one wait: the clock stands still until the last of them is over', async () => {
  const { trial } = await trialOf(
    async (_call, _request, context) => {
      context.onWaiting?.(true);
      context.onWaiting?.(true);
      context.onWaiting?.(false);
      await wait(200);
      context.onWaiting?.(false);
      return yes;
    },
    { timeLimitMs: 100 },
  );
  expect(trial.status).toBe('completed');
});

test('an aborted call leaves no clock running, whether or not it reacts', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const abort = new AbortController();
  const { trial } = await trialOf(
    () => {
      abort.abort();
      return new Promise(() => {});
    },
    { abort: abort.signal },
  );
  expect(trial.status).toBe('cancelled');
  // Clocks of earlier tests may have ended meanwhile.
  expect(timers()).toBeLessThanOrEqual(before);
});

test('a target that asks for a pause of more than five minutes is not asked again', async () => {
  const { trial, calls } = await trialOf(async () => {
    throw new TargetFailure('overloaded', 'try later', { retryable: true, retryAfterMs: 300_001 });
  });
  expect(calls).toBe(1);
  expect(trial).toMatchObject({ status: 'failed', retries: 0, error: { code: 'overloaded' } });
});

test('a target that asks for a pause of two minutes gets it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  try {
    let calls = 0;
    const made = trialOf(async () => {
      calls += 1;
      if (calls > 1) return yes;
      throw new TargetFailure('overloaded', 'try later', { retryable: true, retryAfterMs: 120_000 });
    });
    await wait(20);
    await vi.advanceTimersByTimeAsync(119_000);
    await wait(20);
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect((await made).calls).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
