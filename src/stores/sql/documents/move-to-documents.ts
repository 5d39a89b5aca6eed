import type { AnyKind } from '../../documents/kind.ts';
import type { SqlInput, SqlRow, SqlValue } from '../database.ts';
import { tableOf } from './document-tables.ts';
import { emptied, type KeptTable, keptTables, type Move, moves } from './old-tables.ts';

/** A statement of a migration; one without values may be several statements. */
export interface MigrationStatement {
  readonly sql: string;
  readonly values?: readonly SqlInput[];
}

/** The steps of a migration, which any database can make in its own transaction: each statement is answered with its rows. */
export type MigrationSteps = Generator<MigrationStatement, void, SqlRow[]>;

/** The database as a migration knows it. */
export interface DatabaseToMove {
  /** The names of its tables. */
  readonly tables: ReadonlySet<string>;
  /** Returns the statements that create the table of a kind, with its indexes and what counts its rows. */
  createKind(kind: AnyKind): string;
  /** Returns the statements that create the indexes of a kind and what counts its rows, on a table that is there. */
  completeKind(kind: AnyKind): string;
  /** Returns the statements that remove what counts the rows of a table. */
  dropCounting(table: string): string;
}

/**
 * Makes documents of the records of people and of production, which had tables of several forms up to layout 15 of SQLite and 8 of
 * PostgreSQL. The numbers of rows that were counted before stay, so that a loss is still noticed; a row that was damaged before stays
 * damaged.
 */
export function* moveToDocuments(database: DatabaseToMove): MigrationSteps {
  for (const kept of keptTables) yield* keepTable(database, kept);
  for (const move of moves) yield* moveRows(database, move);
  for (const table of emptied) if (database.tables.has(table)) yield { sql: `DROP TABLE ${table}` };
}

function* keepTable(database: DatabaseToMove, { kind, indexes = [], counted }: KeptTable): MigrationSteps {
  if (!database.tables.has(kind.table)) {
    yield { sql: database.createKind(kind) };
    return;
  }
  for (const index of indexes) yield { sql: `DROP INDEX ${index}` };
  if (counted !== undefined) yield { sql: database.dropCounting(kind.table) };
  const numbers = counted ?? `SELECT ${kind.part ?? "''"}, count(*) FROM ${kind.table} GROUP BY 1`;
  yield {
    sql: `INSERT INTO document_totals (kind, part, number)
      SELECT '${kind.name}', given.part, given.number FROM (SELECT '' AS part, 0 AS number WHERE false UNION ALL ${numbers}) AS given`,
  };
  yield { sql: database.completeKind(kind) };
}

/** The numbers of rows that are read, and written, at a time. */
const [batchSize, rowsAtOnce] = [500, 100];

/** Creates the table of a kind, and moves the rows of an old table into it. */
function* moveRows(database: DatabaseToMove, move: Move): MigrationSteps {
  const { kind, from, indexes = [], counted = [] } = move;
  const isThere = database.tables.has(from);
  if (isThere) {
    if (counted.some(([table]) => table === from)) yield { sql: database.dropCounting(from) };
    yield { sql: `ALTER TABLE ${from} RENAME TO old_${from}` };
    for (const index of indexes) yield { sql: `DROP INDEX ${index}` };
  }
  yield { sql: database.createKind(kind) };
  if (!isThere) return;
  yield* copyRows(move);
  for (const [table, totals] of counted)
    yield* keepLoss(kind, { table, rows: table === from ? `old_${from}` : table, totals });
  for (const [table] of counted) if (table !== from) yield { sql: database.dropCounting(table) };
  yield { sql: `DROP TABLE old_${from}` };
}

/** Copies the rows of an old table that was renamed, some at a time. */
function* copyRows({ kind, from, key, columns, joined = '', events = [], rowOf }: Move): MigrationSteps {
  const keyed = key.map((name) => `old.${name}`).join(', ');
  const after = `WHERE (${keyed}) > (${key.map(() => '?').join(', ')})`;
  const select = (where: string) =>
    `SELECT ${columns.join(', ')} FROM old_${from} AS old ${joined} ${where} ORDER BY ${keyed} LIMIT ${batchSize}`;
  for (let last: readonly SqlValue[] | undefined; ; ) {
    const rows: SqlRow[] = yield { sql: select(last === undefined ? '' : after), values: last ?? [] };
    const moved: (readonly SqlInput[])[] = [];
    for (const row of rows) {
      const found: SqlRow[][] = [];
      for (const { table, time } of events)
        found.push(
          yield {
            sql: `SELECT ${table.selected} FROM ${table.name} WHERE proposal = ? ORDER BY ${time}, id`,
            values: row.slice(0, 1),
          },
        );
      moved.push(rowOf(row, found));
    }
    for (let start = 0; start < moved.length; start += rowsAtOnce) {
      const some = moved.slice(start, start + rowsAtOnce);
      yield { sql: tableOf(kind).insertSeveral(some.length), values: some.flat() };
    }
    if (rows.length < batchSize) return;
    last = (rows.at(-1) as SqlRow).slice(0, key.length);
  }
}

/** Counts rows that were lost before as documents that are missing. */
function* keepLoss(
  { name }: AnyKind,
  { table, rows, totals }: { readonly table: string; readonly rows: string; readonly totals: string },
): MigrationSteps {
  const [[written, found] = []] = yield {
    sql: `SELECT coalesce((SELECT number FROM ${totals} WHERE name = '${table}'), 0), (SELECT count(*) FROM ${rows})`,
    values: [],
  };
  if (Number(written) <= Number(found)) return;
  const lost = Number(written) - Number(found);
  yield {
    sql: `INSERT INTO document_totals AS total (kind, part, number) VALUES ('${name}', '', ${lost})
      ON CONFLICT (kind, part) DO UPDATE SET number = total.number + excluded.number`,
  };
}
