import { randomUUID } from 'node:crypto';
import type { AccountRecord } from '../../schema/usage.ts';
import type { Store } from '../../stores/store.ts';
import { type WorkerRecord, workerRecordName } from './fleet-records.ts';

/** The calls of a process on accounts, as a record of its run that outlives the process. */
export interface KeptAccounts {
  /** Records the calls that have ended and are not in the record yet. */
  keep(): Promise<void>;
  /**
   * Wraps a store so that a write of answers, judgements or scores is over once the calls for them are recorded, too. A trial is in
   * flight until it is written, so what a process that is killed has not recorded are the calls of what it had in flight.
   */
  keepWith(store: Store): Store;
}

/** The needs of keeping accounts. */
export interface AccountNeeds {
  readonly store: Pick<Store, 'shared'>;
  /** Returns the calls on each account that this process has made for the run. */
  readonly read: () => readonly AccountRecord[];
  readonly onKept: (accounts: readonly AccountRecord[]) => void;
}

/** Begins to keep the calls of this process for a run. They are added to those of the other processes at the end of the run. */
export function createKeptAccounts(
  runId: string,
  { store: { shared }, read, onKept }: AccountNeeds,
): KeptAccounts {
  const name = workerRecordName(runId, randomUUID());
  let kept = 0;
  let last: Promise<unknown> = Promise.resolve();

  const keepNow = async () => {
    const accounts = read();
    const requests = accounts.reduce((sum, account) => sum + account.requests, 0);
    if (requests === kept) return;
    const value: WorkerRecord = { accounts };
    await shared.change(name, () => ({ value, result: undefined }));
    kept = requests;
    onKept(accounts);
  };
  const keep = async () => {
    const own = last.then(keepNow);
    last = own.catch(() => {});
    await own;
  };
  const after = async <Result>(writing: Promise<Result>): Promise<Result> =>
    (await Promise.all([writing, keep()]))[0];

  return {
    keep,
    keepWith: (given) => ({
      ...given,
      addTrials: async (...written) => await after(given.addTrials(...written)),
      addJudgements: async (...written) => await after(given.addJudgements(...written)),
      addScores: async (...written) => await after(given.addScores(...written)),
    }),
  };
}
