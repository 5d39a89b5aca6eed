import type { Pool, PoolClient } from 'pg';
import { TouchstoneError } from '../../core/errors.ts';
import type { AnyKind } from '../documents/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import {
  createKind,
  createKindAlone,
  databaseToMove,
  migrations,
  type MovingMigration,
} from './migrations.ts';
import { type ConnectionSettings, runOn, withClient } from './pool.ts';

type LayoutSettings = Pick<ConnectionSettings, 'address' | 'schema' | 'opening'>;

/** The oldest server whose transactions can be asked for by their number. */
const oldestServer = 130_000;

/**
 * Creates the check of the layout of a database, which comes before everything else that is done with it. Where there are no
 * tables, they are created, or, in a store that is only read, there is an empty one for this process alone.
 */
export function createLayout(pool: Pool, { address, schema, opening }: LayoutSettings) {
  let isReady = false;
  let scratch: PoolClient | undefined;

  const read = async (): Promise<number | undefined> =>
    await withClient(pool, (client) => readLayout(client, schema));

  async function prepareNow(): Promise<PoolClient | undefined> {
    const layout = await withClient(pool, async (client) => {
      await checkServer(client, address);
      const found = await readLayout(client, schema);
      refuseNewer(found, address);
      const isNewest = found === migrations.length && (await missingKinds(client, schema)).length === 0;
      if (isNewest || (found === undefined && opening === 'existing')) return found;
      return await migrate(client, { address, schema });
    });
    if (layout === undefined) return (scratch ??= await createScratch(pool));
    isReady = true;
    releaseScratch();
    return undefined;
  }

  function releaseScratch(): void {
    scratch?.release(true);
    scratch = undefined;
  }

  let preparing: Promise<PoolClient | undefined> | undefined;
  return {
    /** Returns the number of the layout; undefined when there are no tables. */
    read,
    isReady: () => isReady,
    /** Makes the tables ready. Returns the connection to use for now when there are none, and none may be made. */
    prepare: async (): Promise<PoolClient | undefined> => {
      if (isReady) return undefined;
      try {
        return await (preparing ??= prepareNow());
      } finally {
        preparing = undefined;
      }
    },
    close: releaseScratch,
  };
}

async function checkServer(client: PoolClient, address: string): Promise<void> {
  const [row] = await runOn(
    client,
    "SELECT current_setting('server_version_num'), current_setting('server_encoding')",
  );
  const [version, encoding] = row ?? [];
  const refuse = (what: string, remedy: string) =>
    new TouchstoneError('store-unreadable', `The store ${address} cannot be used: ${what}.`, { remedy });
  if (Number(version) < oldestServer)
    throw refuse(
      `its server is PostgreSQL ${Math.floor(Number(version) / 10_000)}`,
      'Use PostgreSQL 13 or newer.',
    );
  if (encoding !== 'UTF8')
    throw refuse(
      `the encoding of the database is ${String(encoding)}`,
      'Create one for it: `createdb --encoding UTF8 --template template0 NAME`.',
    );
}

async function readLayout(client: PoolClient, schema: string): Promise<number | undefined> {
  const [found] = await runOn(client, 'SELECT to_regclass(?) IS NOT NULL', [`${schema}.layout`]);
  if (found?.[0] !== 't') return undefined;
  const [row] = await runOn(client, `SELECT number FROM "${schema}".layout`);
  return row === undefined ? undefined : Number(row[0]);
}

function refuseNewer(layout: number | undefined, address: string): void {
  const newest = migrations.length;
  if (layout === undefined || layout <= newest) return;
  throw new TouchstoneError(
    'store-version',
    `The store ${address} was written by a newer Touchstone (layout ${layout}; this one knows ${newest}).`,
    { remedy: 'Update Touchstone, or use another schema or database.' },
  );
}

/**
 * Upgrades the tables to the newest layout, or creates them, in one transaction: a process that dies midway leaves nothing
 * behind, and of several processes one does the work.
 */
async function migrate(
  client: PoolClient,
  { address, schema }: Omit<LayoutSettings, 'opening'>,
): Promise<number> {
  await client.query('BEGIN');
  await runOn(client, "SELECT pg_advisory_xact_lock(hashtextextended('touchstone ' || ?, 0))", [schema]);
  const [known] = await runOn(client, 'SELECT to_regnamespace(?) IS NOT NULL', [schema]);
  // Only a schema that is missing takes the right to create one.
  if (known?.[0] !== 't') await client.query(`CREATE SCHEMA "${schema}"`);
  const layout = await readLayout(client, schema);
  refuseNewer(layout, address);
  if (layout === undefined) await checkEmpty(client, { address, schema });
  for (const migration of migrations.slice(layout ?? 0)) {
    if (typeof migration === 'function') await move(client, schema, migration);
    else await client.query(`${migration.tables}\n${migration.triggers}`);
  }
  for (const kind of await missingKinds(client, schema)) await client.query(createKind(kind));
  await client.query(layout === undefined ? 'INSERT INTO layout VALUES (0)' : 'SELECT 1');
  await runOn(client, 'UPDATE layout SET number = ?', [migrations.length]);
  await client.query('COMMIT');
  return migrations.length;
}

/** Makes a migration whose statements depend on what is in the database. */
async function move(client: PoolClient, schema: string, migration: MovingMigration): Promise<void> {
  const made = migration(databaseToMove(await readTables(client, schema)));
  for (let next = made.next(); next.done !== true; ) {
    const { sql, values } = next.value;
    if (values === undefined) await client.query(sql);
    next = made.next(values === undefined ? [] : await runOn(client, sql, values));
  }
}

async function readTables(client: PoolClient, schema: string): Promise<Set<string>> {
  const rows = await runOn(client, 'SELECT tablename FROM pg_tables WHERE schemaname = ?', [schema]);
  return new Set(rows.map(([name]) => name as string));
}

/** Returns the kinds of documents that have no table yet. */
async function missingKinds(client: PoolClient, schema: string): Promise<AnyKind[]> {
  const tables = await readTables(client, schema);
  return kinds.filter(({ table }) => !tables.has(table));
}

async function checkEmpty(
  client: PoolClient,
  { address, schema }: Omit<LayoutSettings, 'opening'>,
): Promise<void> {
  const [other] = await runOn(client, 'SELECT tablename FROM pg_tables WHERE schemaname = ? LIMIT 1', [
    schema,
  ]);
  if (other === undefined) return;
  throw new TouchstoneError(
    'store-unreadable',
    `The schema ${schema} of ${address} has tables of another program, such as ${String(other[0])}.`,
    { remedy: 'Name another one with the setting `schema`.' },
  );
}

/** Returns a connection with empty tables that nothing else sees, and that are gone with the connection. */
async function createScratch(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    const tables = migrations.map((migration) => (typeof migration === 'function' ? '' : migration.tables));
    await client.query(['SET search_path TO pg_temp;', ...tables, ...kinds.map(createKindAlone)].join('\n'));
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
