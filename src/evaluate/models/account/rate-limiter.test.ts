import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../../library/api/runs/run.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { startModelServer } from '../../../library/testing/model-server/model-server.ts';
import { createRateLimiter, refusalsOf } from './rate-limiter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const { signal } = new AbortController();
const { findAccount, readBusyAccounts, watchAccounts } = createRateLimiter();
const demand = { signal, tokens: 1, isRetry: false };

test('the same address and key give the same account, and the strictest limit counts', async () => {
  const account = findAccount('http://shared KEY', { maxConcurrency: 5 });
  expect(findAccount('http://shared KEY', { maxConcurrency: 2 })).toBe(account);
  expect(findAccount('http://shared OTHER')).not.toBe(account);
  expect(account.concurrency).toBe(2);
});

test('a watch counts the calls of an account since it began, under the name of the account', async () => {
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

test('the history of a limit records each change with its reason and stays short', async () => {
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

test('an account is busy while calls wait there, with the reason of the wait', async () => {
  const account = findAccount('http://busy', { maxConcurrency: 1 });
  const busy = () => readBusyAccounts().filter(({ name }) => name === 'http://busy');
  const permit = await account.acquire(demand);
  expect(busy()).toEqual([]);
  const second = account.acquire(demand);
  expect(busy()).toEqual([
    { name: 'http://busy', inFlight: 1, waiting: 1, resting: 0, limit: 1, reason: 'setting' },
  ]);
  findAccount('http://busy', { requestsPerMinute: 1 });
  permit.release({ type: 'answered', latencyMs: 5 });
  (await second).release({ type: 'answered', latencyMs: 5 });
  const third = account.acquire(demand);
  expect(busy()).toMatchObject([{ reason: 'allowance' }]);
  await vi.advanceTimersByTimeAsync(60_000);
  (await third).release({ type: 'answered', latencyMs: 5 });
});

test('an account whose calls rest after refusals says since when it is refused and when it is asked again', async () => {
  const account = findAccount('http://refusing:8080/v1 KEY');
  const refused = () => refusalsOf(readBusyAccounts()).filter(({ account: of }) => of === 'refusing:8080');
  const refuse = async () => {
    const permit = await account.acquire(demand);
    permit.release({ type: 'refused', latencyMs: 5, refusal: 'rate-limited', status: 429 });
  };
  await refuse();
  const rest = account.rest(8000, signal);
  const server = { account: 'refusing:8080', reason: 'rate-limited', status: 429 };
  expect(refused()).toEqual([{ ...server, inRow: 1, nextTryMs: 8000 }]);
  await vi.advanceTimersByTimeAsync(3000);
  void account.rest(7000, signal);
  expect(refused()).toEqual([{ ...server, inRow: 1, nextTryMs: 5000 }]);
  await vi.advanceTimersByTimeAsync(5000);
  await rest;
  const permit = await account.acquire(demand);
  // It is being asked.
  expect(refused()).toEqual([{ ...server, inRow: 1, nextTryMs: 0 }]);
  permit.release({ type: 'answered', latencyMs: 5 });
  expect(refused()).toEqual([]);
});

test('a refusal that is repeated at once is not worth a word, and neither is a rest after another failure', async () => {
  const account = findAccount('http://brief');
  const states = () => readBusyAccounts().filter(({ name }) => name === 'http://brief');
  const permit = await account.acquire(demand);
  permit.release({ type: 'refused', latencyMs: 5, refusal: 'overloaded' });
  void account.rest(100, signal);
  expect(states()).toMatchObject([{ resting: 1 }]);
  expect(refusalsOf(states())).toEqual([]);
  (await account.acquire(demand)).release({ type: 'answered', latencyMs: 5 });
  (await account.acquire(demand)).release({ type: 'failed', latencyMs: 5 });
  void account.rest(9000, signal);
  expect(refusalsOf(states())).toEqual([]);
});

test('a limiter that is given to a run applies the limits of its target and of its judge', async () => {
  vi.useRealTimers();
  await using bot = await startModelServer(() => ({ text: 'Bring a swimsuit.' }));
  await using grader = await startModelServer(() => ({ judgement: { answer: true } }));
  const limiter = createRateLimiter();
  const read = limiter.watchAccounts();
  const unused = watchAccounts();
  const model = ({ url }: { readonly url: string }) => ({ use: 'openai-chat', model: 'm', baseUrl: url });
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'chat', model: model(bot) }],
    metrics: [{ use: 'question', text: 'Does it help?' }],
    judge: { use: 'chat-model', model: model(grader) },
  };
  await run(config, { folder: 'templates/module', store: createMemoryStore(), rateLimiter: limiter });
  const asked = new Map(read().map(({ account, requests }) => [account, requests]));
  expect([...asked.keys()].toSorted()).toEqual([bot.url, grader.url].map((url) => url).toSorted());
  expect(unused()).toEqual([]);
});
