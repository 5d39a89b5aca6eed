import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryShared } from '../../../../../test/support/memory-shared.ts';
import type { SharedRecords } from '../../../../stores/shared/shared-records.ts';
import { createRandom } from '../../../../core/stats/random.ts';
import { mostWithin } from '../../../../../test/support/counting-provider.ts';
import { testRateLimiterContract } from '../../../../../test/support/limits/rate-limiter-contract.ts';
import type { AccountLimits } from '../quota.ts';
import { createRateLimiter, type RateLimitedAccount } from '../rate-limiter.ts';
import { createSharedRateLimiter } from './shared-rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

testRateLimiterContract(
  'in one process',
  {
    burstMs: 3000,
    open: async (count) => {
      const limiter = createRateLimiter();
      return Array.from({ length: count }, () => limiter);
    },
  },
  { test, expect },
);

testRateLimiterContract(
  'over shared records',
  {
    burstMs: 40,
    open: async (count) => {
      const records = createMemoryShared();
      const limiters = Array.from({ length: count }, () => createSharedRateLimiter(records));
      onTestFinished(async () => {
        for (const limiter of limiters) await limiter[Symbol.asyncDispose]();
      });
      return limiters;
    },
  },
  { test, expect },
);

/** Simulates processes on a simulated clock, whose calls take 50 ms each. */
function simulate(limits: AccountLimits) {
  vi.setTimerTickMode('manual');
  const random = createRandom('limits');
  const kept = createMemoryShared();
  let changes = 0;
  // A store takes some time for a change.
  const records: Pick<SharedRecords, 'change'> = {
    change: async (name, update) => {
      changes += 1;
      await sleep(random.next() * 3);
      const result = await kept.change(name, update);
      await sleep(random.next() * 3);
      return result;
    },
  };
  const begun: { readonly at: number; readonly process: number }[] = [];
  const inFlight = { now: 0, most: 0 };
  const start = performance.now();
  const call = async (account: RateLimitedAccount, process: number, signal: AbortSignal) => {
    const permit = await account.acquire({ signal, tokens: 10, isRetry: false });
    begun.push({ at: performance.now() - start, process });
    inFlight.now += 1;
    inFlight.most = Math.max(inFlight.most, inFlight.now);
    await sleep(50);
    inFlight.now -= 1;
    // A process that is killed reports nothing any more.
    if (!signal.aborted) permit.release({ type: 'answered', latencyMs: 50, tokens: 10 });
  };
  const controllers: AbortController[] = [];
  return {
    begun,
    inFlight,
    /** Returns the number of changes of the record so far. */
    changes: () => changes,
    timesOf: () => begun.map(({ at }) => at),
    /** Adds a process with 20 callers. */
    addProcess: () => {
      const [controller, process] = [new AbortController(), controllers.length];
      controllers.push(controller);
      const { signal } = controller;
      const account = createSharedRateLimiter({
        change: async (...given) =>
          signal.aborted ? await new Promise(() => {}) : await records.change(...given),
      }).findAccount('provider', limits);
      const caller = async () => {
        while (!signal.aborted) await call(account, process, signal).catch(() => {});
      };
      for (let index = 0; index < 20; index += 1) void caller();
    },
    kill: (process: number) => controllers[process]?.abort(),
    runFor: async (seconds: number) => {
      const from = performance.now() - start;
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      return begun.filter(({ at }) => at > from);
    },
    end: () => {
      for (const controller of controllers) controller.abort();
    },
  };
}

async function sleep(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

test('a rate holds over 50 processes that come one after the other, is used, and costs half a report for each call', async () => {
  const { timesOf, addProcess, runFor, end, changes } = simulate({ requestsPerMinute: 250 * 60 });
  for (let index = 0; index < 50; index += 1) setTimeout(addProcess, index * 40);
  const calls = await runFor(12);
  expect(changes() / calls.length).toBeLessThan(0.6);
  end();
  expect(mostWithin(timesOf(), 1000)).toBeLessThanOrEqual(1.1 * 250);
  expect(calls.length).toBeGreaterThan(0.95 * 250 * 12);
});

test('the rate of killed processes is used by the others within a second or two', async () => {
  const { timesOf, addProcess, kill, runFor, end } = simulate({ requestsPerMinute: 200 * 60 });
  for (let index = 0; index < 8; index += 1) addProcess();
  await runFor(3);
  for (let process = 0; process < 6; process += 1) kill(process);
  await runFor(2);
  const later = await runFor(4);
  end();
  expect(new Set(later.map(({ process }) => process))).toEqual(new Set([6, 7]));
  expect(later.length).toBeGreaterThan(0.95 * 200 * 4);
  expect(mostWithin(timesOf(), 1000)).toBeLessThanOrEqual(1.1 * 200);
});

test('a number of calls in flight holds over more processes than calls, each of which has its turn', async () => {
  const { inFlight, addProcess, kill, runFor, end } = simulate({ maxConcurrency: 4 });
  for (let index = 0; index < 8; index += 1) addProcess();
  const calls = await runFor(20);
  expect(inFlight.most).toBe(4);
  expect(new Set(calls.map(({ process }) => process)).size).toBe(8);
  for (let process = 0; process < 6; process += 1) kill(process);
  // Their calls in flight count until their records run out.
  await runFor(6);
  const later = await runFor(5);
  end();
  expect(later.length).toBeGreaterThan(0.9 * 4 * 20 * 5);
  expect(inFlight.most).toBe(4);
});

test('a slow rate is shared by many processes, each of which has its turn', async () => {
  const { begun, addProcess, runFor, end } = simulate({ requestsPerMinute: 60 });
  for (let index = 0; index < 8; index += 1) addProcess();
  await runFor(60);
  end();
  expect(begun.length).toBeGreaterThanOrEqual(58);
  expect(begun.length).toBeLessThanOrEqual(61);
  expect(new Set(begun.map(({ process }) => process)).size).toBe(8);
});
