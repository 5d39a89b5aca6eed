import type { DatabaseSync } from 'node:sqlite';
import { TouchstoneError } from '../../core/errors.ts';
import { createCertificateTable, createRefusalTable } from '../sql/certificates.ts';
import { countedReviewTables, createReviewTables } from '../sql/review-tables.ts';
import { countedFeedbackTables, createFeedbackTables } from '../sql/feedback-tables.ts';
import { countedProposalTables, createProposalTables } from '../sql/proposals/proposal-tables.ts';
import { type ColumnTypes, countedTables, createTables } from '../sql/tables.ts';
import { createAccountTables, createAuditCutTable } from '../sql/accounts/accounts.ts';
import { createSharedTable } from '../sql/shared.ts';
import { createTraceTables } from '../sql/traces/trace-tables.ts';

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

/** Returns triggers that count the rows of a table in `review_totals`. */
const countReviewRows = (table: string) => `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO review_totals (task, ${table}) VALUES (new.task, 1)
      ON CONFLICT (task) DO UPDATE SET ${table} = ${table} + 1;
  END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE review_totals SET ${table} = ${table} - 1 WHERE task = old.task;
  END;`;

/** Returns triggers that count the rows of a table in a table of totals, which has one row for each name. */
const countNamedRows = (totals: string) => (table: string) =>
  `
  CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
    INSERT INTO ${totals} (name, number) VALUES ('${table}', 1)
      ON CONFLICT (name) DO UPDATE SET number = number + 1;
  END;
  CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE ${totals} SET number = number - 1 WHERE name = '${table}';
  END;`;

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

/**
 * The migrations, oldest first. `PRAGMA user_version` is the number of the layout that a database has; each later migration
 * is run once, in order. A released migration must never be changed: add another one.
 */
export const migrations: readonly string[] = [
  [
    createTables(types),
    ...countedTables.map((table) =>
      countRows(table, table === 'scores' ? ', scores_removed = scores_removed + 1' : ''),
    ),
  ].join('\n'),
  [createReviewTables(types), ...countedReviewTables.map(countReviewRows)].join('\n'),
  [createFeedbackTables(types), ...countedFeedbackTables.map(countNamedRows('feedback_totals'))].join('\n'),
  [
    createProposalTables(types),
    ...countedProposalTables.map(countNamedRows('proposal_totals')),
    createTraceTables(types),
    createCertificateTable(types),
    countNamedRows('feedback_totals')('certificates'),
  ].join('\n'),
  createSharedTable(types),
  "ALTER TABLE questions ADD COLUMN part TEXT NOT NULL DEFAULT ''",
  'CREATE INDEX judgements_by_asking ON judgements (asked_in);',
  [createAccountTables(types), ...['UPDATE', 'DELETE'].map(refuseChanges)].join('\n'),
  [createAuditCutTable(types), refuseEarlyCuts].join('\n'),
  [createRefusalTable(types), countNamedRows('feedback_totals')('refused_calibrations')].join('\n'),
];

/**
 * Upgrades a database to the newest layout in one transaction, so that a process that dies midway leaves it unchanged.
 * Throws `store-version` for an unknown layout, `store-unreadable` for the database of another program.
 * @param steps - The migrations from each layout to the next; the first one creates the first layout.
 */
export function migrate(database: DatabaseSync, file: string, steps: readonly string[] = migrations): void {
  const newest = firstLayout + steps.length - 1;
  if (layoutOf(database) === newest) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const layout = layoutOf(database);
    refuseUnknown(layout, newest, file);
    if (layout === 0) checkEmpty(database, file);
    for (const step of steps.slice(layout === 0 ? 0 : layout - firstLayout + 1)) database.exec(step);
    database.exec(`PRAGMA user_version = ${newest}; COMMIT`);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Checks, without writing, that a database has the newest layout. Throws the errors of `migrate`. */
export function checkLayout(database: DatabaseSync, file: string): void {
  const newest = firstLayout + migrations.length - 1;
  const layout = layoutOf(database);
  refuseUnknown(layout, newest, file);
  if (layout === newest) return;
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
