import { timeNow } from '../../lib/time.ts';
import type { AccountRecord } from '../../schema/usage.ts';
import { Account, type AccountLimits, type AccountState } from './account.ts';

/** An account with the name that it is shown by. */
interface KnownAccount {
  readonly name: string;
  readonly account: Account;
}

const accounts = new Map<string, KnownAccount>();

/**
 * The account behind an address and a key. Targets, judges and simulated users of this process that use the same
 * ones get the same account, and so share its limits.
 * @param key - The origin of the address and the name of the key; never the key itself.
 * @param name - What it is called in records, where the address itself is a secret.
 */
export function findAccount(key: string, limits: AccountLimits = {}, name: string = key.trim()): Account {
  const { account } = accounts.get(key) ?? addAccount(key, name);
  account.restrict(limits);
  return account;
}

function addAccount(key: string, name: string): KnownAccount {
  const known = { name, account: new Account() };
  accounts.set(key, known);
  return known;
}

/** An account on which calls wait for their turn. */
export interface BusyAccount extends AccountState {
  readonly name: string;
}

/** The accounts on which calls are waiting right now. */
export function readBusyAccounts(): BusyAccount[] {
  return Array.from(accounts.values(), ({ name, account }) => ({ name, ...account.state })).filter(
    ({ waiting }) => waiting > 0,
  );
}

/** Begins to watch all accounts. What it returns tells what has become of their calls since; none for an unused one. */
export function watchAccounts(): () => AccountRecord[] {
  const startedAt = timeNow();
  const before = new Map(Array.from(accounts.values(), ({ account }) => [account, account.figures]));
  return () =>
    Array.from(accounts.values()).flatMap(({ name, account }) => {
      const { requests, refused, waitedMs, limits } = account.figures;
      const then = before.get(account) ?? { requests: 0, refused: 0, waitedMs: 0 };
      if (requests === then.requests) return [];
      const first = Math.max(
        0,
        limits.findLastIndex(({ at }) => at <= startedAt),
      );
      return [
        {
          account: name,
          requests: requests - then.requests,
          refused: refused - then.refused,
          waitedMs: Math.round(waitedMs - then.waitedMs),
          limits: limits.slice(first),
        },
      ];
    });
}
