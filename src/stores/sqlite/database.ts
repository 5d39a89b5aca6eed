import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { explainFault } from './explain-fault.ts';

/** One row, by the names of its columns. */
export type Row = Record<string, SQLOutputValue>;

/** A prepared statement. */
export interface Statement {
  /** How many rows were changed. */
  run(...values: SQLInputValue[]): number;
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
}

/** A database that says what is wrong with it as a `TouchstoneError`. */
export interface Database {
  prepare(sql: string): Statement;
  /** Runs `work` in one transaction: all of it is kept, or nothing. */
  write<Result>(work: () => Result): Result;
  /** Runs `work` on the database as it is at one moment, whatever is written meanwhile. Can be nested. */
  read<Result>(work: () => Result): Result;
  /** Gives room that is not used any more back to the file system. */
  shrink(): void;
  close(): void;
}

/** Wraps an open database. */
export function createDatabase(database: DatabaseSync, file: string): Database {
  function explained<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw explainFault(error, file);
    }
  }

  function inTransaction<Result>(begin: string, work: () => Result): Result {
    return explained(() => {
      database.exec(begin);
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        // After some faults, such as a full disk, SQLite has rolled back already.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  return {
    prepare: (sql) => {
      const statement = explained(() => database.prepare(sql));
      return {
        run: (...values) => explained(() => Number(statement.run(...values).changes)),
        get: (...values) => explained(() => statement.get(...values)),
        all: (...values) => explained(() => statement.all(...values)),
      };
    },
    write: (work) => inTransaction('BEGIN IMMEDIATE', work),
    read: (work) => (database.isTransaction ? work() : inTransaction('BEGIN', work)),
    shrink: () => explained(() => giveBackRoom(database)),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** Some pages at a time, so that others can write in between. */
function giveBackRoom(database: DatabaseSync): void {
  const unused = Number(database.prepare('PRAGMA freelist_count').get()?.['freelist_count']);
  for (let left = unused; left > 0; left -= 1000) database.exec('PRAGMA incremental_vacuum(1000)');
}
