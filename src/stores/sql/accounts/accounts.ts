import { randomUUID } from 'node:crypto';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { AuditEntry } from '../../../core/schema/account/account.ts';
import { type AccountStore, mostEntries } from '../../accounts/account-store.ts';
import type { SqlDatabase } from '../database.ts';
import { createSqlShared, createSharedTable } from '../shared.ts';
import type { ColumnTypes } from '../tables.ts';

/** Returns the statements that create the tables of accounts and of the audit log. */
export function createAccountTables(types: ColumnTypes): string {
  const { integer, text, options } = types;
  return `
  ${createSharedTable(types, { table: 'accounts', about: 'People, sessions, invitations, tokens and projects of a server.' })}
  -- What was done by whom. Each entry contains the hash of the one before; triggers refuse to change or remove one.
  CREATE TABLE audit (
    number ${integer} NOT NULL PRIMARY KEY,
    -- A text that is never used twice: the process that has written the entry knows it again.
    version ${text} NOT NULL,
    entry ${text} NOT NULL
  ) ${options};
`;
}

/** Returns the statement that creates the table of how far the audit log was cut, which the triggers of the log look at. */
export function createAuditCutTable({ integer, options }: ColumnTypes): string {
  return `
  -- The number of the last entry that was cut from the audit log; an entry of the log says the same, with its hash.
  CREATE TABLE audit_cut (number ${integer} NOT NULL PRIMARY KEY) ${options};`;
}

const newest = 'SELECT entry FROM audit WHERE number = (SELECT max(number) FROM audit)';
const add = 'INSERT INTO audit (number, version, entry) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1';
const list = `SELECT entry FROM audit WHERE number > ? ORDER BY number LIMIT ${mostEntries}`;

/** Creates the part of a store for accounts, on a database with the tables above. */
export function createSqlAccounts(database: Pick<SqlDatabase, 'all' | 'dialect' | 'inTurn'>): AccountStore {
  const { all, dialect } = database;
  return {
    records: createSqlShared(database, 'accounts'),
    addEntry: async (next) => {
      for (;;) {
        const [last] = await all(newest);
        const [time] = await all(`SELECT ${dialect.clock}`);
        const entry = next(last === undefined ? undefined : readEntry(last), Number(time?.[0]));
        const version = randomUUID();
        if ((await all(add, [entry.number, version, JSON.stringify(entry)])).length > 0) return entry;
        // Another was faster, or the connection was lost after this one was written.
        const [kept] = await all('SELECT version FROM audit WHERE number = ?', [entry.number]);
        if (kept?.[0] === version) return entry;
      }
    },
    cutEntries: async (last) => {
      await all('INSERT INTO audit_cut (number) VALUES (?) ON CONFLICT DO NOTHING RETURNING 1', [last]);
      const removed = await all('DELETE FROM audit WHERE number <= ? RETURNING 1', [last]);
      await all('DELETE FROM audit_cut WHERE number < ? RETURNING 1', [last]);
      return removed.length;
    },
    readEntries: async (after) => (await all(list, [after])).map(readEntry),
  };
}

function readEntry([text]: readonly unknown[]): AuditEntry {
  return parseJson(text as string) as AuditEntry;
}
