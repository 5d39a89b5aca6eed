import { createRequire } from 'node:module';
import { z } from 'zod';
import { messageOf } from '../../../core/errors.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { needPackage } from '../../../core/lib/packages/need-package.ts';
import { computeWithin, outOfTime, UnmeasurableError } from '../../../core/lib/compute-within.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { passOrFail } from '../verdicts.ts';

/** The dialects, each with the name of its file in the package and the name that the parser expects. */
const dialects = {
  mysql: 'MySQL',
  postgresql: 'PostgreSQL',
  sqlite: 'Sqlite',
  mariadb: 'MariaDB',
  transactsql: 'TransactSQL',
  bigquery: 'BigQuery',
  snowflake: 'Snowflake',
  redshift: 'Redshift',
  athena: 'Athena',
  db2: 'DB2',
  flinksql: 'FlinkSQL',
  hive: 'Hive',
  trino: 'Trino',
} as const;
type Dialect = keyof typeof dialects;
const names = Object.keys(dialects) as [Dialect, ...Dialect[]];

const fence = /```(?:sql)?[^\S\r\n]*\r?\n([\s\S]*?)```/i;
const limitMs = 1000;
const longest = 200_000;

/**
 * Checks that the answer is SQL of a dialect, and that it touches no other tables or columns than those allowed: 1, else
 * 0. It is only read, never run. The verdict is the same as for `is-sql` of promptfoo, which reads with the same package; an
 * empty answer, which passes there, is 0 here. Not measured when reading takes more than a second.
 */
export const sqlValid = defineMetric({
  name: 'sql-valid',
  family: 'format',
  version: 1,
  summary: 'The answer is valid SQL of a dialect, with allowed tables and columns only: 1, else 0.',
  words: 'SQL, query, text-to-sql, database query, syntax',
  needs: ['package:node-sql-parser'],
  options: () =>
    z.strictObject({
      dialect: z.enum(names).default('mysql').describe('The dialect.'),
      allowedTables: z
        .array(nonEmpty())
        .optional()
        .describe(
          'The only tables that may be touched, each as `select::database::table`; parts may be regular expressions: `(select|update)::(.*)::orders`.',
        ),
      allowedColumns: z
        .array(nonEmpty())
        .optional()
        .describe('The only columns that may be touched, each as `select::table::column`.'),
      fenced: z
        .boolean()
        .default(false)
        .describe('True to read the first code fence, where there is one, in place of the whole answer.'),
    }),
  create: (options) => {
    const load = lazily(async () => await loadParser(options.dialect));
    return {
      open: async () => {
        await load();
      },
      score: async ({ trial }) => {
        const answer = trial.answer ?? '';
        const text = options.fenced ? (fence.exec(answer)?.[1] ?? answer) : answer;
        if (text.trim() === '') return verdictOf(['there is no answer']);
        if (text.length > longest)
          throw new UnmeasurableError('too-long', 'the answer is too long to be read as SQL');
        const ready = await load();
        const faults = computeWithin(limitMs, () => findFaults(text, ready, options));
        if (faults === outOfTime)
          throw new UnmeasurableError('too-long', 'the answer takes too long to be read as SQL');
        return verdictOf(faults);
      },
    };
  },
});

/** The part of the package that is used. */
interface SqlParser {
  astify(sql: string, options: { database: string }): unknown;
  whiteListCheck(
    sql: string,
    allowed: string[],
    options: { database: string; type: 'table' | 'column' },
  ): unknown;
}

interface Allowed {
  readonly dialect: Dialect;
  readonly allowedTables?: readonly string[];
  readonly allowedColumns?: readonly string[];
}

function findFaults(text: string, parser: SqlParser, { dialect, ...allowed }: Allowed): string[] {
  const database = dialects[dialect];
  const lists = [
    ['table', allowed.allowedTables],
    ['column', allowed.allowedColumns],
  ] as const;
  const fault = faultOf(() => parser.astify(text, { database }));
  if (fault !== undefined) return [`it is no ${database}: ${fault}`];
  return lists.flatMap(([type, list]) => {
    if (list === undefined) return [];
    const refused = faultOf(() => parser.whiteListCheck(text, [...list], { database, type }));
    return refused === undefined ? [] : [`not an allowed ${type}: ${refused}`];
  });
}

function faultOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return placeOf(error) ?? messageOf(error).slice(0, 500);
  }
}

/** Returns what a syntax error found where; the parser itself lists everything that could have been there. */
function placeOf(error: unknown): string | undefined {
  const { found, location } = error as {
    readonly found?: string | null;
    readonly location?: { readonly start: { readonly line: number; readonly column: number } };
  };
  if (location === undefined) return undefined;
  const { line, column } = location.start;
  const what = typeof found === 'string' ? JSON.stringify(found) : 'the end';
  return `${what} is not expected at line ${line}, column ${column}`;
}

async function loadParser(dialect: Dialect): Promise<SqlParser> {
  const { Parser } = await needPackage('node-sql-parser', {
    for: 'The metric sql-valid',
    // biome-ignore lint/suspicious/useAwait: a package that is required fails as an imported one does
    load: async (from) =>
      createRequire(from)(`node-sql-parser/build/${dialect}.js`) as { Parser: new () => SqlParser },
    also: '(90 MB)',
  });
  return new Parser();
}

function verdictOf(faults: readonly string[]): Verdict {
  const passed = faults.length === 0;
  return passOrFail(passed, { explanation: passed ? undefined : faults.join('; ') });
}
