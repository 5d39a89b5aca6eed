import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { constants, zstdCompressSync } from 'node:zlib';
import { TouchstoneError } from '../../core/errors.ts';
import {
  RecordText,
  type SqlDatabase,
  type SqlDialect,
  type SqlInput,
  type SqlRow,
  type SqlSession,
  type SqlValue,
} from '../sql/database.ts';
import { createTransactions } from '../sql/transactions.ts';
import { explainFault, isBusy } from './explain-fault.ts';

/**
 * The length, in characters, from which a record is compressed. Shorter records stay readable text: compression would gain
 * little, and for a short record it takes as long as for 20 kB.
 */
const longRecord = 4000;
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Returns a value as SQLite stores it. */
export function toStored(value: SqlInput): SqlValue {
  if (!(value instanceof RecordText)) return value;
  return value.json.length < longRecord ? value.json : zstdCompressSync(value.json, compression);
}

/** Names that the operator `->>` does not read as a path. Others are looked up one by one. */
const plainName = /^[A-Za-z_][\w. -]*$/;

const dialect: SqlDialect = {
  like: 'LIKE',
  // By itself, SQLite looks rows up by the primary key and reads whole records, which takes ten times as long.
  columnsOf: (table) => `${table} INDEXED BY ${table}_columns`,
  ordered: (text) => text,
  exactText: (number) => `CASE WHEN ${number} IS NOT NULL THEN format('%!.17g', ${number}) END`,
  // The rows come in the order of the index that `columnsOf` names; asked to sort them, SQLite takes twice as long.
  joinedTexts: (text, mark) => `string_agg(${text}, '${mark}')`,
  jsonList: (values) => `json_array(${values})`,
  numbersIn: (list) => `SELECT value FROM json_each(${list})`,
  textsIn: (list) => `(SELECT value AS item FROM json_each(${list}))`,
  memberOf: (object, name) =>
    plainName.test(name) ? `${object} ->> ?` : `(SELECT value FROM json_each(${object}) WHERE key = ?)`,
  isNullIn: (object) => `EXISTS (SELECT 1 FROM json_each(${object}) WHERE key = ? AND type = 'null')`,
  textOf: (record) => record,
  isCompressed: (record) => `typeof(${record}) <> 'text'`,
  clock: "CAST(unixepoch('subsec') * 1000 AS REAL)",
  countedAtOnce: 20_000,
  // Without it, SQLite may read the larger table first.
  joinInOrder: 'CROSS JOIN',
  // A transaction that writes is alone.
  joinScores: 'LEFT JOIN scores ON scores.run = ? AND scores.ordinal = trials.ordinal',
  keepRows: '',
  lockRows: '',
};

/** Options for the use of a database file. */
export interface SqliteUse {
  /** Called after every read; throws when the rows read are not reliable. */
  readonly afterReading?: () => void;
  /** The milliseconds to wait while another process holds the file; 0 by default. */
  readonly lockWaitMs?: number;
}

/** The longest pause, in milliseconds, before a file that another process holds is tried again. */
const longestPauseMs = 20;

/**
 * Creates a database on an open connection. Work that is passed to `transaction` in the same turn of the event loop shares
 * one transaction, since a transaction costs more than most of the work in it.
 */
export function createSqliteDatabase(
  connection: DatabaseSync,
  file: string,
  { afterReading, lockWaitMs = 0 }: SqliteUse = {},
): SqlDatabase {
  const explained: Explain = (work) => {
    try {
      return work();
    } catch (error) {
      throw explainFault(error, file);
    }
  };
  const patiently = async <Result>(work: () => Promise<Result>) => await whileHeld(work, lockWaitMs);
  const prepare = createPreparer(connection);
  const session: SqlSession = {
    rowsAtOnce: 1,
    all: async (sql, values = []) => {
      const rows = explained(() => prepare(sql).all(...values.map(toStored))) as unknown as SqlRow[];
      afterReading?.();
      return rows;
    },
    run: async (sql, values = []) =>
      explained(() => Number(prepare(sql).run(...values.map(toStored)).changes)),
    send: (sql, values = [], check = () => {}) =>
      check(explained(() => prepare(sql).all(...values.map(toStored))) as unknown as SqlRow[]),
  };
  const { transaction, settled } = createTransactions({
    begin: async () => {
      await patiently(async () => explained(() => connection.exec('BEGIN IMMEDIATE')));
      return session;
    },
    commit: async () => explained(() => connection.exec('COMMIT')),
    rollback: async () => {
      // After some faults, such as a full disk, SQLite has rolled back already.
      if (connection.isTransaction) connection.exec('ROLLBACK');
    },
  });

  return {
    address: file,
    dialect,
    all: async (sql, values) =>
      await patiently(async () => {
        while (connection.isTransaction) await settled();
        return await session.all(sql, values);
      }),
    transaction,
    readVersion: async () => {
      // The first number counts the commits of other connections, the second the rows that this one has written.
      const [[others] = []] = await session.all('PRAGMA data_version');
      const [[own] = []] = await session.all('SELECT total_changes()');
      return `${Number(others)} ${Number(own)}`;
    },
    checkStructure: async () => {
      const rows = await session.all('PRAGMA integrity_check');
      return rows.map(([line]) => String(line)).filter((line) => line !== 'ok');
    },
    shrink: async () => {
      const [row] = await session.all('PRAGMA freelist_count');
      // A limited number of pages at a time, so that other processes can write in between.
      for (let left = Number(row?.[0]); left > 0; left -= 1000)
        await patiently(async () => explained(() => connection.exec('PRAGMA incremental_vacuum(1000)')));
    },
    purge: async () => {
      await settled();
      // Rows that were overwritten are still in free pages, in the rest of used ones and in the log.
      await patiently(async () => explained(() => connection.exec('VACUUM')));
      await patiently(async () => {
        const [row] = await session.all('PRAGMA wal_checkpoint(TRUNCATE)');
        if (row?.[0] !== 0) throw keptBusy(file);
      });
      return undefined;
    },
    close: async () => {
      await settled();
      if (connection.isOpen) connection.close();
    },
  };
}

/** Repeats work while another process holds the file. SQLite itself would wait in a way that holds up all calls in flight. */
async function whileHeld<Result>(work: () => Promise<Result>, lockWaitMs: number): Promise<Result> {
  const end = performance.now() + lockWaitMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isHeld(error) || performance.now() >= end) throw error;
      await pause(Math.random() * Math.min(2 ** tries, longestPauseMs));
    }
  }
}

/** Returns whether an error means that another process holds the file. */
function isHeld(error: unknown): boolean {
  if (!(error instanceof TouchstoneError) || error.cause === undefined) return false;
  return error.cause === busyCheckpoint || isBusy(error.cause);
}

const busyCheckpoint = 'checkpoint';

function keptBusy(file: string): TouchstoneError {
  return new TouchstoneError(
    'store-unreadable',
    `Another process is reading ${file}, so that old versions of its rows are still in its log.`,
    {
      cause: busyCheckpoint,
      remedy: 'End what uses the store, such as `touchstone view`, and run the same command again.',
    },
  );
}

type Explain = <Result>(work: () => Result) => Result;

/** The number of prepared statements that are cached. A run needs some 40; every new shape of a filter is one more. */
const mostStatements = 100;

/** Creates a function that prepares a statement and reuses it, as long as it is among those that were used last. */
function createPreparer(connection: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const statement = statements.get(sql) ?? prepare(connection, sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > mostStatements && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}

/**
 * Prepares a statement. A row that cannot be inserted ends the whole transaction, as its caller would. To be able to undo the one
 * statement alone, SQLite would copy each page that it and its triggers change, which took twice as long as all the rest.
 */
function prepare(connection: DatabaseSync, sql: string): StatementSync {
  const statement = connection.prepare(sql.replace(/^INSERT INTO/, 'INSERT OR ROLLBACK INTO'));
  statement.setReturnArrays(true);
  return statement;
}
