import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { ExactNumber, exactNumberOf, isWholeNumber } from '../../../core/lib/json/exact-number.ts';
import { makeWorkFolder } from '../../../core/lib/files/work-folder.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import { type Json, amount, nonEmpty } from '../../../core/schema/json.ts';
import { expectedValueSchema } from '../../../core/schema/matcher.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { recordPathSchema, stateMissing } from '../criteria/record-view.ts';
import { isRecord, failIfUnusable } from '../matching/expectation.ts';
import { defineMetric, expectationsAt, type MetricInput } from '../metric.ts';
import { joinClauses, nothingAt, readExpected } from './expected-state.ts';
import { compareRows } from './query/compare-rows.ts';
import { createQueryProcess } from './query/query-process.ts';
import type { Cell, DatabaseData, QueryReply, TableData } from './query/serve-queries.ts';

const shown = 20;

/** The process is shared by all metrics, because starting one takes memory and time. */
const queries = createQueryProcess();

/** A single query that only reads. The database itself refuses any other statement. */
const sqlSchema = z
  .string()
  .trim()
  .min(1)
  .regex(
    /^(?:--[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*(?:select|with|values)\b/i,
    'a query begins with SELECT, WITH or VALUES',
  );

const options = () =>
  z.strictObject({
    sql: sqlSchema
      .optional()
      .describe(
        'The query, in the SQL of SQLite. It applies to every question; for one per question see `from`.',
      ),
    from: recordPathSchema
      .default('expected.state.query')
      .describe('Path in the question to its query, used when `sql` is absent.'),
    rows: expectedValueSchema
      .optional()
      .describe(
        'The expected rows: objects by column, lists in the order of the columns, or the values of a single column; one value for a single row. They may contain matchers. They apply to every question; for rows per question see `rowsFrom`.',
      ),
    rowsFrom: recordPathSchema
      .default('expected.state.rows')
      .describe('Path in the question to its expected rows, used when `rows` is absent.'),
    ordered: z.boolean().default(false).describe('True when the rows must have the expected order.'),
    tolerance: amount().default(0).describe('Largest allowed distance from each expected number.'),
    at: nonEmpty()
      .optional()
      .describe(
        'Path in the final state to the database: tables as lists of objects, `{ bookings: [{ … }] }`, or a SQLite file in base64. When absent: the state itself, its `tables` or its `database`.',
      ),
    columns: z
      .record(nonEmpty(), z.array(nonEmpty()))
      .default({})
      .describe('Columns of tables that may be missing or without rows: `{ bookings: [id, time] }`.'),
    maxRows: z
      .int()
      .min(1)
      .max(10_000)
      .default(500)
      .describe('Most rows that are read; a query with more rows scores 0.'),
    timeLimitMs: z
      .number()
      .positive()
      .max(600_000)
      .default(10_000)
      .describe('Time limit of the query in milliseconds.'),
  });
type Options = z.output<ReturnType<typeof options>>;

/**
 * Checks that a SQL query of the final state returns the expected rows: 1, else 0. The state is a SQLite database, or
 * tables that are loaded into one. Not applicable when the case has no query or no expected rows; not measured when
 * there is no such state or the query fails.
 */
export const stateQuery = defineMetric({
  name: 'state-query',
  version: 2,
  reads: ({ sql, from, rows, rowsFrom }) => [
    ...(sql === undefined ? expectationsAt(from) : []),
    ...(rows === undefined ? expectationsAt(rowsFrom) : []),
  ],
  summary:
    'A SQL query of the final state, as tables or a SQLite database, returns the expected rows: 1, else 0.',
  words: 'SQL on the final state, database, rows, outcome, side effects, task success',
  options,
  create: (checked) => {
    return {
      // One query is prepared while another runs.
      concurrency: 2,
      close: async () => queries.close(),
      score: async (input): Promise<Verdict> => {
        const prepared = prepare(input, checked);
        if ('status' in prepared) return prepared;
        const { database: found, sql, wanted } = prepared;
        const { maxRows, timeLimitMs } = checked;
        const reply = await withDatabase(found, async (database) =>
          queries.ask({ database, sql, maxRows }, timeLimitMs),
        );
        return failIfUnusable(() => toVerdict(reply, wanted, checked));
      },
    };
  },
});

interface Prepared {
  readonly sql: string;
  readonly wanted: Json;
  readonly database: Exclude<FoundDatabase, { problem: string }>;
}

/**
 * Returns the query, its database and the expected rows, or the verdict when there is nothing to query or it cannot be
 * queried.
 */
function prepare(input: MetricInput, { sql, from, rows, rowsFrom, ...place }: Options): Prepared | Verdict {
  const query = readExpected({ expected: sql, from }, input);
  if (query === undefined) return nothingAt(from);
  const wanted = readExpected({ expected: rows, from: rowsFrom }, input);
  if (wanted === undefined) return nothingAt(rowsFrom);
  const { state } = input.trial;
  if (state === undefined) return stateMissing;
  const readable = sqlSchema.safeParse(query);
  if (!readable.success) return failed('query-failed', `${from}: ${readable.error.issues[0]?.message}`);
  const database = readDatabase(state, place);
  return 'problem' in database
    ? failed('state-invalid', database.problem)
    : { sql: readable.data, wanted, database };
}

function toVerdict(reply: QueryReply | undefined, wanted: Json, options: Options): Verdict {
  if (reply === undefined)
    return failed('query-timeout', `the query took more than ${options.timeLimitMs} ms`);
  if ('fault' in reply) {
    return failed(reply.fault === 'database' ? 'state-invalid' : 'query-failed', reply.message);
  }
  const { isCut, columns } = reply;
  const rows = reply.rows.map((row) => row.map(toJson));
  const compare = (given: readonly (readonly Json[])[]) =>
    compareRows({ columns, rows: given }, wanted, options);
  const wrong = isCut
    ? [`the query returns more than ${rows.length} rows`]
    : compareLong(reply.rows, compare);
  const evidence = { rows: rows.slice(0, shown), count: rows.length };
  if (wrong.length === 0) return { status: 'scored', value: 1, passed: true, evidence };
  return { status: 'scored', value: 0, passed: false, explanation: joinClauses(wrong), evidence };
}

/** Compares rows whose long whole numbers may be expected as numbers or, as JSON often has them, as texts. */
function compareLong(
  rows: readonly (readonly Cell[])[],
  compare: (rows: readonly (readonly Json[])[]) => string[],
): string[] {
  const wrong = compare(rows.map((row) => row.map(toJson)));
  const isLong = rows.some((row) => row.some((cell) => typeof cell === 'bigint'));
  if (wrong.length === 0 || !isLong) return wrong;
  const asTexts = rows.map((row) => row.map((cell) => (typeof cell === 'bigint' ? String(cell) : cell)));
  return compare(asTexts).length === 0 ? [] : wrong;
}

function toJson(cell: Cell): Json {
  return typeof cell === 'bigint' ? exactNumberOf(cell) : cell;
}

function failed(code: string, reason: string): Verdict {
  return { status: 'failed', code, reason };
}

/** Runs work with a database in the form that a query takes. The bytes of a file are on disk meanwhile. */
async function withDatabase<Result>(
  found: Exclude<FoundDatabase, { problem: string }>,
  work: (database: DatabaseData) => Promise<Result>,
): Promise<Result> {
  if ('tables' in found) return await work(found);
  const folder = await makeWorkFolder('state');
  try {
    const file = path.join(folder, 'state.db');
    await writeFile(file, found.bytes, { mode: 0o600 });
    return await work({ file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The database in a state as tables or as the bytes of a file, or the reason why there is none. */
type FoundDatabase =
  | { readonly tables: TableData[] }
  | { readonly bytes: Buffer }
  | { readonly problem: string };

/** The place of a database in a state, with known columns of its tables. */
interface DatabasePlace {
  readonly at?: string;
  /** Columns of tables that may have no rows. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

/** Every SQLite database file begins with these characters and a zero byte. */
const header = Buffer.from('SQLite format 3\0');

/**
 * Finds a database in a state: a base64 text, `{ database: … }` with one, or tables by name, as `{ tables: { bookings:
 * [{ … }] } }` or without `tables` around them.
 */
function readDatabase(state: Json, { at, columns }: DatabasePlace): FoundDatabase {
  const found = at === undefined ? state : (valueAtPath(state, at) as Json | undefined);
  const place = at === undefined ? 'the final state' : `${at} of the final state`;
  const held = isRecord(found) ? (found['tables'] ?? found['database'] ?? found) : found;
  if (typeof held === 'string') {
    const bytes = Buffer.from(held, 'base64');
    const isDatabase = bytes.subarray(0, header.length).equals(header);
    return isDatabase ? { bytes } : { problem: `the text in ${place} is not a SQLite database in base64` };
  }
  if (!isRecord(held)) return { problem: `${place} contains neither tables nor a database` };
  const names = new Set([...Object.keys(columns), ...Object.keys(held)]);
  const tables: TableData[] = [];
  for (const name of names) {
    const rows = Object.hasOwn(held, name) ? held[name] : [];
    if (!Array.isArray(rows) || !rows.every(isRecord))
      return { problem: `the table ${name} in ${place} is not a list of objects` };
    tables.push(toTable(name, rows, columns[name] ?? []));
  }
  return { tables };
}

function toTable(
  name: string,
  rows: readonly { [column: string]: Json }[],
  known: readonly string[],
): TableData {
  const columns = [...new Set([...known, ...rows.flatMap((row) => Object.keys(row))])];
  // A table needs a column even when none is known.
  if (columns.length === 0) return { name, columns: ['empty'], rows: [] };
  return { name, columns, rows: rows.map((row) => columns.map((column) => toValue(row, column))) };
}

/**
 * Converts a value to the form that SQLite stores: whole numbers as such, true and false as 1 and 0, lists and objects
 * as JSON.
 */
function toValue(row: { [column: string]: Json }, column: string): SQLInputValue {
  const value = Object.hasOwn(row, column) ? row[column] : null;
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return BigInt(value);
  if (value instanceof ExactNumber) return toSqlNumber(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a long number as SQLite stores it: an integer of 64 bits with all its digits, else the nearest double. */
function toSqlNumber(value: ExactNumber): SQLInputValue {
  const whole = isWholeNumber(value) ? BigInt(value.digits) : undefined;
  return whole !== undefined && BigInt.asIntN(64, whole) === whole ? whole : Number(value);
}
