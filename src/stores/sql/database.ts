/** A value as a database keeps it. */
export type SqlValue = null | number | string | Uint8Array;

/** One row, its values in the order of the columns that were selected. */
export type SqlRow = readonly SqlValue[];

/** Runs statements. Parameters are written `?`, which a driver may number. */
export interface SqlSession {
  /** Returns the rows that a statement selects or, with `RETURNING`, changes. */
  all(sql: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
  /** Returns how many rows a statement changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
}

/** A database with the tables of `tables.ts`. What is wrong with it is thrown as a `TouchstoneError`. */
export interface SqlDatabase {
  /** Where the database is, in words for messages, such as its file. */
  readonly address: string;
  /** Reads what is committed, as it is at one moment. */
  all(sql: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
  /**
   * Runs `work` in a transaction, which is durable when the promise resolves; when `work` throws, nothing of it is kept.
   * `work` awaits nothing but its session and may be run a second time, since works that are handed over in the same turn of
   * the event loop may share one transaction.
   */
  transaction<Result>(work: (session: SqlSession) => Promise<Result>): Promise<Result>;
  /** Returns a sentence for each fault in the structure of the database itself. */
  checkStructure(): Promise<string[]>;
  /** Returns room that is not used any more to the file system, where the database does not do so by itself. */
  shrink(): Promise<void>;
  close(): Promise<void>;
}
