import { Account, type AccountLimits } from './account.ts';

const accounts = new Map<string, Account>();

/**
 * The account behind an address and a key. Targets, judges and simulated users of this process that use the same
 * ones get the same account, and so share its limits.
 * @param key - The origin of the address and the name of the key; never the key itself.
 */
export function findAccount(key: string, limits: AccountLimits = {}): Account {
  const account = accounts.get(key) ?? new Account();
  accounts.set(key, account);
  account.restrict(limits);
  return account;
}
