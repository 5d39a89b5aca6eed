import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { lazily } from '../../core/lib/lazily.ts';
import type { SqlDatabase, SqlDialect } from '../sql/database.ts';
import type { Connection } from './connection.ts';
import { createBlobTable } from '../sql/blobs.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import { defineStore, type Store, type StoreOpening } from '../store.ts';
import { defaultSchema, describePostgres, isPostgresUrl } from './url.ts';

const urlProblem = 'expected an address such as postgres://user@host:5432/database';

const optionsSchema = () =>
  z
    .strictObject({
      url: z
        .string()
        .refine(isPostgresUrl, urlProblem)
        .optional()
        .describe(
          'The address of the database, such as `postgres://ann@db.example.org:5432/evals?sslmode=verify-full`. The ' +
            'password is better not written here: it is read from `PGPASSWORD` or `~/.pgpass`, or the whole address from `urlEnv`.',
        ),
      urlEnv: z
        .string()
        .min(1)
        .optional()
        .describe('The environment variable with the address, in place of `url`.'),
      schema: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/)
        .default(defaultSchema)
        .describe('The schema of the tables. It is created when needed.'),
      role: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/)
        .optional()
        .describe(
          'The role whose rights every connection takes (`SET ROLE`); the role in the address by default.',
        ),
      waitMs: z
        .int()
        .min(0)
        .default(30_000)
        .describe(
          'How long a read or write waits for a server that has gone away, such as one that is being restarted. After ' +
            'that the command ends with `store-unreadable`; stored answers are safe.',
        ),
      leaseMs: z
        .int()
        .min(1000)
        .default(15_000)
        .describe(
          'How long after the end of a process, however it ended, its run can be resumed by another.',
        ),
    })
    .refine(({ url, urlEnv }) => (url === undefined) !== (urlEnv === undefined), {
      error: 'expected either `url` or `urlEnv`',
    });

/** The store in a PostgreSQL database as a config names it. */
export const postgresStore = defineStore({
  name: 'postgres',
  version: 1,
  summary: 'Runs in a PostgreSQL database, which several machines can use at the same time.',
  options: optionsSchema,
  create: ({ url, urlEnv, role, ...options }, { environment, opening }) =>
    openPostgresStore(url ?? readUrl(urlEnv ?? '', environment), {
      ...options,
      ...(role !== undefined && { role }),
      opening,
    }),
});

function readUrl(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const url = environment[name];
  if (url === undefined || url === '')
    throw new TouchstoneError('environment-missing', `The environment variable ${name} is not set.`);
  if (isPostgresUrl(url)) return url;
  throw new TouchstoneError('config-invalid', `The environment variable ${name}: ${urlProblem}.`);
}

/** Options of a PostgreSQL store. */
export interface PostgresOptions {
  /** The schema of the tables; `touchstone` by default. */
  readonly schema?: string;
  /** The database role whose rights every connection takes; by default the role in the address. */
  readonly role?: string;
  /** The milliseconds that a read or write waits for a server that has gone away; 30,000 by default. */
  readonly waitMs?: number;
  /** The milliseconds after which the claim of a process that has ended on a run is over; 15,000 by default. */
  readonly leaseMs?: number;
  /** The milliseconds after which a process that is held up while it changes what all share no longer holds up the others; 500 by default. */
  readonly turnMs?: number;
  /** The way to open it; `create` by default. */
  readonly opening?: StoreOpening;
}

/**
 * Opens a store in a PostgreSQL database, version 13 or newer. It connects with the first call, and creates or upgrades its
 * tables then. Any number of processes on any number of machines can use it at the same time.
 * Its methods throw `package-missing` where the package `pg` is not installed, `store-unreadable` while the database cannot
 * be used, and `store-version` when this Touchstone does not know its layout.
 */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const { schema = defaultSchema, role, opening = 'create' } = options;
  const { waitMs = 30_000, leaseMs = 15_000, turnMs = 500 } = options;
  const address = describePostgres(url, schema);
  let isUsed = false;
  let connection: Connection | undefined;
  const load = lazily(async () => {
    isUsed = true;
    const { createConnection } = await import('./connection.ts');
    connection = await createConnection({ url, address, schema, role, waitMs, leaseMs, turnMs, opening });
    return connection;
  });
  const database: SqlDatabase = {
    address,
    dialect,
    all: async (sql, values) => await (await load()).all(sql, values),
    transaction: async (work, parts) => await (await load()).transaction(work, parts),
    inTurn: async (...given) => await (await load()).inTurn(...given),
    readVersion: async () => await (await load()).readVersion(),
    // PostgreSQL checks its structure by itself: a page that cannot be read is an error of the statement that reads it.
    checkStructure: async () => [],
    shrink: async () => {},
    purge: async () => {
      const { all } = await load();
      await waitForReaders(all, { address, waitMs });
      const { rewriteTables } = await import('./rewrite-tables.ts');
      const foreign = await rewriteTables({ url, schema, address, waitMs });
      if (foreign.length === 0) return undefined;
      return `The files of the database contain the texts until the owner of the tables writes them again: VACUUM (FULL) ${foreign.map((table) => `"${schema}"."${table}"`).join(', ')};`;
    },
    close: async () => {
      if (isUsed) await (await load().catch(() => undefined))?.close();
    },
  };
  return createSqlStore(database, {
    exists: async () => await (await load()).exists(),
    claimRun: async (runId, part) => await (await load()).claims.claimRun(runId, part),
    isClaimed: async (runId, part) => await (await load()).claims.isClaimed(runId, part),
    blobs: createBlobTable(database),
    addNew: async (table, rows, run) => await (await load()).addNew(table, rows, run),
    requireClaim: (session, run) => connection?.claims.requireClaim(session, run),
  });
}

/** The number of other transactions that began before a transaction ended, so that what it overwrote may still be read by them. */
const olderReaders = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND age(backend_xmin) >= age(CAST(CAST(? AS TEXT) AS XID))`;

/** Waits until nothing reads what was overwritten up to now: the server keeps old versions of rows as long as that. */
async function waitForReaders(
  all: SqlDatabase['all'],
  { address, waitMs }: { readonly address: string; readonly waitMs: number },
): Promise<void> {
  const [last] = await all('SELECT CAST(CAST(pg_current_xact_id() AS XID) AS TEXT)');
  const end = performance.now() + waitMs;
  while (Number((await all(olderReaders, [String(last?.[0])]))[0]?.[0]) > 0) {
    if (performance.now() > end)
      throw new TouchstoneError(
        'store-unreadable',
        `${address} keeps old versions of rows: a transaction that began before they were overwritten is still open.`,
        {
          remedy:
            'End the transactions that are open for long (`pg_stat_activity` lists them), and repeat the command.',
        },
      );
    await pause(100);
  }
}

const dialect: SqlDialect = {
  like: 'ILIKE',
  columnsOf: (table) => table,
  ordered: (text) => `(${text}) COLLATE "C"`,
  exactText: (number) => `CAST(${number} AS TEXT)`,
  joinedTexts: (text, mark, by) => `string_agg(${text}, '${mark}' ORDER BY ${by})`,
  jsonList: (values) => `CAST(json_build_array(${values}) AS TEXT)`,
  numbersIn: (list) =>
    `SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(${list} AS JSON)) AS listed`,
  textsIn: (list) =>
    `(SELECT value COLLATE "C" AS item FROM json_array_elements_text(CAST(${list} AS JSON))) AS listed`,
  memberOf: (object) => `(CAST(${object} AS JSON) ->> CAST(? AS TEXT))`,
  isNullIn: (object) => `json_typeof(CAST(${object} AS JSON) -> CAST(? AS TEXT)) = 'null'`,
  textOf: (record) => `CAST(${record} AS TEXT) COLLATE "C"`,
  // The database compresses long values by itself.
  isCompressed: () => 'FALSE',
  clock: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION)',
  countedAtOnce: Number.MAX_SAFE_INTEGER,
  joinInOrder: 'JOIN',
  // Each by its key: until the server has counted the rows of a new run, it takes them for a handful, which it could read as a whole.
  joinScores: `LEFT JOIN LATERAL (SELECT * FROM scores WHERE scores.run = ? AND scores.ordinal = trials.ordinal LIMIT 1) AS scores ON TRUE`,
  keepRows: ' FOR KEY SHARE',
  lockRows: ' FOR UPDATE',
};
