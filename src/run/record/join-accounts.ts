import { type AccountRecord, dropMiddleSteps } from '../../schema/account-record.ts';

/** What became of the calls on accounts in two parts of a run, one after the other. */
export function joinAccounts(
  earlier: readonly AccountRecord[],
  later: readonly AccountRecord[],
): AccountRecord[] {
  const joined = new Map(earlier.map((record) => [record.account, record]));
  for (const record of later) {
    const before = joined.get(record.account);
    joined.set(record.account, before === undefined ? record : join(before, record));
  }
  return [...joined.values()];
}

function join(one: AccountRecord, other: AccountRecord): AccountRecord {
  const limits = [...one.limits, ...other.limits];
  dropMiddleSteps(limits);
  return {
    account: one.account,
    requests: one.requests + other.requests,
    refused: one.refused + other.refused,
    waitedMs: one.waitedMs + other.waitedMs,
    limits,
  };
}
