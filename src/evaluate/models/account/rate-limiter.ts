import { timeNow } from '../../../core/lib/time.ts';
import type { RefusedAccount } from '../../../core/schema/api/waiting-view.ts';
import type { AccountRecord } from '../../../core/schema/usage.ts';
import { Account, type AccountState } from './account.ts';
import { type AccountLimits, createOwnQuota, type Quota } from './quota.ts';

/** The part of an account that callers use: they wait for their turn, and ask whether the server still answers. */
export type RateLimitedAccount = Pick<
  Account,
  'acquire' | 'concurrency' | 'isAnswering' | 'note' | 'rest' | 'silentMs' | 'typicalMs'
>;

/** An account on which calls wait: for their turn, or because they were refused. */
export interface BusyAccount extends AccountState {
  readonly name: string;
}

/** Returns the refusals that hold up the calls on accounts, under the host of each server. */
export function refusalsOf(accounts: readonly BusyAccount[]): RefusedAccount[] {
  return accounts.flatMap(({ name, refusals }) => {
    if (refusals === undefined) return [];
    const { status, reason, inRow, nextTryMs } = refusals;
    return [{ account: hostIn(name), reason, status, inRow, nextTryMs }];
  });
}

/** Returns the host in the name of an account, which is an address and the name of a key; the name itself when that is hidden. */
function hostIn(name: string): string {
  const [address = ''] = name.split(' ');
  return URL.canParse(address) ? new URL(address).host : name;
}

/**
 * Shares the limits of accounts among all calls that go through them: rate, tokens, concurrency and the pauses that a
 * server asks for. Models, judges, simulated users and HTTP targets find their accounts here, so another implementation
 * can make the same limits hold over several processes.
 */
export interface RateLimiter {
  /**
   * Returns the account for an address and a key, always the same one. The strictest of all limits given for it
   * applies.
   * @param key - The origin of the address and the name of the key; never the key itself.
   * @param name - Its name in records, when the address itself is a secret.
   */
  findAccount(key: string, limits?: AccountLimits, name?: string): RateLimitedAccount;
  /** Returns the accounts on which calls are waiting now. */
  readBusyAccounts(): BusyAccount[];
  /**
   * Begins to watch all accounts. The returned function reads what has happened to their calls since then, without the
   * accounts that were not used.
   */
  watchAccounts(): () => AccountRecord[];
}

/**
 * Creates a rate limiter for the calls of this process.
 * @param createQuota - Creates the limits of an account by its key; they count in this process by default.
 */
export function createRateLimiter(
  createQuota: (key: string, onChange: () => void) => Quota = createOwnQuota,
): RateLimiter {
  const accounts = new Map<string, { readonly name: string; readonly account: Account }>();

  function addAccount(key: string, name: string) {
    const added = { name, account: new Account((onChange) => createQuota(key, onChange)) };
    accounts.set(key, added);
    return added;
  }

  return {
    findAccount: (key, limits = {}, name = key.trim()) => {
      const { account } = accounts.get(key) ?? addAccount(key, name);
      account.restrict(limits);
      return account;
    },
    readBusyAccounts: () =>
      Array.from(accounts.values(), ({ name, account }) => ({ name, ...account.state })).filter(
        ({ waiting, resting, refusals }) => waiting + resting > 0 || refusals !== undefined,
      ),
    watchAccounts: () => {
      const startedAt = timeNow();
      const before = new Map(Array.from(accounts.values(), ({ account }) => [account, account.figures]));
      return () =>
        Array.from(accounts.values()).flatMap(({ name, account }) => {
          const { requests, refused, waitedMs, limits, notices } = account.figures;
          const then = before.get(account) ?? { requests: 0, refused: 0, waitedMs: 0, notices: new Map() };
          if (requests === then.requests) return [];
          const since = [...notices].filter(([notice, calls]) => calls > (then.notices.get(notice) ?? 0));
          const lastBefore = limits.findLastIndex(({ at }) => at <= startedAt);
          return [
            {
              account: name,
              requests: requests - then.requests,
              refused: refused - then.refused,
              waitedMs: Math.round(waitedMs - then.waitedMs),
              limits: limits.slice(Math.max(0, lastBefore)),
              ...(since.length > 0 && { notices: since.map(([notice]) => notice) }),
            },
          ];
        });
    },
  };
}

/** The rate limiter of this process, which all runs in it share unless they are given another. */
export const processRateLimiter: RateLimiter = createRateLimiter();
