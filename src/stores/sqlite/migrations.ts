import type { DatabaseSync } from 'node:sqlite';
import { TouchstoneError } from '../../core/errors.ts';
import type { SqlInput, SqlRow } from '../sql/database.ts';
import {
  createDocumentTotals,
  createKindIndexes,
  createKindTable,
} from '../sql/documents/document-tables.ts';
import {
  type DatabaseToMove,
  type MigrationSteps,
  moveToDocuments,
} from '../sql/documents/move-to-documents.ts';
import type { AnyKind } from '../documents/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { toStored } from './sqlite-database.ts';
import {
  type ColumnTypes,
  countedTables,
  createAnswerIndexes,
  createContentIndex,
  createTables,
} from '../sql/tables.ts';
import { createAccountTables, createAuditCutTable } from '../sql/accounts/accounts.ts';
import { createBlobUses } from '../sql/blobs.ts';
import { createStoredCountsTable, sourcesOfCounts } from '../sql/lists/stored-counts.ts';
import { createTraitTables, wantLaterTraits } from '../sql/lists/traits.ts';
import { createSharedTable } from '../sql/shared.ts';

/**
 * The number of the layout that the first migration creates. Layouts up to 4, of 0.1.0 and earlier, stored pages and columns;
 * layout 5 was never released.
 */
export const firstLayout = 6;

/** The layout of 0.1.0, whose remedy names that version. */
const lastOfPages = 4;

const types: ColumnTypes = {
  integer: 'INTEGER',
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  real: 'REAL',
  text: 'TEXT',
  record: 'ANY',
  options: 'STRICT',
  textIndex: (name, table, columns) => `CREATE INDEX ${name} ON ${table} (${columns.join(', ')});`,
  columnsIndex: ({ name, table, key, others }) =>
    `CREATE INDEX ${name} ON ${table} (${[...key, ...others].join(', ')});`,
};

/** Returns triggers that count the rows of a table in `totals`. */
const countRows = (table: string, onRemoved = '') => `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    UPDATE totals SET ${table} = ${table} + 1 WHERE run = new.run;
  END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE totals SET ${table} = ${table} - 1${onRemoved} WHERE run = old.run;
  END;`;

/** The triggers that end the counts of runs of which a row is changed. */
const endCounts = sourcesOfCounts
  .map(
    ({ table, readers }) => `
  CREATE TRIGGER ${table}_changed AFTER UPDATE ON ${table} BEGIN
    UPDATE totals SET rows_changed = rows_changed + 1 WHERE run = new.run;
    DELETE FROM stored_counts WHERE run IN (SELECT number FROM runs WHERE ${readers} = new.run);
  END;`,
  )
  .join('');

/** Returns triggers that count the documents of a kind in `document_totals`. */
function countDocuments({ name, table, part }: AnyKind): string {
  const of = (row: 'new' | 'old') => (part === undefined ? "''" : `${row}.${part}`);
  return `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO document_totals (kind, part, number) VALUES ('${name}', ${of('new')}, 1)
      ON CONFLICT (kind, part) DO UPDATE SET number = number + 1;
  END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE document_totals SET number = number - 1, removed = removed + 1 WHERE kind = '${name}' AND part = ${of('old')};
  END;`;
}

/** Returns the statements that create the table of a kind, with its indexes and triggers. */
const createKind = (kind: AnyKind) => createKindTable(kind, types) + countDocuments(kind);

/** Returns the trigger that refuses to change or remove entries of the audit log. */
const refuseChanges = (change: string) => `
  CREATE TRIGGER audit_refuses_${change.toLowerCase()} BEFORE ${change} ON audit BEGIN
    SELECT RAISE(ABORT, 'entries of the audit log are never changed');
  END;`;

/** The trigger that lets entries of the audit log go only as far as the log was cut. */
const refuseEarlyCuts = `
  DROP TRIGGER audit_refuses_delete;
  CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit
  WHEN old.number > coalesce((SELECT max(number) FROM audit_cut), 0) BEGIN
    SELECT RAISE(ABORT, 'entries of the audit log are never changed');
  END;`;

/** A step from one layout to the next. */
type Migration = string | ((database: DatabaseSync) => void);

/** Makes a migration whose statements depend on what is in the database. */
function moving(steps: (database: DatabaseToMove) => MigrationSteps): Migration {
  return (database) => {
    const made = steps({
      tables: tablesIn(database),
      createKind,
      completeKind: (kind) => createKindIndexes(kind, types) + countDocuments(kind),
      dropCounting: (table) =>
        `DROP TRIGGER IF EXISTS ${table}_added; DROP TRIGGER IF EXISTS ${table}_removed`,
    });
    for (let next = made.next(); next.done !== true; ) {
      const { sql, values } = next.value;
      if (values === undefined) database.exec(sql);
      next = made.next(values === undefined ? [] : rowsOf(database, sql, values));
    }
  };
}

function rowsOf(database: DatabaseSync, sql: string, values: readonly SqlInput[]): SqlRow[] {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement.all(...values.map(toStored)) as unknown as SqlRow[];
}

function tablesIn(database: DatabaseSync): Set<string> {
  const rows = rowsOf(database, "SELECT name FROM sqlite_schema WHERE type = 'table'", []);
  return new Set(rows.map(([name]) => name as string));
}

/**
 * The migrations, oldest first. `PRAGMA user_version` is the number of the layout that a database has; each later migration
 * is run once, in order. A released migration must never be changed: add another one. A kind of document needs none: its table is
 * created where it is missing. So migrations that created tables of documents alone do nothing any more.
 */
export const migrations: readonly Migration[] = [
  [
    createTables(types),
    ...countedTables.map((table) =>
      countRows(table, table === 'scores' ? ', scores_removed = scores_removed + 1' : ''),
    ),
  ].join('\n'),
  '',
  createAnswerIndexes(types),
  '',
  createSharedTable(types),
  "ALTER TABLE questions ADD COLUMN part TEXT NOT NULL DEFAULT ''",
  'CREATE INDEX judgements_by_asking ON judgements (asked_in);',
  [createAccountTables(types), ...['UPDATE', 'DELETE'].map(refuseChanges)].join('\n'),
  [createAuditCutTable(types), refuseEarlyCuts].join('\n'),
  '',
  createDocumentTotals(types),
  moving(moveToDocuments),
  createBlobUses(types),
  createContentIndex,
  `${createTraitTables(types, 'STRICT, WITHOUT ROWID')}
  CREATE TRIGGER scores_of_traits AFTER DELETE ON scores BEGIN
    DELETE FROM trial_traits WHERE run = old.run AND ordinal = old.ordinal;
  END;`,
  createStoredCountsTable(types) + endCounts,
  '',
  wantLaterTraits,
];

/**
 * Upgrades a database to the newest layout in one transaction, so that a process that dies midway leaves it unchanged.
 * Throws `store-version` for an unknown layout, `store-unreadable` for the database of another program.
 * @param steps - The migrations from each layout to the next; the first one creates the first layout.
 */
export function migrate(
  database: DatabaseSync,
  file: string,
  steps: readonly Migration[] = migrations,
): void {
  const newest = firstLayout + steps.length - 1;
  if (layoutOf(database) === newest && missingKinds(database).length === 0) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const layout = layoutOf(database);
    refuseUnknown(layout, newest, file);
    if (layout === 0) checkEmpty(database, file);
    for (const step of steps.slice(layout === 0 ? 0 : layout - firstLayout + 1)) {
      if (typeof step === 'string') database.exec(step);
      else step(database);
    }
    if (steps === migrations) for (const kind of missingKinds(database)) database.exec(createKind(kind));
    database.exec(`PRAGMA user_version = ${newest}; COMMIT`);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Returns the kinds of documents that have no table yet. */
function missingKinds(database: DatabaseSync): AnyKind[] {
  const tables = tablesIn(database);
  return kinds.filter(({ table }) => !tables.has(table));
}

/** Checks, without writing, that a database has the newest layout. Throws the errors of `migrate`. */
export function checkLayout(database: DatabaseSync, file: string): void {
  const newest = firstLayout + migrations.length - 1;
  const layout = layoutOf(database);
  refuseUnknown(layout, newest, file);
  if (layout === newest && missingKinds(database).length === 0) return;
  if (layout === 0) checkEmpty(database, file);
  throw new TouchstoneError(
    'store-version',
    `The store ${file} must be upgraded from layout ${layout} to ${newest}, but it cannot be written to.`,
    {
      remedy:
        'Make it writable, or copy its folder to a place where you may write, and open the copy with `--store`.',
    },
  );
}

function refuseUnknown(layout: number, newest: number, file: string): void {
  const written = (by: string) => `The store ${file} was written by ${by}`;
  if (layout > newest) {
    throw new TouchstoneError(
      'store-version',
      `${written('a newer Touchstone')} (layout ${layout}; this one knows ${newest}).`,
    );
  }
  if (layout > 0 && layout < firstLayout) {
    const isOfPages = layout <= lastOfPages;
    const writer = isOfPages ? 'Touchstone 0.1.0 or earlier' : 'an unreleased Touchstone';
    throw new TouchstoneError(
      'store-version',
      `${written(writer)} (layout ${layout}; this one reads ${firstLayout} and newer).`,
      {
        remedy:
          `Export its runs with ${isOfPages ? 'Touchstone 0.1.0' : 'the version that wrote it'} (\`touchstone export RUN\`) ` +
          'and import them here, or point `--store` at another folder.',
      },
    );
  }
}

function checkEmpty(database: DatabaseSync, file: string): void {
  if (database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) return;
  throw new TouchstoneError('store-unreadable', `${file} is a database of another program.`, {
    remedy: 'Point `--store` at another folder.',
  });
}

function layoutOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
