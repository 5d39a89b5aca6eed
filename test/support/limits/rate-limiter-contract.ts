import type { Permit } from '../../../src/evaluate/models/account/account.ts';
import type { AccountLimits, CallOutcome } from '../../../src/evaluate/models/account/quota.ts';
import type { RateLimitedAccount, RateLimiter } from '../../../src/evaluate/models/account/rate-limiter.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';

/** The rate limiters under test. */
export interface RateLimitersUnderTest {
  /** Returns limiters of several callers, which may be one and the same; their accounts share their limits. */
  open(count: number): Promise<readonly RateLimiter[]>;
  /** The time, in milliseconds, whose calls an allowance lets through at once. */
  readonly burstMs: number;
}

const answered: CallOutcome = { type: 'answered', latencyMs: 20 };
const refused: CallOutcome = { type: 'refused', latencyMs: 1, retryAfterMs: 400 };

/** Registers the tests that every rate limiter must pass with the given runner, whether its callers are in one process or in several. */
export function testRateLimiterContract(
  name: string,
  { open, burstMs }: RateLimitersUnderTest,
  { test, expect }: TestRunner,
): void {
  let accounts = 0;
  const openAccounts = async (count: number, limits: AccountLimits = {}) => {
    const limiters = await open(count);
    accounts += 1;
    return limiters.map((limiter) => limiter.findAccount(`http://contract-${accounts} KEY`, limits));
  };
  const { signal } = new AbortController();
  const acquire = async (account: RateLimitedAccount, parts = {}): Promise<Permit> =>
    await account.acquire({ signal, tokens: 1, isRetry: false, ...parts });
  const fact = (title: string, check: () => Promise<void>) => test(`${name}: ${title}`, check);

  fact(
    'no more calls are in flight than the strictest setting allows, and all of these are used',
    async () => {
      const [loose, strict] = (await openAccounts(2, { maxConcurrency: 8 })) as [
        RateLimitedAccount,
        RateLimitedAccount,
      ];
      await acquire(loose).then((permit) => permit.release(answered));
      const [inFlight, most] = [{ calls: 0 }, { calls: 0 }];
      const call = async (account: RateLimitedAccount) => {
        const permit = await acquire(account);
        inFlight.calls += 1;
        most.calls = Math.max(most.calls, inFlight.calls);
        await pauseFor(10);
        inFlight.calls -= 1;
        permit.release(answered);
      };
      const each = Array.from({ length: 40 }, (_, index) => call(index % 2 === 0 ? loose : strict));
      await Promise.all(each);
      expect(most.calls).toBeLessThanOrEqual(8);
      expect(most.calls).toBeGreaterThanOrEqual(4);
    },
  );

  fact('an allowance of requests holds over all callers', async () => {
    const perSecond = 100;
    const all = await openAccounts(3, { requestsPerMinute: 60 * perSecond });
    const calls = Math.ceil((perSecond * burstMs) / 1000) + 60;
    const start = performance.now();
    const call = async (index: number) => {
      const permit = await acquire(all[index % all.length] as RateLimitedAccount);
      const at = performance.now() - start;
      permit.release(answered);
      return at;
    };
    const times = await Promise.all(Array.from({ length: calls }, (_, index) => call(index)));
    expect(Math.max(...times)).toBeGreaterThan((60 * 1000) / perSecond - 60);
  });

  fact('tokens that a call used beyond its estimate are taken from the allowance of all', async () => {
    const perSecond = 100;
    const [one, other] = (await openAccounts(2, { tokensPerMinute: 60 * perSecond })) as [
      RateLimitedAccount,
      RateLimitedAccount,
    ];
    const first = await acquire(one);
    first.release({ ...answered, tokens: Math.ceil((perSecond * burstMs) / 1000) + 60 });
    await pauseFor(300);
    const start = performance.now();
    (await acquire(other)).release(answered);
    expect(performance.now() - start).toBeGreaterThan(200);
  });

  fact('when nearly all calls are refused, all callers pause for as long as the server asks', async () => {
    const all = await openAccounts(2);
    const permits = await Promise.all(
      Array.from({ length: 20 }, (_, index) => acquire(all[index % 2] as RateLimitedAccount)),
    );
    const start = performance.now();
    for (const permit of permits) permit.release(refused);
    // Until all of them know of it, permits that they have in hand may be used.
    await pauseFor(150);
    const next = await Promise.all(all.map((account) => acquire(account)));
    expect(performance.now() - start).toBeGreaterThan(390);
    for (const permit of next) {
      expect(permit.pausedMs).toBeGreaterThan(100);
      permit.release(answered);
    }
  });

  fact('a single refusal among answers pauses no call', async () => {
    const all = await openAccounts(2);
    const outcomes = [refused, ...Array.from({ length: 19 }, () => answered)];
    for (const [index, outcome] of outcomes.entries()) {
      const permit = await acquire(all[index % 2] as RateLimitedAccount);
      permit.release({ ...outcome, ...(outcome === refused && { retryAfterMs: 60_000 }) });
    }
    const permit = await acquire(all[0] as RateLimitedAccount);
    expect(permit.pausedMs).toBe(0);
    permit.release(answered);
  });

  fact('a call that would have to wait through a longer pause than it may is refused', async () => {
    const [account] = (await openAccounts(1)) as [RateLimitedAccount];
    const permits = await Promise.all(Array.from({ length: 20 }, () => acquire(account)));
    for (const permit of permits) permit.release({ ...refused, retryAfterMs: 120_000 });
    await pauseFor(150);
    await expect(acquire(account, { maxPauseMs: 50 })).rejects.toMatchObject({ code: 'rate-limited' });
  });

  fact('a call that is given up leaves the line, and repeats go before others', async () => {
    const [account] = (await openAccounts(1, { maxConcurrency: 1 })) as [RateLimitedAccount];
    const first = await acquire(account);
    const givenUp = new AbortController();
    const order: string[] = [];
    const wait = async (title: string, parts = {}) => {
      const permit = await acquire(account, parts);
      order.push(title);
      permit.release(answered);
    };
    const gone = wait('gone', { signal: givenUp.signal });
    const calls = [wait('call'), wait('repeat', { isRetry: true })];
    givenUp.abort(new Error('given up'));
    await expect(gone).rejects.toThrow('given up');
    first.release(answered);
    await Promise.all(calls);
    expect(order).toEqual(['repeat', 'call']);
  });

  fact('what happens to calls is counted for its caller', async () => {
    const [limiter] = (await open(1)) as [RateLimiter];
    const read = limiter.watchAccounts();
    const account = limiter.findAccount('http://watched', {}, 'http://[HOST]');
    for (const outcome of [answered, refused, answered]) (await acquire(account)).release(outcome);
    expect(read()).toMatchObject([{ account: 'http://[HOST]', requests: 3, refused: 1 }]);
    expect([account.isAnswering, account.typicalMs]).toEqual([true, 20]);
    expect(limiter.readBusyAccounts()).toEqual([]);
  });
}

/** Waits. Unlike the timers of `node:timers/promises`, this one can be simulated. */
export async function pauseFor(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
