import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ModelFailure } from '../model-failure.ts';
import { Account } from './account.ts';
import { callWithRetries, type Tried } from './call-with-retries.ts';

const chance = Math.random;
beforeEach(() => {
  vi.useFakeTimers();
  // The pause before a repeat is random.
  Math.random = createChance(7);
});
afterEach(() => {
  vi.useRealTimers();
  Math.random = chance;
});

/** A provider that takes 50 ms for an answer, with 50 callers at a time. */
interface Provider {
  readonly calls?: number;
  readonly refused?: number;
  readonly broken?: number;
  /** The duration of a refusal or a failure. */
  readonly faultMs?: number;
  readonly retryAfterMs?: number;
  /** The number of calls that it accepts at a time; it refuses more at once. */
  readonly capacity?: number;
  /** The number of answers that it gives in a second; it refuses more at once. */
  readonly perSecond?: number;
  readonly seed?: number;
}

/** Creates random numbers that are the same every time (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function sleep(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function createProvider(settings: Provider) {
  const { refused = 0, broken = 0, faultMs = 1, retryAfterMs } = settings;
  const { capacity = Number.POSITIVE_INFINITY, perSecond = Number.POSITIVE_INFINITY } = settings;
  const chance = createChance(settings.seed ?? 1);
  const figures = { requests: 0, answered: 0 };
  let [open, allowance, at] = [0, 5, performance.now()];
  const ask = async (): Promise<Tried<string>> => {
    figures.requests += 1;
    const drawn = chance();
    const now = performance.now();
    allowance = Math.min(5, allowance + ((now - at) * perSecond) / 1000);
    at = now;
    const isTooMuch = open >= capacity || (perSecond < Number.POSITIVE_INFINITY && allowance < 1);
    if (isTooMuch || drawn < refused) {
      await sleep(isTooMuch ? 1 : faultMs);
      return {
        failure: new ModelFailure('rate-limited', 'slower', { retryable: true, retryAfterMs }),
        status: 429,
      };
    }
    if (drawn < refused + broken) {
      await sleep(faultMs);
      return { failure: new ModelFailure('server-error', 'broken', { retryable: true }), status: 500 };
    }
    [open, allowance] = [open + 1, allowance - 1];
    await sleep(50);
    open -= 1;
    figures.answered += 1;
    return { value: 'yes', status: 200 };
  };
  return { ask, figures };
}

/** Makes the calls on a simulated clock, so that the figures do not depend on the machine. */
async function simulate({ calls = 1000, ...settings }: Provider) {
  const provider = createProvider(settings);
  const account = new Account();
  account.restrict({ maxConcurrency: 50 });
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 4, maxWaitMs: 300_000 };
  const start = performance.now();
  let isDone = false;
  const work = Promise.allSettled(
    Array.from({ length: calls }, async () => callWithRetries(account, provider.ask, rules)),
  ).then((settled) => {
    isDone = true;
    return { settled, milliseconds: performance.now() - start };
  });
  while (!isDone) await vi.advanceTimersByTimeAsync(100);
  const { settled, milliseconds } = await work;
  const lost = settled.filter(({ status }) => status === 'rejected').length;
  return { milliseconds, lost, ...provider.figures };
}

test('without failures 1,000 calls of 50 ms, 50 at a time, take a second', async () => {
  expect(await simulate({})).toEqual({ milliseconds: 1000, lost: 0, requests: 1000, answered: 1000 });
});

test.each([1, 2, 3, 4])(
  'a fifth refused and a twentieth broken costs less than a tenth of the time and no call (seed %i)',
  async (seed) => {
    const { milliseconds, lost, answered } = await simulate({ refused: 0.2, broken: 0.05, seed });
    expect(lost).toBe(0);
    expect(answered).toBe(1000);
    expect(milliseconds).toBeLessThan(1100);
  },
);

test('failures that take as long as answers cost their share of time, and little more', async () => {
  const runs = [];
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
    runs.push(await simulate({ refused: 0.2, broken: 0.05, faultMs: 50, seed }));
  const ideal = 1000 / 0.75;
  const mean = runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / runs.length;
  expect(runs.filter(({ lost }) => lost > 0)).toEqual([]);
  expect(mean / ideal).toBeLessThan(1.2);
});

test.each([
  [4, 1.02],
  [20, 1.15],
])('a server that takes %d at a time is kept busy and hardly pestered', async (capacity, most) => {
  const { milliseconds, lost, requests } = await simulate({ capacity });
  expect(lost).toBe(0);
  expect(milliseconds / ((1000 * 50) / capacity)).toBeLessThan(most);
  expect(requests).toBeLessThan(1300);
});

test('a provider that gives 100 answers a second is used to the full', async () => {
  const { milliseconds, lost, requests } = await simulate({ perSecond: 100, calls: 500 });
  expect(lost).toBe(0);
  expect(milliseconds).toBeLessThan(5000 * 1.2);
  expect(requests).toBeLessThan(1000);
});

test('Retry-After is waited out by the refused call, and by all calls when everything is refused', async () => {
  const account = new Account();
  const start = performance.now();
  const times: number[] = [];
  const ask = async (): Promise<Tried<string>> => {
    times.push(performance.now() - start);
    if (performance.now() - start < 2000) {
      return { failure: new ModelFailure('rate-limited', 'no', { retryable: true, retryAfterMs: 2000 }) };
    }
    return { value: 'yes' };
  };
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 4, maxWaitMs: 300_000 };
  const work = Promise.all(Array.from({ length: 200 }, async () => callWithRetries(account, ask, rules)));
  await vi.advanceTimersByTimeAsync(60_000);
  await work;
  expect(times.filter((time) => time > 0 && time < 2000)).toEqual([]);
  expect(times.filter((time) => time === 0).length).toBeLessThan(130);
});

test('a permanent failure is tried once, a server error as often as allowed, a timeout twice', async () => {
  const attempts = async (code: string, retryable: boolean) => {
    const { signal } = new AbortController();
    const fail = async (): Promise<Tried<string>> => ({
      failure: new ModelFailure(code, 'no', { retryable }),
    });
    const call = callWithRetries(new Account(), fail, { signal, tokens: 1, maxRetries: 3, maxWaitMs: 1000 });
    const failure = call.catch((error: unknown) => error as ModelFailure);
    await vi.advanceTimersByTimeAsync(100_000);
    const { attempts: all, code: kept } = (await failure) as ModelFailure;
    expect(kept).toBe(code);
    return all.length;
  };
  expect(await attempts('unauthorized', false)).toBe(1);
  expect(await attempts('server-error', true)).toBe(4);
  expect(await attempts('timeout', true)).toBe(2);
  expect(await attempts('invalid-reply', true)).toBe(2);
});

test('waiting is in the record of the attempt, and not in the latency', async () => {
  const account = new Account();
  account.restrict({ maxConcurrency: 1 });
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 4, maxWaitMs: 1000 };
  const { ask } = createProvider({});
  const work = Promise.all([1, 2, 3].map(async () => callWithRetries(account, ask, rules)));
  await vi.advanceTimersByTimeAsync(1000);
  const records = await work;
  expect(records.map(({ latencyMs }) => latencyMs)).toEqual([50, 50, 50]);
  expect(records.map(({ attempts }) => attempts[0]?.waitedMs)).toEqual([0, 50, 100]);
});

test('requests a minute are spread over the minute', async () => {
  const account = new Account();
  account.restrict({ requestsPerMinute: 60 });
  const { ask, figures } = createProvider({});
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 0, maxWaitMs: 0 };
  const work = Promise.all(Array.from({ length: 30 }, async () => callWithRetries(account, ask, rules)));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(figures.requests).toBeLessThanOrEqual(13);
  await vi.advanceTimersByTimeAsync(20_000);
  await work;
});

test('tokens a minute hold back calls, and the tokens that a call really used count', async () => {
  const account = new Account();
  account.restrict({ tokensPerMinute: 6000 });
  const { signal } = new AbortController();
  const rules = { signal, tokens: 300, maxRetries: 0, maxWaitMs: 0 };
  let sent = 0;
  const ask = async (): Promise<Tried<string>> => {
    sent += 1;
    return { value: 'yes', tokens: 1000 };
  };
  const work = Promise.all(Array.from({ length: 4 }, async () => callWithRetries(account, ask, rules)));
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  await work;
});

test("what a reply's headers say is left paces the next calls", async () => {
  const account = new Account();
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 0, maxWaitMs: 0 };
  const headers = {
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '1m0s',
  };
  const ask = async (): Promise<Tried<string>> => ({ value: 'yes', headers });
  await callWithRetries(account, ask, rules);
  const start = performance.now();
  const next = callWithRetries(account, ask, rules).then(() => performance.now() - start);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await next).toBe(1000);
});

test('a call that is aborted while it waits leaves the queue, and the others continue', async () => {
  const account = new Account();
  account.restrict({ maxConcurrency: 1 });
  const controller = new AbortController();
  const { ask, figures } = createProvider({});
  const rules = { tokens: 1, maxRetries: 4, maxWaitMs: 1000 };
  const { signal } = new AbortController();
  const first = callWithRetries(account, ask, { ...rules, signal });
  const second = callWithRetries(account, ask, { ...rules, signal: controller.signal });
  const third = callWithRetries(account, ask, { ...rules, signal });
  controller.abort();
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all([first, third]);
  expect(figures.requests).toBe(2);
});

const tenYearsMs = 315_360_000_000;

test('a server that asks for a pause of ten years ends the refused and the waiting calls at once', async () => {
  const account = new Account();
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 4, maxWaitMs: 300_000 };
  const { ask, figures } = createProvider({ refused: 1, retryAfterMs: tenYearsMs });
  const timersBefore = vi.getTimerCount();
  const work = Promise.allSettled(
    Array.from({ length: 200 }, async () => callWithRetries(account, ask, rules)),
  );
  await vi.advanceTimersByTimeAsync(1000);
  const settled = await work;
  expect(settled.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect(settled.at(-1)).toMatchObject({ reason: { code: 'rate-limited', attempts: [] } });
  expect(figures.requests).toBeLessThan(200);
  await expect(callWithRetries(account, ask, rules)).rejects.toMatchObject({ code: 'rate-limited' });
  expect(vi.getTimerCount()).toBeLessThanOrEqual(timersBefore);
});

test('headers that leave nothing for ten years end the next calls at once', async () => {
  const account = new Account();
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 4, maxWaitMs: 300_000 };
  const headers = {
    'x-ratelimit-limit-requests': '100',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '87600h',
  };
  const ask = async (): Promise<Tried<string>> => ({ value: 'yes', headers });
  await callWithRetries(account, ask, rules);
  await expect(callWithRetries(account, ask, rules)).rejects.toMatchObject({ code: 'rate-limited' });
});

test('a call waits for a pause only when its rest is not longer than the call may wait', async () => {
  const account = new Account();
  const { signal } = new AbortController();
  const demand = { signal, tokens: 1, isRetry: false, maxPauseMs: 50_000 };
  const permits = await Promise.all(Array.from({ length: 40 }, async () => await account.acquire(demand)));
  for (const permit of permits) permit.release({ type: 'refused', latencyMs: 1, retryAfterMs: 60_000 });
  await expect(account.acquire(demand)).rejects.toMatchObject({ code: 'rate-limited' });
  await vi.advanceTimersByTimeAsync(20_000);
  const permit = account.acquire(demand);
  await vi.advanceTimersByTimeAsync(40_001);
  expect((await permit).pausedMs).toBeCloseTo(40_000);
});

test("the user's own limit may make a call wait longer than a limit of the server", async () => {
  const account = new Account();
  account.restrict({ requestsPerMinute: 0.1 });
  const { ask } = createProvider({});
  const { signal } = new AbortController();
  const rules = { signal, tokens: 1, maxRetries: 0, maxWaitMs: 1000 };
  const work = Promise.all([1, 2].map(async () => callWithRetries(account, ask, rules)));
  await vi.advanceTimersByTimeAsync(601_000);
  expect(await work).toHaveLength(2);
});
