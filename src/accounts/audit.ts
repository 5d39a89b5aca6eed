import { hash } from 'node:crypto';
import { canonicalJson } from '../lib/content-hash.ts';
import type { AuditEntry, AuditEvent } from '../schema/account/account.ts';
import type { AccountStore } from '../stores/accounts/account-store.ts';

/** Adds an event to the audit log. */
export async function recordEvent(store: AccountStore, event: AuditEvent): Promise<AuditEntry> {
  return await store.addEntry((last, now) => {
    const entry = {
      ...event,
      number: (last?.number ?? 0) + 1,
      at: new Date(now).toISOString(),
      previous: last?.hash ?? '',
    };
    return { ...entry, hash: hashEntry(entry) };
  });
}

/** Returns the SHA-256 of the canonical JSON of an entry without its hash. */
function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  return hash('sha256', canonicalJson(entry), 'hex');
}

/** Yields the entries of the audit log in order. */
export async function* readAudit(store: AccountStore): AsyncGenerator<AuditEntry> {
  for (let last = 0; ; ) {
    const entries = await store.readEntries(last);
    if (entries.length === 0) return;
    yield* entries;
    last = entries.at(-1)?.number ?? last;
  }
}

/** The state of the chain of the audit log. */
export interface ChainState {
  readonly entries: number;
  /** The hash of the last entry. Written down elsewhere, it shows later that entries at the end are gone. */
  readonly head: string;
  /** The first fault, in words; undefined when there is none. */
  readonly fault?: string;
}

/**
 * Checks that no entry of the audit log was changed, removed or put in.
 * @param known - A hash that the log has had as its head at an earlier time.
 */
export async function verifyChain(store: AccountStore, known?: string): Promise<ChainState> {
  let [entries, head] = [0, ''];
  let isKnown = known === undefined;
  for await (const { hash: own, ...entry } of readAudit(store)) {
    const state = { entries, head };
    if (entry.number !== entries + 1)
      return { ...state, fault: `entry ${entries + 1} is missing: after it comes ${entry.number}` };
    if (entry.previous !== head)
      return { ...state, fault: `entry ${entry.number} does not follow the one before it` };
    if (own !== hashEntry(entry)) return { ...state, fault: `entry ${entry.number} was changed` };
    [entries, head] = [entry.number, own];
    isKnown ||= own === known;
  }
  return isKnown ? { entries, head } : { entries, head, fault: `no entry has the hash ${known}` };
}
