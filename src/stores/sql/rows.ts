import { storableText } from '../../core/lib/text/storable-text.ts';
import { crc32, zstdDecompressSync } from 'node:zlib';
import { storeDamaged } from '../refusals.ts';
import { RecordText, type SqlInput, type SqlRow, type SqlSession, type SqlValue } from './database.ts';

/** A table to which rows are added. */
export interface InsertedTable {
  readonly name: string;
  /** The number of columns, from the first, that form the primary key. */
  readonly keyLength: number;
  /** The statement that inserts a row unless its key exists. */
  readonly insert: string;
  /** Returns the statement `insert` for several rows; it returns the keys of those that were inserted. */
  insertSeveral(rows: number): string;
  /**
   * Returns the statement `insert` for several rows.
   * @param first - An expression with one parameter, the first value of the first row.
   */
  addSeveral(rows: number, first: string): string;
}

/** A table of records: columns for queries, the record as JSON, and a checksum of both. */
export interface RecordTable<Column extends string> extends InsertedTable {
  readonly columns: readonly Column[];
  /** The list of all columns for a `SELECT`. */
  readonly selected: string;
  /** The statement that inserts a row or replaces the row with its key. */
  readonly upsert: string;
}

/** A row whose checksum was verified. */
export interface KeptRow<Column extends string> {
  readonly columns: Readonly<Record<Column, SqlValue>>;
  /** The JSON of the record. */
  readonly text: string;
}

/** Returns the description of a table of records, with its statements. */
export function recordTable<const Column extends string>(
  name: string,
  keyLength: number,
  columns: readonly Column[],
): RecordTable<Column> {
  const all = [...columns, 'record', 'checksum'];
  const { start, marks, keys, ...table } = insertedTable(name, keyLength, all);
  const changed = all.slice(keyLength).map((column) => `${column} = excluded.${column}`);
  return {
    ...table,
    columns,
    selected: all.map((column) => `${name}.${column}`).join(', '),
    upsert: `${start} ${marks} ON CONFLICT (${keys}) DO UPDATE SET ${changed.join(', ')}`,
  };
}

/** Returns the description of a table to which rows are added, with its statements and their parts. */
export function insertedTable(name: string, keyLength: number, columns: readonly string[]) {
  const keys = columns.slice(0, keyLength).join(', ');
  const marks = `(${columns.map(() => '?').join(', ')})`;
  const start = `INSERT INTO ${name} (${columns.join(', ')}) VALUES`;
  const several = (rows: number) =>
    `${Array.from({ length: rows }, () => marks).join(', ')} ON CONFLICT DO NOTHING`;
  return {
    name,
    keyLength,
    keys,
    marks,
    start,
    insert: `${start} ${marks} ON CONFLICT DO NOTHING`,
    insertSeveral: (rows: number) => `${start} ${several(rows)} RETURNING ${keys}`,
    addSeveral: (rows: number, first: string) => `${start} ${several(rows).replace('?', first)}`,
  };
}

/** The numbers of rows for which there is a statement, the largest first: few, since each is prepared once. */
const statementSizes = [100, 32, 8, 4, 2, 1];

/** Divides rows into groups for which there is a statement, of at most as many rows as the database takes well. */
function* groupRows(rows: readonly Row[], { rowsAtOnce }: Pick<SqlSession, 'rowsAtOnce'>): Generator<Row[]> {
  const sizes = statementSizes.filter((size) => size <= rowsAtOnce);
  for (let from = 0; from < rows.length; ) {
    const size = sizes.find((each) => each <= rows.length - from) ?? 1;
    yield rows.slice(from, from + size);
    from += size;
  }
}

/** The values of a row. */
type Row = readonly SqlInput[];

/** Inserts rows, several in one statement where that is faster. Returns the ones whose key existed already. */
export async function insertRows(
  session: SqlSession,
  table: InsertedTable,
  rows: readonly Row[],
): Promise<ReadonlySet<Row>> {
  const known = new Set<Row>();
  // One after the other: after a fault the transaction may be over, and what came later would not be undone with it.
  for (const group of groupRows(rows, session)) {
    const [first] = group;
    if (group.length === 1 && first !== undefined) {
      if ((await session.run(table.insert, first)) === 0) known.add(first);
      continue;
    }
    const added = await session.all(table.insertSeveral(group.length), group.flat());
    const keys = new Set(added.map((key) => JSON.stringify(key)));
    // If several rows have one key, the first is inserted.
    for (const row of group) if (!keys.delete(JSON.stringify(row.slice(0, table.keyLength)))) known.add(row);
  }
  return known;
}

/** Inserts rows or replaces those with their keys, which are few. The last one of a key counts. */
export async function upsertRows(
  session: SqlSession,
  table: RecordTable<string>,
  rows: readonly Row[],
): Promise<void> {
  const known = await insertRows(session, table, rows);
  for (const row of known) await session.run(table.upsert, row);
}

/** Returns the values of a row for `insert` and `upsert`. */
export function toRow(columns: readonly (SqlValue | undefined)[], record: unknown): SqlInput[] {
  const values = columns.map(toValue);
  const text = JSON.stringify(record);
  return [...values, new RecordText(text), checksumOf(values, text)];
}

/** Returns a value of a column as every database can store it: text without lone surrogates and without U+0000. */
export function toValue(value: SqlValue | undefined): SqlValue {
  return typeof value === 'string' ? storableText(value) : (value ?? null);
}

/**
 * Reads the row of a table from a selected row in which its columns begin at index `from`.
 * Throws `store-damaged` when the row has changed since it was written.
 */
export function readRow<Column extends string>(
  table: RecordTable<Column>,
  row: SqlRow,
  { address, from = 0 }: { readonly address: string; readonly from?: number },
): KeptRow<Column> {
  const width = table.columns.length;
  const values = row.slice(from, from + width);
  try {
    const stored = row[from + width] as string | Uint8Array;
    const text = typeof stored === 'string' ? stored : zstdDecompressSync(stored).toString();
    // The checksum of a compressed record was once computed from its bytes.
    const isWhole = [text, stored].some((each) => checksumOf(values, each) === row[from + width + 1]);
    if (!isWhole) throw new Error('its checksum differs');
    return {
      text,
      // A getter, since few callers need the columns.
      get columns() {
        const named = table.columns.map((column, index) => [column, values[index]]);
        return Object.fromEntries(named) as Record<Column, SqlValue>;
      },
    };
  } catch (error) {
    throw storeDamaged(
      address,
      `a row of ${describeRow(table, values)} has changed since it was written`,
      error,
    );
  }
}

/** Describes a row by its table and its key. */
function describeRow({ name, columns, keyLength }: RecordTable<string>, values: SqlRow): string {
  const key = columns.slice(0, keyLength).map((column, index) => `${column} ${String(values[index])}`);
  return `the table ${name} (${key.join(', ')})`;
}

/** Returns the CRC-32 of the columns and the record. It detects every change within 32 consecutive bits. */
function checksumOf(columns: SqlRow, record: string | Uint8Array): number {
  return crc32(record, crc32(JSON.stringify(columns)));
}
