import type { SQLInputValue } from 'node:sqlite';
import { valueAtPath } from '../../../lib/value-at-path.ts';
import type { Json } from '../../../schema/json.ts';
import { isRecord } from '../../matching/expectation.ts';
import type { TableData } from './serve-queries.ts';

/** What a state holds that can be queried: tables, the bytes of a database file; or why it holds nothing of the kind. */
export type FoundDatabase =
  | { readonly tables: TableData[] }
  | { readonly bytes: Buffer }
  | { readonly problem: string };

/** Where a database is in a state, and what is known of its tables. */
export interface DatabasePlace {
  readonly at?: string | undefined;
  /** Columns of tables, for one that has no rows. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** Every database file of SQLite begins with these letters and a zero. */
const header = Buffer.from('SQLite format 3\0');

/**
 * Finds a database in a state: a base64 text, `{ database: … }` with one, or tables by name, `{ tables: { bookings: [{ … }] } }`
 * or without `tables` around them.
 */
export function readDatabase(state: Json, { at, columns }: DatabasePlace): FoundDatabase {
  const found = at === undefined ? state : (valueAtPath(state, at) as Json | undefined);
  const place = at === undefined ? 'the final state' : `${at} of the final state`;
  const held = isRecord(found) ? (found['tables'] ?? found['database'] ?? found) : found;
  if (typeof held === 'string') {
    const bytes = Buffer.from(held, 'base64');
    const isDatabase = bytes.subarray(0, header.length).equals(header);
    return isDatabase ? { bytes } : { problem: `the text in ${place} is no SQLite database in base64` };
  }
  if (!isRecord(held)) return { problem: `${place} holds neither tables nor a database` };
  const names = new Set([...Object.keys(columns), ...Object.keys(held)]);
  const tables: TableData[] = [];
  for (const name of names) {
    const rows = Object.hasOwn(held, name) ? held[name] : [];
    if (!Array.isArray(rows) || !rows.every(isRecord))
      return { problem: `the table ${name} in ${place} is no list of objects` };
    tables.push(toTable(name, rows, columns[name] ?? []));
  }
  return { tables };
}

function toTable(
  name: string,
  rows: readonly { [column: string]: Json }[],
  known: readonly string[],
): TableData {
  const columns = [...new Set([...known, ...rows.flatMap((row) => Object.keys(row))])];
  // A table needs a column, also when nothing is known of it.
  if (columns.length === 0) return { name, columns: ['empty'], rows: [] };
  return { name, columns, rows: rows.map((row) => columns.map((column) => toValue(row, column))) };
}

/** A value as SQLite keeps it: whole numbers as such, true and false as 1 and 0, lists and objects as JSON. */
function toValue(row: { [column: string]: Json }, column: string): SQLInputValue {
  const value = Object.hasOwn(row, column) ? row[column] : null;
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
