import type { AuditEntry } from '../../core/schema/account/account.ts';
import type { SharedRecords } from '../shared/shared-records.ts';

/** Makes the entry that follows the last one of the audit log, which is undefined when there is none. It may be called again. */
export type NextEntry = (last: AuditEntry | undefined, now: number) => AuditEntry;

/**
 * The part of a store for the accounts of a server: people, sessions, invitations, tokens and projects, and the audit log. What
 * the records mean is decided by the caller; the store changes each in one step, and never changes an entry of the log.
 */
export interface AccountStore {
  /** The records, which are stored like results and unlike the records that processes share. */
  readonly records: SharedRecords;
  /** Adds an entry to the audit log. Entries that are added at the same time follow each other. */
  addEntry(next: NextEntry): Promise<AuditEntry>;
  /**
   * Removes the entries up to a number, and returns how many there were. An entry after them must say so, or the log does not count as
   * whole any more.
   */
  cutEntries(last: number): Promise<number>;
  /** Returns at most 1,000 entries with numbers above a number, in order. */
  readEntries(after: number): Promise<AuditEntry[]>;
}

/** The most entries that are read at once. */
export const mostEntries = 1000;
