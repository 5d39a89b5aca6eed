import { messageOf } from '../../core/errors.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Damage } from '../store.ts';
import type { SqlDatabase, SqlRow, SqlValue } from './database.ts';
import { readByKey } from './read-rows.ts';
import { caseTable, judgementTable, runTable, scoreTable, trialTable } from './records.ts';
import { kinds } from '../kinds/kinds.ts';
import { type AnyKind, keyColumns } from '../documents/kind.ts';
import { tableOf } from './documents/document-tables.ts';
import { readRow, type RecordTable } from './rows.ts';
import { countedTables } from './tables.ts';

/** The number of rows that are read at a time. */
const size = 200;

/** Queries for rows that refer to missing rows: each returns run numbers and counts, and `what` describes the rows. */
const lost: readonly { readonly what: string; readonly sql: string }[] = [
  {
    what: 'scores without their attempt',
    sql: `SELECT scores.run, count(*) FROM scores LEFT JOIN runs ON runs.number = scores.run
      LEFT JOIN trials ON trials.run = runs.trials_of AND trials.ordinal = scores.ordinal
      WHERE trials.run IS NULL GROUP BY scores.run`,
  },
  {
    what: 'attempts without their question',
    sql: `SELECT trials.run, count(*) FROM trials
      LEFT JOIN cases ON cases.run = trials.run AND cases.position = trials.position
      WHERE cases.run IS NULL GROUP BY trials.run`,
  },
  {
    what: 'questions without a run',
    sql: `SELECT cases.run, count(*) FROM cases LEFT JOIN runs ON runs.trials_of = cases.run
      WHERE runs.number IS NULL GROUP BY cases.run`,
  },
  {
    what: 'judgements that the run uses and that are missing',
    sql: `SELECT judgement_uses.run, count(*) FROM judgement_uses LEFT JOIN judgements ON id = judgement
      WHERE id IS NULL GROUP BY judgement_uses.run`,
  },
];

/** Checks a database and yields every fault: in its structure, in each record, in references and in the row counts. */
export async function* checkStore(database: SqlDatabase): AsyncGenerator<Damage> {
  const names = await readNames(database).catch(() => new Map<SqlValue, string>());
  const at = (number: SqlValue | undefined, what: string): Damage => {
    const runId = names.get(number ?? null);
    return { runId, what };
  };
  yield* said(async function* () {
    for (const what of await database.checkStructure()) yield { what };
  });
  for (const table of [runTable, caseTable, trialTable, scoreTable]) {
    yield* said(() => checkRows(database, table, at));
  }
  yield* said(() => checkRows(database, judgementTable, (_id, what) => ({ what })));
  for (const kind of kinds) yield* said(() => checkDocuments(database, kind));
  yield* said(() => checkDocumentTotals(database));
  yield* said(() => checkOwners(database));
  for (const { what, sql } of lost) {
    yield* said(async function* () {
      for (const [number, count] of await database.all(sql)) yield at(number, `${what}: ${String(count)}`);
    });
  }
  yield* said(() => checkTotals(database, at));
}

/** Yields the faults that a check finds. An error that it throws becomes one more fault, so that the next checks still run. */
async function* said(check: () => AsyncIterable<Damage>): AsyncGenerator<Damage> {
  try {
    yield* check();
  } catch (error) {
    yield { what: messageOf(error).replace(/\.$/, '') };
  }
}

type Locate = (number: SqlValue | undefined, what: string) => Damage;

async function* checkRows(
  database: SqlDatabase,
  table: RecordTable<string>,
  at: Locate,
): AsyncGenerator<Damage> {
  for await (const rows of readByKey(database, table, size))
    for (const row of rows) yield* checkRow(database, table, { row, at });
}

function* checkRow(
  { address }: SqlDatabase,
  table: RecordTable<string>,
  { row, at }: { readonly row: SqlRow; readonly at: Locate },
): Generator<Damage> {
  try {
    parseJson(readRow(table, row, { address }).text);
  } catch {
    const parts = table.columns.slice(1).flatMap((column, index) => {
      const value = row[index + 1];
      return shown.has(column) && value !== null ? [`${column} ${String(value)}`] : [];
    });
    const what = `a row of the table ${table.name} has changed since it was written`;
    yield at(row[0], parts.length === 0 ? what : `${what}: ${parts.join(', ')}`);
  }
}

/** The columns that help a person find a row. */
const shown: ReadonlySet<string> = new Set(['id', 'place', 'ordinal', 'target', 'attempt', 'asked_in']);

async function* checkTotals(database: SqlDatabase, at: Locate): AsyncGenerator<Damage> {
  const counts = countedTables.flatMap((table) => [
    table,
    `(SELECT count(*) FROM ${table} WHERE ${table}.run = totals.run)`,
  ]);
  for (const [number, ...values] of await database.all(`SELECT run, ${counts.join(', ')} FROM totals`)) {
    for (const [index, table] of countedTables.entries()) {
      const [known, found] = values.slice(2 * index);
      if (known !== found)
        yield at(number, `the table ${table} has ${String(found)} of ${String(known)} rows`);
    }
  }
  const orphans = 'SELECT number FROM runs LEFT JOIN totals ON run = trials_of WHERE run IS NULL';
  for (const [number] of await database.all(orphans)) yield at(number, 'its totals are missing');
}

/** Yields the documents of a kind that have changed since they were written. */
async function* checkDocuments(database: SqlDatabase, kind: AnyKind): AsyncGenerator<Damage> {
  const table = tableOf(kind);
  const key = keyColumns(kind);
  for await (const rows of readByKey(database, table, size))
    for (const row of rows) {
      try {
        parseJson(readRow(table, row, database).text);
      } catch {
        const names = key.map((name, index) => `${name} ${String(row[index])}`).join(', ');
        yield { what: `a row of the table ${kind.table} has changed since it was written: ${names}` };
      }
    }
}

/** Yields the kinds of which there are fewer or more documents than were counted. */
async function* checkDocumentTotals(database: SqlDatabase): AsyncGenerator<Damage> {
  for (const { name, table, part } of kinds) {
    const of = part ?? `''`;
    const sql = `SELECT coalesce(total.part, found.part), coalesce(total.number, 0), coalesce(found.number, 0)
      FROM (SELECT part, number FROM document_totals WHERE kind = ?) AS total
      FULL JOIN (SELECT ${of} AS part, count(*) AS number FROM ${table} GROUP BY 1) AS found ON found.part = total.part
      WHERE coalesce(total.number, 0) <> coalesce(found.number, 0) ORDER BY 1`;
    for (const [where, known, found] of await database.all(sql, [name])) {
      const place = where === '' ? '' : ` (${part} ${String(where)})`;
      yield { what: `the table ${table}${place} has ${String(found)} of ${String(known)} rows` };
    }
  }
}

/** Documents that belong to another one, which must be there. */
const belonging = [
  { table: 'review_items', column: 'task', owner: 'review_tasks', what: 'the review task', members: 'items' },
  { table: 'spans', column: 'trace', owner: 'traces', what: 'the trace', members: 'spans' },
] as const;

/** Yields the documents whose owner is missing. */
async function* checkOwners(database: SqlDatabase): AsyncGenerator<Damage> {
  for (const { table, column, owner, what, members } of belonging) {
    const sql = `SELECT ${table}.${column}, count(*) FROM ${table} LEFT JOIN ${owner} ON ${owner}.id = ${table}.${column}
      WHERE ${owner}.id IS NULL GROUP BY 1`;
    for (const [id, count] of await database.all(sql))
      yield { what: `${what} ${String(id)} is missing, and its ${String(count)} ${members} are there` };
  }
}

/** Returns the ids of runs by the run numbers in the other tables. A shared number belongs to the run that owns it. */
async function readNames(database: SqlDatabase): Promise<Map<SqlValue, string>> {
  const rows = await database.all('SELECT number, trials_of, id FROM runs ORDER BY number DESC');
  const names = new Map<SqlValue, string>();
  for (const [, trialsOf, id] of rows) names.set(trialsOf ?? null, id as string);
  for (const [number, , id] of rows) names.set(number ?? null, id as string);
  return names;
}
