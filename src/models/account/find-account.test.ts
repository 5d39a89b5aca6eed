import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findAccount, readBusyAccounts, watchAccounts } from './find-account.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const { signal } = new AbortController();
const demand = { signal, tokens: 1, isRetry: false };

test('who uses the same address and key shares an account, and the strictest limit of all counts', async () => {
  const account = findAccount('http://shared KEY', { maxConcurrency: 5 });
  expect(findAccount('http://shared KEY', { maxConcurrency: 2 })).toBe(account);
  expect(findAccount('http://shared OTHER')).not.toBe(account);
  expect(account.concurrency).toBe(2);
});

test('what becomes of the calls on an account is told from when on it is watched, under its name', async () => {
  const account = findAccount('http://secret', {}, 'http://[HOST]');
  const call = async (type: 'answered' | 'refused') => {
    const permit = await account.acquire(demand);
    permit.release({ type, latencyMs: 5, waitedMs: 10, refusal: 'overloaded' });
  };
  await call('refused');
  const read = watchAccounts();
  expect(read()).toEqual([]);
  await call('refused');
  await call('answered');
  expect(read()).toEqual([
    {
      account: 'http://[HOST]',
      requests: 2,
      refused: 1,
      waitedMs: 20,
      limits: [{ at: expect.any(String), limit: 50, reason: 'start' }],
    },
  ]);
});

test('the history of a limit tells each turn with its reason, and stays short however long it goes on', async () => {
  const account = findAccount('http://history');
  const read = watchAccounts();
  const round = async (refused: (index: number) => boolean) => {
    const permits = await Promise.all(
      Array.from({ length: account.concurrency }, async () => await account.acquire(demand)),
    );
    await vi.advanceTimersByTimeAsync(50);
    for (const [index, permit] of permits.entries()) {
      permit.release({ type: refused(index) ? 'refused' : 'answered', latencyMs: 50, refusal: 'overloaded' });
    }
  };
  for (let count = 0; count < 3000; count += 1) await round((index) => index >= 20);
  const [record] = read();
  expect(record?.limits[0]).toMatchObject({ limit: 50, reason: 'start' });
  const reasons = new Set(record?.limits.map(({ reason }) => reason));
  expect(reasons).toContain('overloaded');
  expect(reasons).toContain('growing');
  expect(record?.limits.length).toBeLessThanOrEqual(64);
  const times = record?.limits.map(({ at }) => at) ?? [];
  expect(times).toEqual(times.toSorted());
});

test('an account is busy while calls wait there, for the reason that holds them back', async () => {
  const account = findAccount('http://busy', { maxConcurrency: 1 });
  const busy = () => readBusyAccounts().filter(({ name }) => name === 'http://busy');
  const permit = await account.acquire(demand);
  expect(busy()).toEqual([]);
  const second = account.acquire(demand);
  expect(busy()).toEqual([{ name: 'http://busy', inFlight: 1, waiting: 1, limit: 1, reason: 'setting' }]);
  account.restrict({ requestsPerMinute: 1 });
  permit.release({ type: 'answered', latencyMs: 5 });
  (await second).release({ type: 'answered', latencyMs: 5 });
  const third = account.acquire(demand);
  expect(busy()).toMatchObject([{ reason: 'allowance' }]);
  await vi.advanceTimersByTimeAsync(60_000);
  (await third).release({ type: 'answered', latencyMs: 5 });
});
