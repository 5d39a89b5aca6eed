import { type ChainEnd, chainAfter, faultOf } from '../../core/lib/hash-chain.ts';
import type { AuditEntry, AuditEvent } from '../../core/schema/account/account.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';

/** Adds an event to the audit log. */
export async function recordEvent(store: AccountStore, event: AuditEvent): Promise<AuditEntry> {
  return await store.addEntry((last, now) => chainAfter(last, { ...event, at: new Date(now).toISOString() }));
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
export interface ChainState extends ChainEnd {
  /** The first fault, in words; undefined when there is none. */
  readonly fault?: string;
}

/** The action of the entry that says how far the log was cut. */
const cutAction = 'audit-cut';

/** The most entries that are removed at once. */
const mostCut = 10_000;

/** Counts the entries from before a time, ISO 8601. */
export async function countEntriesBefore(store: AccountStore, before: string): Promise<number> {
  let count = 0;
  for await (const { at } of readAudit(store)) {
    if (at >= before) break;
    count += 1;
  }
  return count;
}

/**
 * Cuts the entries from before a time off the audit log. Before each group is removed, an entry is added with the number and the hash of the
 * last one of them, so that the rest can still be verified. Returns the number of removed entries.
 * @param before - ISO 8601.
 */
export async function cutAudit(store: AccountStore, who: string, before: string): Promise<number> {
  let [left, removed] = [await countEntriesBefore(store, before), 0];
  while (left > 0) {
    const last = await entryAt(store, Math.min(left, mostCut));
    if (last === undefined) break;
    const details = { last: String(last.number), hash: last.hash, before };
    await recordEvent(store, { who, address: null, action: cutAction, project: null, object: null, details });
    const cut = await store.cutEntries(last.number);
    // Another process may have cut them meanwhile.
    left -= Math.max(cut, 1);
    removed += cut;
  }
  return removed;
}

/** Returns the entry at a place, from 1, of those that the log still has. */
async function entryAt(store: AccountStore, place: number): Promise<AuditEntry | undefined> {
  let count = 0;
  for await (const entry of readAudit(store)) if ((count += 1) === place) return entry;
  return undefined;
}

/**
 * Checks that no entry of the audit log was changed, removed or put in. Entries at its beginning may be missing where a later entry says that
 * they were cut, with the hash that the first remaining one follows.
 * @param known - A hash that the log has had as its head at an earlier time.
 */
export async function verifyChain(store: AccountStore, known?: string): Promise<ChainState> {
  let [entries, head] = [0, ''];
  let isKnown = known === undefined;
  let cut: { readonly last: string; readonly hash: string } | undefined;
  for await (const entry of readAudit(store)) {
    const own = entry.hash;
    if (entries === 0 && entry.number > 1) {
      cut = { last: String(entry.number - 1), hash: entry.previous };
      [entries, head] = [entry.number - 1, entry.previous];
      isKnown ||= head === known;
    }
    const fault = faultOf(entry, { entries, head });
    if (fault !== undefined) return { entries, head, fault };
    if (cut !== undefined && isCutAt(entry, cut)) cut = undefined;
    [entries, head] = [entry.number, own];
    isKnown ||= own === known;
  }
  if (cut !== undefined)
    return {
      entries,
      head,
      fault: `the entries up to ${cut.last} are missing, and none says that they were cut`,
    };
  return isKnown ? { entries, head } : { entries, head, fault: `no entry has the hash ${known}` };
}

/** Returns whether an entry says that the log was cut at a place. */
function isCutAt(
  { action, details = {} }: AuditEvent,
  { last, hash: cutHash }: { readonly last: string; readonly hash: string },
): boolean {
  return action === cutAction && details['last'] === last && details['hash'] === cutHash;
}
