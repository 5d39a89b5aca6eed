import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRandom, type Random } from '../../../core/stats/random.ts';
import { ModelFailure } from '../model-failure.ts';
import { Account } from './account.ts';
import { callWithRetries, type Tried } from './call-with-retries.ts';

const { random: chance } = Math;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  Math.random = chance;
});

const [secondMs, minuteMs, hourMs] = [1000, 60_000, 3_600_000];
const perMinute = { requests: 60, tokens: 24_000 };
const workers = 12;

interface Outage {
  readonly from: number;
  readonly to: number;
}

/** A request as the provider received it, in milliseconds since the beginning. */
interface Received {
  readonly at: number;
  readonly tokens: number;
  readonly isRefused: boolean;
  readonly isInOutage: boolean;
}

/** Outages of half a minute to four minutes, about two an hour, in which the provider refuses every call. */
function drawOutages(random: Random, untilMs: number): Outage[] {
  const outages: Outage[] = [];
  for (let at = 10 * minuteMs; at < untilMs; at += (10 + 40 * random.next()) * minuteMs) {
    outages.push({ from: at, to: (at += (0.5 + 3.5 * random.next()) * minuteMs) });
  }
  return outages;
}

/**
 * A provider that reports no allowances, answers after one to nine seconds, refuses and fails at random now and then,
 * and has outages of minutes, whose end it reports in seconds.
 */
function createProvider(random: Random, outages: readonly Outage[]) {
  const received: Received[] = [];
  const began = performance.now();
  const refuse = async (retryAfterMs: number | undefined): Promise<Tried<string>> => {
    await sleep(20);
    return {
      failure: new ModelFailure('rate-limited', 'later', { retryable: true, retryAfterMs }),
      status: 429,
    };
  };
  const ask = async (tokens: number): Promise<Tried<string>> => {
    const at = performance.now() - began;
    const outage = outages.find(({ from, to }) => from <= at && at < to);
    const chance = random.next();
    const isRefused = outage !== undefined || chance < 0.01;
    received.push({ at, tokens, isRefused, isInOutage: outage !== undefined });
    if (outage !== undefined) return await refuse(Math.ceil((outage.to - at) / secondMs) * secondMs);
    if (isRefused) return await refuse(undefined);
    await sleep((1 + 8 * random.next() ** 2) * secondMs);
    if (chance > 0.99)
      return { failure: new ModelFailure('server-error', 'broken', { retryable: true }), status: 500 };
    return { value: 'yes', status: 200, tokens };
  };
  return { ask, received };
}

async function sleep(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/**
 * Makes many calls, a few at a time as an executor does, on a simulated clock, and returns what the provider received.
 */
async function work(seed: string, calls: number) {
  const random = createRandom(seed);
  // The pause of a call is partly random.
  Math.random = random.fork('pauses').next;
  const outages = drawOutages(random.fork('outages'), 12 * hourMs);
  const { ask, received } = createProvider(random.fork('provider'), outages);
  const account = new Account();
  account.restrict({ requestsPerMinute: perMinute.requests, tokensPerMinute: perMinute.tokens });
  const sizes = random.fork('sizes');
  const took: number[] = [];
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      // Mostly small calls, a few as large as a tenth of the minute; the estimate is off by a third either way.
      const tokens = Math.round(100 + 2300 * sizes.next() ** 6);
      const estimate = Math.round(tokens * (0.67 + 0.66 * sizes.next()));
      const asked = performance.now();
      const rules = {
        signal: new AbortController().signal,
        tokens: estimate,
        maxRetries: 4,
        maxWaitMs: 300_000,
      };
      const { value } = await callWithRetries(account, () => ask(tokens), rules);
      if (value === 'yes') took.push(performance.now() - asked);
    }
  };
  const all = Promise.all(Array.from({ length: workers }, worker));
  let isOver = false;
  void all.finally(() => (isOver = true));
  while (!isOver) await vi.advanceTimersByTimeAsync(minuteMs);
  await all;
  return { received, outages, took, lastedMs: received.at(-1)?.at ?? 0 };
}

/** Returns the largest amount that was accepted in any window of time. */
function mostWithin(received: readonly Received[], lengthMs: number, amountOf: (each: Received) => number) {
  let [sum, most, first] = [0, 0, 0];
  for (const each of received) {
    sum += amountOf(each);
    for (; (received[first] as Received).at <= each.at - lengthMs; first += 1) {
      sum -= amountOf(received[first] as Received);
    }
    most = Math.max(most, sum);
  }
  return most;
}

test.each(['one night', 'another night'])(
  'eight hours of calls under limits by the minute, refused for minutes at a time, are all made (%s)',
  async (seed) => {
    const calls = 25_000;
    const { received, outages, took, lastedMs } = await work(seed, calls);
    expect(took).toHaveLength(calls);
    const accepted = received.filter(({ isRefused }) => !isRefused);
    const sizeOf = ({ tokens }: Received) => tokens;
    // Three seconds' worth may come at once.
    expect(mostWithin(received, minuteMs, () => 1)).toBeLessThanOrEqual(perMinute.requests * 1.05);
    // The tokens of a call are known when it ends: within a minute, the calls in flight may use more than estimated.
    expect(mostWithin(accepted, minuteMs, sizeOf)).toBeLessThanOrEqual(perMinute.tokens * 1.25);
    expect(mostWithin(accepted, hourMs, sizeOf)).toBeLessThanOrEqual(perMinute.tokens * 60 * 1.01);
    const away = outages.filter(({ from }) => from < lastedMs);
    const awayMs = away.reduce((sum, { from, to }) => sum + to - from, 0);
    const tokens = accepted.reduce((sum, each) => sum + each.tokens, 0);
    const idealMs = (tokens / perMinute.tokens) * minuteMs + awayMs;
    expect(idealMs / hourMs).toBeGreaterThan(7);
    expect(lastedMs / idealMs).toBeLessThan(1.25);
    // No call waits longer than an outage and some turns of the others.
    expect(Math.max(...took) / minuteMs).toBeLessThan(6);
    // A call that was refused with a waiting time does not ask before it has passed.
    expect(received.filter(({ isInOutage }) => isInOutage).length).toBeLessThanOrEqual(
      away.length * (workers + 4),
    );
  },
  120_000,
);
