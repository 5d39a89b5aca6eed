import type { DatabaseSync } from 'node:sqlite';
import { ToolExecutionError } from '../tool-execution-error.ts';

/** A value of a database cell. */
export type Cell = string | number | null;

/** One row of a query result. */
export type Row = Record<string, Cell>;

/** Arguments of the `query_database` tool: one SELECT statement and the values of its `?` marks. */
export interface DatabaseQuery {
  sql: string;
  parameters: Cell[];
}

/** Runs one read-only SQL statement; throws a ToolExecutionError for anything else and for faulty SQL. */
export function queryDatabase(database: DatabaseSync, query: DatabaseQuery): Row[] {
  if (!/^\s*(select|with)\b/i.test(query.sql)) {
    throw new ToolExecutionError('querying the database', 'Only SELECT statements are allowed');
  }
  try {
    const rows = database.prepare(query.sql).all(...query.parameters);
    return rows.map((row) => ({ ...row }) as Row);
  } catch (error) {
    throw new ToolExecutionError('querying the database', (error as Error).message);
  }
}
