import { Socket } from 'node:net';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import { createPlaces } from '../../core/lib/places.ts';
import { needPackage } from '../../core/lib/packages/need-package.ts';
import { RecordText, type SqlInput, type SqlRow } from '../sql/database.ts';
import { toValue } from '../sql/rows.ts';
import type { StoreOpening } from '../store.ts';
import { isLostConnection } from './explain-fault.ts';

/** The settings of a connection. */
export interface ConnectionSettings {
  readonly url: string;
  /** The address for messages. */
  readonly address: string;
  readonly schema: string;
  /** The role whose rights every connection takes; by default the role in the address. */
  readonly role?: string;
  readonly waitMs: number;
  readonly leaseMs: number;
  readonly turnMs: number;
  readonly opening: StoreOpening;
}

/**
 * The most connections of a process that work at the same time, over all its stores, and about the most that stay open without work: a
 * server with a hundred projects would use up what the database has.
 */
const mostConnections = 20;

const working = createPlaces(mostConnections);
let openConnections = 0;

/** Creates the connections to a database, none of which is open yet. Throws `package-missing`. */
export async function createPool({
  url,
  schema,
  role,
  waitMs,
}: Pick<ConnectionSettings, 'url' | 'schema' | 'role' | 'waitMs'>): Promise<Pool> {
  const { default: pg } = await needPackage('pg', {
    for: 'A store in PostgreSQL',
    load: async () => await import('pg'),
  });
  const config: PoolConfig = {
    connectionString: url,
    max: 4,
    // Statements are sent without waiting for the answers to those before.
    pipeline: true,
    stream: createGroupingSocket,
    application_name: 'touchstone',
    connectionTimeoutMillis: Math.max(1000, waitMs),
    allowExitOnIdle: true,
    keepAlive: true,
    types: { getTypeParser: ((oid: number) => parsers.get(oid) ?? String) as never },
  };
  const pool = new pg.Pool(config);
  // A connection that is lost is noticed by its next use; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('remove', () => (openConnections -= 1));
  pool.on('connect', (client) => {
    openConnections += 1;
    client.on('error', () => {});
    // Not part of the address, which not every proxy passes on.
    const path = `SET search_path TO "${schema}"`;
    if (role === undefined) client.query(path).catch(() => {});
    // A connection that cannot take the role would have more rights than it should: it is closed.
    else client.query(`${path}; SET ROLE "${role}"`).catch(() => client.end());
  });
  return pool;
}

/** Creates a socket that sends together what is written in one turn: a call of the system costs as much as a statement. */
function createGroupingSocket(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isGrouping = false;
  const end = () => {
    isGrouping = false;
    socket.uncork();
  };
  return Object.assign(socket, {
    write: (...given: unknown[]): boolean => {
      if (!isGrouping) {
        isGrouping = true;
        socket.cork();
        process.nextTick(end);
      }
      return write(...given);
    },
  });
}

/** The readers of values by the number of their type: int8, int2, int4, float4, float8 and numeric. Others are texts. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map(
  [20, 21, 23, 700, 701, 1700].map((oid) => [oid, Number]),
);

/** A connection that nothing else uses until it is given back. Who has one must not wait for another. */
export interface TakenClient {
  readonly client: PoolClient;
  /** @param isBroken - True to close the connection. */
  giveBack(isBroken: boolean): void;
}

/** Takes a connection, once less than the most of this process work. */
export async function takeClient(pool: Pool): Promise<TakenClient> {
  await working.take();
  try {
    const client = await pool.connect();
    return {
      client,
      giveBack: (isBroken) => {
        client.release(isBroken || openConnections > mostConnections);
        working.leave();
      },
    };
  } catch (error) {
    working.leave();
    throw error;
  }
}

/** Runs work on a connection of its own. */
export async function withClient<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const { client, giveBack } = await takeClient(pool);
  try {
    const result = await work(client);
    giveBack(false);
    return result;
  } catch (error) {
    // A connection on which a statement has failed can be used again, unless it was lost.
    giveBack(isLostConnection(error));
    throw error;
  }
}

/** Runs a statement and returns its rows. */
export async function runOn(
  client: PoolClient,
  sql: string,
  values?: readonly SqlInput[],
): Promise<SqlRow[]> {
  return (await query(client, sql, { values })).rows;
}

/** Runs a statement, which is prepared under a name where one is given. */
export async function query(
  client: PoolClient,
  sql: string,
  { values = [], name }: { readonly values?: readonly SqlInput[]; readonly name?: string },
) {
  return (await client.query<unknown[]>({
    text: numberMarks(sql),
    values: values.map(toParameter),
    rowMode: 'array',
    name,
  })) as { rows: SqlRow[]; rowCount: number | null };
}

/** Numbers the marks of parameters, as PostgreSQL wants them. No statement of a store has a question mark elsewhere. */
export function numberMarks(sql: string): string {
  let number = 0;
  return sql.replaceAll('?', () => `$${(number += 1)}`);
}

function toParameter(value: SqlInput): unknown {
  return value instanceof RecordText ? value.json : toValue(value);
}
