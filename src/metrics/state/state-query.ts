import { z } from 'zod';
import type { Json } from '../../schema/json.ts';
import { expectedValueSchema } from '../../schema/matcher.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { recordPathSchema, stateMissing } from '../criteria/record-view.ts';
import { defineMetric, expectationsAt, type MetricInput } from '../metric.ts';
import { unlessUnusable } from '../matching/unless-unusable.ts';
import { joinClauses } from './describe-differences.ts';
import { nothingAt, readExpected } from './expected-state.ts';
import { compareRows } from './query/compare-rows.ts';
import { createQueryProcess } from './query/query-process.ts';
import { type FoundDatabase, readDatabase } from './query/read-database.ts';
import type { QueryReply } from './query/serve-queries.ts';
import { withDatabase } from './query/with-database.ts';

const shown = 20;

/** One for all metrics: it takes some memory and time to start, and a query takes neither. */
const queries = createQueryProcess();

/** A single query that only reads; whatever else is refused by the database itself. */
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
      .describe('The query, in the SQL of SQLite. The same for every case; else see `from`.'),
    from: recordPathSchema
      .default('expected.state.query')
      .describe('Path in the case to its query, for when no `sql` is given.'),
    rows: expectedValueSchema
      .optional()
      .describe(
        'The expected rows: objects by column, lists in the order of the columns, or for one column its values; one value alone for one row. Matchers may stand in them. The same for every case; else see `rowsFrom`.',
      ),
    rowsFrom: recordPathSchema
      .default('expected.state.rows')
      .describe('Path in the case to its expected rows, for when no `rows` are given.'),
    ordered: z.boolean().default(false).describe('Whether the rows must come in the expected order.'),
    tolerance: z.number().nonnegative().default(0).describe('How far each number may be off.'),
    at: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Path in the final state to the database: tables as lists of objects, `{ bookings: [{ … }] }`, or a SQLite file in base64. The state itself, its `tables` or its `database`, when left out.',
      ),
    columns: z
      .record(z.string().min(1), z.array(z.string().min(1)))
      .default({})
      .describe('Columns of tables that may be missing or without rows: `{ bookings: [id, time] }`.'),
    maxRows: z
      .int()
      .min(1)
      .max(10_000)
      .default(500)
      .describe('Most rows that are read; more are never as expected.'),
    timeLimitMs: z
      .number()
      .positive()
      .max(600_000)
      .default(10_000)
      .describe('Most milliseconds for the query.'),
  });
type Options = z.output<ReturnType<typeof options>>;

/** 1 when a query of the final state, a SQLite database, gives the expected rows, else 0. */
export const stateQuery = defineMetric({
  name: 'state-query',
  version: 1,
  reads: ({ sql, from, rows, rowsFrom }) => [
    ...(sql === undefined ? expectationsAt(from) : []),
    ...(rows === undefined ? expectationsAt(rowsFrom) : []),
  ],
  summary:
    'A SQL query of the final state, as tables or a SQLite database, gives the expected rows: 1, else 0.',
  options,
  create: (checked) => {
    return {
      // One is asked while the next gets ready.
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
        return unlessUnusable(() => toVerdict(reply, wanted, checked));
      },
    };
  },
});

interface Prepared {
  readonly sql: string;
  readonly wanted: Json;
  readonly database: Exclude<FoundDatabase, { problem: string }>;
}

/** What is to be asked of what; or the verdict, where nothing is to be asked or nothing can be. */
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
  const { rows, isCut } = reply;
  const wrong = isCut
    ? [`the query gives more than ${rows.length} rows`]
    : compareRows(reply, wanted, options);
  const evidence = { rows: rows.slice(0, shown).map((row) => [...row]), count: rows.length };
  if (wrong.length === 0) return { status: 'scored', value: 1, passed: true, evidence };
  return { status: 'scored', value: 0, passed: false, explanation: joinClauses(wrong), evidence };
}

function failed(code: string, reason: string): Verdict {
  return { status: 'failed', code, reason };
}
