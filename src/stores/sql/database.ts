/** A value as a database stores it. */
export type SqlValue = null | number | string | Uint8Array;

/** A row: its values in the order of the selected columns. */
export type SqlRow = readonly SqlValue[];

/** A connection that runs statements. Parameters are written `?`, which a driver may number. */
export interface SqlSession {
  /** Returns the rows that a statement selects or, with `RETURNING`, changes. */
  all(sql: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
  /** Runs a statement and returns the number of rows it changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
}

/** A database with the tables of `tables.ts`. Its faults are thrown as `TouchstoneError`. */
export interface SqlDatabase {
  /** The location of the database for messages, such as its file. */
  readonly address: string;
  /** Reads committed rows, all as they were at one moment. */
  all(sql: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
  /**
   * Runs `work` in a transaction, which is durable when the promise resolves and rolled back when `work` throws. Calls in
   * the same turn of the event loop may share one transaction; therefore `work` must await nothing but its session, and it
   * may be run a second time.
   */
  transaction<Result>(work: (session: SqlSession) => Promise<Result>): Promise<Result>;
  /** Returns a text that changes with every commit, of this connection or another. */
  readVersion(): Promise<string>;
  /** Returns a sentence for each fault in the structure of the database itself. */
  checkStructure(): Promise<string[]>;
  /** Returns unused space to the file system, where the database does not do so by itself. */
  shrink(): Promise<void>;
  close(): Promise<void>;
}
