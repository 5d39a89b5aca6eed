import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { storeDamaged } from '../refusals.ts';
import type { SqlRow, SqlValue } from './database.ts';

/** Shorter records are kept as text, for people to read: they would gain little, and compressing one takes as long as 20 kB do. */
const longRecord = 4000;
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A table of records: columns that are asked for, the record as JSON, and a checksum of all of these. */
export interface RecordTable<Column extends string> {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The first so many columns are the primary key. */
  readonly keyLength: number;
  /** All columns, to select. */
  readonly selected: string;
  /** Inserts a row, unless its key is there. */
  readonly insert: string;
  /** Inserts a row, or replaces the one with its key. */
  readonly upsert: string;
}

/** A row that was read and is as it was written. */
export interface KeptRow<Column extends string> {
  readonly columns: Readonly<Record<Column, SqlValue>>;
  /** The JSON of the record. */
  readonly text: string;
}

/** Describes a table of records and makes its statements. */
export function recordTable<const Column extends string>(
  name: string,
  keyLength: number,
  columns: readonly Column[],
): RecordTable<Column> {
  const all = [...columns, 'record', 'checksum'];
  const changed = all.slice(keyLength).map((column) => `${column} = excluded.${column}`);
  const insert = `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`;
  return {
    name,
    columns,
    keyLength,
    selected: all.map((column) => `${name}.${column}`).join(', '),
    insert: `${insert} ON CONFLICT DO NOTHING`,
    upsert: `${insert} ON CONFLICT (${columns.slice(0, keyLength).join(', ')}) DO UPDATE SET ${changed.join(', ')}`,
  };
}

/** Returns the values of a row for `insert` and `upsert`. */
export function toRow(columns: readonly (SqlValue | undefined)[], record: unknown): SqlValue[] {
  const values = columns.map(toValue);
  const packed = packText(JSON.stringify(record));
  return [...values, packed, checksumOf(values, packed)];
}

/** Returns what a database can keep of a value: it has no text with half of a surrogate pair. */
function toValue(value: SqlValue | undefined): SqlValue {
  return typeof value === 'string' ? value.toWellFormed() : (value ?? null);
}

/**
 * Reads the row of a table from a row that was selected, in which its columns begin at `from`.
 * Throws `store-damaged` when it is not as it was written.
 */
export function readRow<Column extends string>(
  table: RecordTable<Column>,
  row: SqlRow,
  { address, from = 0 }: { readonly address: string; readonly from?: number },
): KeptRow<Column> {
  const width = table.columns.length;
  const values = row.slice(from, from + width);
  const packed = row[from + width] as string | Uint8Array;
  try {
    if (checksumOf(values, packed) !== row[from + width + 1]) throw new Error('its checksum differs');
    return {
      text: unpackText(packed),
      // Few ask for them.
      get columns() {
        const named = table.columns.map((column, index) => [column, values[index]]);
        return Object.fromEntries(named) as Record<Column, SqlValue>;
      },
    };
  } catch (error) {
    throw storeDamaged(address, `a record of ${describeRow(table, values)} is not as it was written`, error);
  }
}

/** Names a row by its table and its key, as far as this can be read. */
function describeRow({ name, columns, keyLength }: RecordTable<string>, values: SqlRow): string {
  const key = columns.slice(0, keyLength).map((column, index) => `${column} ${String(values[index])}`);
  return `the table ${name} (${key.join(', ')})`;
}

/** Returns a CRC-32 of the columns and the record as they are kept: it finds every change of up to 32 bits in a row. */
function checksumOf(columns: SqlRow, packed: string | Uint8Array): number {
  return crc32(packed, crc32(JSON.stringify(columns)));
}

function packText(text: string): string | Uint8Array {
  return text.length < longRecord ? text : zstdCompressSync(text, compression);
}

function unpackText(packed: string | Uint8Array): string {
  return typeof packed === 'string' ? packed : zstdDecompressSync(packed).toString();
}
