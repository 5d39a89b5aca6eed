import { expect, test } from 'vitest';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import { type Target, TargetFailure, type TargetFailureOptions } from '../../targets/target.ts';
import { buildCase } from '../../../library/testing/build-records.ts';
import { callTarget } from './call-target.ts';

const spec: TrialSpec = {
  ordinal: 0,
  key: 'k',
  case: buildCase(),
  caseHash: 'h',
  target: 'bot',
  attempt: 1,
  seed: 1,
};

async function trialOf(call: Target['call'], timeLimitMs = 60_000) {
  const limits = { timeLimitMs, maxRetries: 0, abort: new AbortController().signal };
  return (await callTarget(spec, { call }, limits)).trial;
}

const fail = (options: TargetFailureOptions) =>
  trialOf(async () => {
    throw new TargetFailure('recorded-error', 'x', options);
  });

test('the latency of a call is measured, and the first token is taken from the target', async () => {
  const { latency } = await trialOf(async () => ({ answer: 'x', toolCalls: [], firstTokenMs: 3 }));
  expect(latency).toEqual({ totalMs: expect.any(Number), firstTokenMs: 3 });
});

test('the reason why the target stopped is kept, and absent when it reports none', async () => {
  const { finishReason } = await trialOf(async () => ({
    answer: 'x',
    toolCalls: [],
    finishReason: 'length',
  }));
  expect(finishReason).toBe('length');
  expect(await trialOf(async () => ({ answer: 'x', toolCalls: [] }))).not.toHaveProperty('finishReason');
  expect(await fail({})).not.toHaveProperty('finishReason');
});

test('the latency recorded with an old answer counts, not that of looking it up', async () => {
  const latency = { totalMs: 812.5, firstTokenMs: 40 };
  expect((await trialOf(async () => ({ answer: 'x', toolCalls: [], latency }))).latency).toEqual(latency);
  expect((await fail({ latency })).latency).toEqual(latency);
  expect((await fail({})).latency).toEqual({ totalMs: expect.any(Number) });
});

test('a trial has no latency when none was recorded with the old answer', async () => {
  expect(
    (await trialOf(async () => ({ answer: 'x', toolCalls: [], latency: null }))).latency,
  ).toBeUndefined();
  expect((await fail({ latency: null })).latency).toBeUndefined();
});

test('the output of a target is kept when its time limit passes', async () => {
  const trial = await trialOf(
    (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        const failure = new TargetFailure('timeout', 'too slow', { logs: 'looking it up' });
        signal.addEventListener('abort', () => reject(failure));
      }),
    20,
  );
  expect(trial).toMatchObject({ status: 'failed', error: { code: 'timeout' }, logs: 'looking it up' });
});

test('an answer that comes after the time limit is not used', async () => {
  const trial = await trialOf(
    (_request, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ answer: 'at last', toolCalls: [] }));
      }),
    20,
  );
  expect(trial).toMatchObject({ status: 'failed', answer: null, error: { code: 'timeout' } });
});

test('the usage of a failed call is added to that of its repeat', async () => {
  const limits = { timeLimitMs: 60_000, maxRetries: 2, abort: new AbortController().signal };
  const rewriting = { model: 'writer', cost: 0.125 };
  const calls = [
    { partial: { usage: { inputTokens: 5 }, cost: 0.5, rewriting } },
    {},
    { usage: { inputTokens: 7, outputTokens: 1 }, cost: 0.25 },
  ] as const;
  const trialWith = async (last: object) => {
    let made = 0;
    const call = async () => {
      const parts = calls[made];
      made += 1;
      if (made < 3)
        throw new TargetFailure('process-exited', 'gone', { ...parts, retryable: true, retryAfterMs: 1 });
      return { answer: 'x', toolCalls: [], ...parts, ...last };
    };
    return (await callTarget(spec, { call }, limits)).trial;
  };
  expect(await trialWith({})).toMatchObject({
    status: 'completed',
    retries: 2,
    usage: { inputTokens: 12 },
    cost: 0.75,
    rewriting,
  });
  // When an answer does not report its cost, the total is unknown too.
  const silent = await trialWith({ cost: undefined, usage: { outputTokens: 1 } });
  expect([silent.cost, silent.usage]).toEqual([undefined, undefined]);
});

test('the usage of all calls is kept also when the last of them fails', async () => {
  const limits = { timeLimitMs: 60_000, maxRetries: 1, abort: new AbortController().signal };
  const call = async () => {
    throw new TargetFailure('overloaded', 'later', {
      partial: { cost: 0.5 },
      retryable: true,
      retryAfterMs: 1,
    });
  };
  const { trial } = await callTarget(spec, { call }, limits);
  expect(trial).toMatchObject({ status: 'failed', retries: 1, cost: 1 });
});
