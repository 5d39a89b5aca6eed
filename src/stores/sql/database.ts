/** A value as a database stores it. */
export type SqlValue = null | number | string | Uint8Array;

/**
 * The JSON of a record to be stored, which a database may compress. It is read as this text, or as its bytes compressed with
 * Zstandard.
 */
export class RecordText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** A value of a parameter. */
export type SqlInput = SqlValue | RecordText;

/** A row: its values in the order of the selected columns. */
export type SqlRow = readonly SqlValue[];

/** A statement with the values of its parameters. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly (string | null)[];
}

/** A connection that runs statements. Parameters are written `?`, which a driver may number. */
export interface SqlSession {
  /** Returns the rows that a statement selects or, with `RETURNING`, changes. */
  all(sql: string, values?: readonly SqlInput[]): Promise<SqlRow[]>;
  /** The largest number of rows that are written by one statement: 1 where several statements take no longer. */
  readonly rowsAtOnce: number;
  /** Runs a statement and returns the number of rows it changed. */
  run(sql: string, values?: readonly SqlInput[]): Promise<number>;
  /**
   * Runs a statement whose outcome the work need not wait for: the transaction is only committed once it has succeeded.
   * @param check - Throws for rows with which the transaction must not be committed.
   */
  send(sql: string, values?: readonly SqlInput[], check?: (rows: readonly SqlRow[]) => void): void;
}

/** Work in a transaction. */
export type SqlWork<Result> = (session: SqlSession) => Promise<Result>;

/** The parts of statements in which databases differ. Texts of columns are ordered by their code points in all of them. */
export interface SqlDialect {
  /** The operator that compares a text with a pattern, whatever the case of ASCII letters. */
  readonly like: string;
  /** Returns a table of a `FROM` clause that is read by the index of its columns, not by its records. */
  columnsOf(table: 'trials' | 'scores' | 'cases'): string;
  /** Returns an expression whose texts are ordered as columns are. */
  ordered(text: string): string;
  /** Returns a JSON list of values, as a text. */
  jsonList(values: string): string;
  /** Returns a number as a text, from which exactly this number is read; null of null. */
  exactText(number: string): string;
  /** Returns the texts of all rows as one, with a mark between them, in the order of the column by whose index the table is read. */
  joinedTexts(text: string, mark: string, by: string): string;
  /** Returns a selection of the numbers in a JSON list. */
  numbersIn(list: string): string;
  /** Returns a table with one column, `item`: the texts in a JSON list. */
  textsIn(list: string): string;
  /** Returns the value of a member of a JSON object, named by one parameter. */
  memberOf(object: string, name: string): string;
  /** Returns the condition that a member of a JSON object, named by one parameter, is null. */
  isNullIn(object: string): string;
  /** Returns the JSON of a record that is not compressed, as a text. */
  textOf(record: string): string;
  /** Returns the condition that the JSON of a record is compressed, so that SQL cannot search it. */
  isCompressed(record: string): string;
  /** The milliseconds since 1970 on the clock of the database. */
  readonly clock: string;
  /** The number of places of a plan whose trials one statement counts: few where a statement keeps this process from other work. */
  readonly countedAtOnce: number;
  /** The join of two tables of which the first is read first. */
  readonly joinInOrder: string;
  /** The join of trials with their scores in a run, whose number is its parameter. */
  readonly joinScores: string;
  /** The end of a `SELECT` whose rows no other transaction can remove before the end of the transaction. */
  readonly keepRows: string;
  /** The end of a `SELECT` whose rows no other transaction can select in this way before the end of the transaction. */
  readonly lockRows: string;
}

/** A database with the tables of `tables.ts`. Its faults are thrown as `TouchstoneError`. */
export interface SqlDatabase {
  /** The location of the database for messages, such as its file. */
  readonly address: string;
  readonly dialect: SqlDialect;
  /** Reads committed rows, all as they were at one moment. */
  all(sql: string, values?: readonly SqlInput[]): Promise<SqlRow[]>;
  /**
   * Runs `work` in a transaction, which is durable when the promise resolves and rolled back when `work` throws. Calls in
   * the same turn of the event loop may share one transaction; therefore `work` must await nothing but its session, and it
   * may be run a second time. Transactions that have a part of the store in common run one after the other, across processes:
   * what they have read of it still holds when they write.
   */
  transaction<Result>(work: SqlWork<Result>, parts?: readonly string[]): Promise<Result>;
  /**
   * Reads, and writes what is decided by the rows, if anything is. All that do so with the same key have their turn one after the other,
   * in other processes, too. `decide` may be called again when the connection was lost. Returns the rows of the write. Absent
   * where a queue saves nothing.
   */
  inTurn?(
    key: string,
    read: SqlStatement,
    decide: (rows: readonly SqlRow[]) => SqlStatement | undefined,
  ): Promise<SqlRow[]>;
  /** Returns a text that changes with every commit, of this connection or another. */
  readVersion(): Promise<string>;
  /** Returns a sentence for each fault in the structure of the database itself. */
  checkStructure(): Promise<string[]>;
  /** Returns unused space to the file system, where the database does not do so by itself. */
  shrink(): Promise<void>;
  /**
   * Removes what was overwritten or removed from the free space of the database, as far as it can. Throws `store-unreadable` when
   * others keep it busy. Returns a sentence on what stays there, and what removes it; undefined where nothing stays.
   */
  purge(): Promise<string | undefined>;
  close(): Promise<void>;
}
