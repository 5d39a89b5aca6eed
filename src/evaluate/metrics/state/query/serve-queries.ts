import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A table of rows, each a list of values in the order of the columns. */
export interface TableData {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SQLInputValue[])[];
}

/** A database to query: tables, or a SQLite file on disk. */
export type DatabaseData = { readonly tables: readonly TableData[] } | { readonly file: string };

/** A query of one database. */
export interface Query {
  readonly database: DatabaseData;
  readonly sql: string;
  /** The number of rows that are read at most. */
  readonly maxRows: number;
}

/** A value in a row: a whole number beyond the exact doubles is a bigint, bytes are base64. */
export type Cell = null | number | bigint | string;

/** The result of a query. */
export type QueryReply =
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
      readonly isCut: boolean;
    }
  | { readonly fault: 'database' | 'query'; readonly message: string };

/**
 * Answers queries that arrive as messages of the parent process, one after the other. It runs in a process of its own,
 * because only ending the process stops a query. That process receives the source of this function as text, so the
 * function must not use anything from outside itself.
 */
export function serveQueries(): void {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  // The codes of the actions that only read: SELECT, READ, FUNCTION, RECURSIVE.
  const allowed = new Set([20, 21, 31, 33]);

  const open = (data: DatabaseData): DatabaseSync => {
    if ('file' in data) return new Database(data.file, { readOnly: true });
    const database = new Database(':memory:');
    const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
    database.exec('BEGIN');
    for (const { name, columns, rows } of data.tables) {
      const marks = columns.map(() => '?').join(', ');
      database.exec(`CREATE TABLE ${quote(name)} (${columns.map(quote).join(', ')})`);
      const insert = database.prepare(`INSERT INTO ${quote(name)} VALUES (${marks})`);
      for (const row of rows) insert.run(...row);
    }
    database.exec('COMMIT');
    return database;
  };

  const toCell = (value: unknown): Cell => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : (value as null | string);
  };

  const select = (database: DatabaseSync, { sql, maxRows }: Query): QueryReply => {
    database.setAuthorizer((action) => (allowed.has(action) ? 0 : 1));
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const rows: Cell[][] = [];
    for (const row of statement.iterate() as Iterable<unknown>) {
      if (rows.length === maxRows)
        return { columns: statement.columns().map(({ name }) => name), rows, isCut: true };
      rows.push((row as unknown[]).map(toCell));
    }
    return { columns: statement.columns().map(({ name }) => name), rows, isCut: false };
  };

  const answer = (query: Query): QueryReply => {
    let fault: 'database' | 'query' = 'database';
    let database: DatabaseSync | undefined;
    try {
      database = open(query.database);
      database.exec(
        'PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; SELECT count(*) FROM sqlite_schema',
      );
      fault = 'query';
      return select(database, query);
    } catch (error) {
      return { fault, message: (error as Error).message };
    } finally {
      database?.close();
    }
  };

  process.on('message', (query) => process.send?.(answer(query as Query)));
  process.on('disconnect', () => process.exit());
}
