import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { AuditEntry } from '../../core/schema/account/account.ts';
import { createMemoryShared } from '../shared/memory-shared.ts';
import { type AccountStore, mostEntries } from './account-store.ts';

/** Creates accounts in memory, which end with the process. */
export function createMemoryAccounts(): AccountStore {
  const entries: AuditEntry[] = [];
  return {
    records: createMemoryShared(),
    addEntry: async (next) => {
      const entry = copyJson(next(entries.at(-1), Date.now()));
      entries.push(entry);
      return copyJson(entry);
    },
    cutEntries: async (last) => {
      const count = entries.findIndex(({ number }) => number > last);
      return entries.splice(0, count === -1 ? entries.length : count).length;
    },
    readEntries: async (after) =>
      copyJson(entries.filter(({ number }) => number > after).slice(0, mostEntries)),
  };
}
