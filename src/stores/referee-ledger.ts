import { DatabaseSync } from 'node:sqlite';
import { messageOf, TouchstoneError } from '../core/errors.ts';
import { chainAfter, type ChainEnd, faultOf } from '../core/lib/hash-chain.ts';
import { parseJson } from '../core/lib/json/parse-json.ts';
import { type RefereeEntry, type RefereeEvent, refereeEntrySchema } from '../core/schema/referee/referee.ts';

/** The ledger of a held-out set: a chain of events, of which none can be changed, put in or taken out unseen. */
export interface RefereeLedger extends Disposable {
  /** Reads all entries. Throws `referee-ledger` when the chain has a fault. */
  read(): readonly RefereeEntry[];
  /** Takes over the entries of an earlier set, so that the chain goes on. */
  continueFrom(entries: readonly RefereeEntry[]): void;
  /**
   * Adds what is made of the entries so far, while no other process adds any, and returns all entries with it. The time of an
   * entry is never before the time of an earlier one, whatever the clock says.
   */
  add(make: (entries: readonly RefereeEntry[]) => readonly NewEvent[]): readonly RefereeEntry[];
}

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

/** An event without its time, which the ledger adds. */
export type NewEvent = WithoutTime<RefereeEvent>;

const lockWaitMs = 10_000;

const layout = `
  CREATE TABLE IF NOT EXISTS referee_ledger (number INTEGER NOT NULL PRIMARY KEY, entry TEXT NOT NULL) STRICT;
  CREATE TRIGGER IF NOT EXISTS referee_ledger_is_not_changed BEFORE UPDATE ON referee_ledger BEGIN
    SELECT RAISE(ABORT, 'entries of the ledger are never changed');
  END;
  CREATE TRIGGER IF NOT EXISTS referee_ledger_is_not_cut BEFORE DELETE ON referee_ledger BEGIN
    SELECT RAISE(ABORT, 'entries of the ledger are never removed');
  END;`;

/** Opens the ledger in the file of a store, in a table of its own. */
export function openLedger(file: string): RefereeLedger {
  const database = new DatabaseSync(file, { timeout: lockWaitMs });
  // A look is paid for: the disk has it before the answer is said.
  database.exec(`PRAGMA synchronous = FULL; ${layout}`);
  const read = () => readEntries(database);
  const insert = (entry: RefereeEntry) =>
    database
      .prepare('INSERT INTO referee_ledger (number, entry) VALUES (?, ?)')
      .run(entry.number, JSON.stringify(entry));
  return {
    read,
    continueFrom: (entries) => entries.forEach(insert),
    add: (make) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const entries = [...read()];
        for (const event of make(entries)) {
          const last = entries.at(-1);
          const now = new Date().toISOString();
          const at = last !== undefined && last.at > now ? last.at : now;
          const entry = chainAfter(last, { ...event, at }) as RefereeEntry;
          insert(entry);
          entries.push(entry);
        }
        database.exec('COMMIT');
        return entries;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function readEntries(database: DatabaseSync): RefereeEntry[] {
  const rows = database.prepare('SELECT entry FROM referee_ledger ORDER BY number').all();
  let end: ChainEnd = { entries: 0, head: '' };
  return rows.map((row) => {
    const entry = readEntry(String(row['entry']));
    const fault = faultOf(entry, end);
    if (fault !== undefined) throw ledgerFault(fault);
    end = { entries: entry.number, head: entry.hash };
    return entry;
  });
}

function readEntry(text: string): RefereeEntry {
  try {
    return refereeEntrySchema.parse(parseJson(text));
  } catch (error) {
    throw ledgerFault(`an entry cannot be read: ${messageOf(error).split('\n', 1)[0]}`);
  }
}

/** Returns the error for a ledger that is not whole. */
export function ledgerFault(message: string): TouchstoneError {
  return new TouchstoneError('referee-ledger', `The ledger of the referee is not whole: ${message}.`);
}
