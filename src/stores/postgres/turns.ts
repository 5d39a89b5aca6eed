import type { Pool, PoolClient } from 'pg';
import { createPlaces } from '../../core/lib/places.ts';
import type { SqlDatabase, SqlRow, SqlStatement } from '../sql/database.ts';
import { inSteps } from '../sql/shared.ts';
import { isLostConnection } from './explain-fault.ts';
import type { createLayout } from './layout.ts';
import { withClient } from './pool.ts';

/** The connections of a process that wait for a turn or have it; the others are for the reads and writes of the store. */
const mostWaiting = 2;

/** The milliseconds for which a process that has lost a turn in this way takes none: code in it may keep it busy for long, again and again. */
const withoutTurnsMs = 120_000;

/**
 * Begins a transaction that has its turn once all that asked for the same key before have ended. The server keeps the queue, which a
 * process that dies leaves with its connection. The lock belongs to the transaction, so that proxies may pool by transaction.
 */
const enterTurn = (turnMs: number) => `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL idle_in_transaction_session_timeout = ${turnMs};
  SET LOCAL lock_timeout = 0;
  SELECT pg_advisory_xact_lock(hashtextextended(concat('touchstone ', current_schema(), ' ', CAST(? AS TEXT)), 0));`;

/**
 * Creates the turns in which processes change the same record: each takes two messages to the server and back, in transactions of their
 * own. The turn of a process that does not go on for `turnMs` is over: the server ends its connection. After a lost connection, `patient` begins a turn again: the queue lets the transaction that was lost end before. A process that
 * is too slow for its turn reads and writes in steps, and writes only if the version is the one that it has read.
 */
export function createTurns({
  pool,
  layout,
  all,
  patient,
  turnMs,
}: {
  readonly pool: Pool;
  readonly layout: Pick<ReturnType<typeof createLayout>, 'prepare'>;
  readonly all: SqlDatabase['all'];
  readonly patient: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly turnMs: number;
}): NonNullable<SqlDatabase['inTurn']> {
  const places = createPlaces(mostWaiting);
  const steps = inSteps(all);
  const enter = enterTurn(turnMs);
  let isSlowUntil = 0;

  /** Takes a turn; undefined where there is no store yet, or no time for one. */
  const tryTurn = async (...given: Parameters<typeof steps>): Promise<SqlRow[] | undefined> => {
    if (performance.now() < isSlowUntil || (await layout.prepare()) !== undefined) return undefined;
    const start = performance.now();
    try {
      return await withClient(pool, async (client) => await takeTurn(client, enter, ...given));
    } catch (error) {
      if (!isLostConnection(error) || performance.now() - start < turnMs) throw error;
      isSlowUntil = performance.now() + withoutTurnsMs;
      return undefined;
    }
  };

  return async (...given) => {
    await places.take();
    try {
      return (await patient(async () => await tryTurn(...given))) ?? (await steps(...given));
    } finally {
      places.leave();
    }
  };
}

async function takeTurn(
  client: PoolClient,
  enter: string,
  ...[key, read, decide]: Parameters<NonNullable<SqlDatabase['inTurn']>>
): Promise<SqlRow[]> {
  try {
    const entered = await runTogether(client, [{ sql: enter, values: [key] }, read]);
    const write = decide(entered.at(-1) ?? []);
    const ended = await runTogether(client, [...(write === undefined ? [] : [write]), commit]);
    return write === undefined ? [] : (ended[0] ?? []);
  } catch (error) {
    // Where the connection was lost, the server does so.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

const commit: SqlStatement = { sql: 'COMMIT', values: [] };

/** Runs statements that are sent in one message. Returns the rows of each; a fault in one of them leaves out those after it. */
async function runTogether(client: PoolClient, statements: readonly SqlStatement[]): Promise<SqlRow[][]> {
  const text = statements
    .map(({ sql, values }) => {
      let index = 0;
      return sql.replaceAll('?', () => {
        const value = values[index++];
        return value === null || value === undefined ? 'NULL' : client.escapeLiteral(value);
      });
    })
    .join(';\n');
  const results: unknown = await client.query({ text, rowMode: 'array' });
  return (Array.isArray(results) ? results : [results]).map(({ rows }: { rows: SqlRow[] }) => rows);
}
