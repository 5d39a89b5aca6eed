import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { lazily } from '../../core/lib/lazily.ts';
import type { SqlDatabase, SqlInput, SqlRow, SqlSession } from '../sql/database.ts';
import { createTransactions } from '../sql/transactions.ts';
import { createClaims } from './claims.ts';
import { explainFault, isInFuture, isLostConnection, isNotReached, isPassing } from './explain-fault.ts';
import { createLayout } from './layout.ts';
import { createNewRows } from './new-rows.ts';
import { type ConnectionSettings, createPool, query, runOn, takeClient, withClient } from './pool.ts';
import { createTurns } from './turns.ts';

type Methods = Pick<SqlDatabase, 'all' | 'transaction' | 'readVersion' | 'close'> &
  Required<Pick<SqlDatabase, 'inTurn'>>;

/** A database that is reached over connections, with the claims on its runs. */
export interface Connection extends Methods {
  readonly claims: ReturnType<typeof createClaims>;
  readonly addNew: ReturnType<typeof createNewRows>;
  /** Returns whether the tables are there. */
  exists(): Promise<boolean>;
}

const countWrites = 'SELECT CAST(coalesce(sum(writes), 0) AS BIGINT) FROM writers';
/** Counts a transaction of a process. Returns its number, and how many the process has made with it: its fate can be asked for by both. */
const countWrite = `INSERT INTO writers AS own (id, writes) VALUES (?, 1)
  ON CONFLICT (id) DO UPDATE SET writes = own.writes + 1 RETURNING CAST(pg_current_xact_id() AS TEXT), own.writes`;
const readFate = 'SELECT pg_xact_status(CAST(CAST(? AS TEXT) AS xid8))';
/** Adds the writes of a process that ends to the writes of the others that have ended. */
const joinWrites = `WITH own AS (DELETE FROM writers WHERE id = ? RETURNING writes)
  INSERT INTO writers AS ended (id, writes) SELECT '', writes FROM own
  ON CONFLICT (id) DO UPDATE SET writes = ended.writes + excluded.writes RETURNING 1`;
/** Locks parts of the store, in the order of the list, until the end of the transaction. */
const enterParts = `SELECT pg_advisory_xact_lock(hashtextextended(concat('touchstone ', current_schema(), ' ', part), 0))
  FROM json_array_elements_text(CAST(CAST(? AS TEXT) AS JSON)) AS part`;

/** Creates the connections to a database. None is opened before the first call. Throws `package-missing`. */
export async function createConnection(settings: ConnectionSettings): Promise<Connection> {
  const pool = await createPool(settings);
  const patient = createPatience(settings);
  const layout = createLayout(pool, settings);

  /** Runs a statement by itself, on any connection, and again after a fault that has passed. */
  const all: SqlDatabase['all'] = async (sql, values) =>
    await patient(async () => {
      const scratch = await layout.prepare();
      if (scratch !== undefined) return await runOn(scratch, sql, values);
      return await withClient(pool, (client) => runOn(client, sql, values));
    });

  // A count of its own for each kind of writes: the count of transactions decides about their fate.
  const [writer, adder] = [randomUUID(), randomUUID()];
  const { transaction, settled } = createWriter({ pool, layout, all, patient, settings, writer });
  const claims = createClaims(all, settings.leaseMs);
  const addNew = createNewRows({ pool, layout, patient, writer: adder, tokenOf: claims.tokenOf });

  return {
    all,
    transaction,
    inTurn: createTurns({ pool, layout, all, patient, turnMs: settings.turnMs }),
    claims,
    addNew,
    exists: async () =>
      await patient(async () => {
        await layout.prepare();
        return (await layout.read()) !== undefined;
      }),
    readVersion: async () => String((await all(countWrites))[0]?.[0]),
    close: lazily(async () => {
      claims.close();
      await Promise.all([settled(), addNew.settled()]);
      for (const id of layout.isReady() ? [writer, adder] : [])
        await withClient(pool, (client) => runOn(client, joinWrites, [id])).catch(() => {});
      layout.close();
      await pool.end();
    }),
  };
}

/** Creates the transactions of a store. Each is on a connection of its own, one after the other. */
function createWriter({
  pool,
  layout,
  all,
  patient,
  settings,
  writer,
}: {
  readonly pool: Pool;
  readonly layout: ReturnType<typeof createLayout>;
  readonly all: SqlDatabase['all'];
  readonly patient: ReturnType<typeof createPatience>;
  readonly settings: ConnectionSettings;
  /** The name under which its transactions are counted. */
  readonly writer: string;
}) {
  const { address } = settings;
  let open: { readonly client: PoolClient; giveBack?(isBroken: boolean): void } | undefined;
  let counted: Promise<readonly SqlRow[]>;
  const current = (): PoolClient => (open as NonNullable<typeof open>).client;
  const { session, forgetFault, settle } = createSession(current, address);

  /** Begins a transaction without waiting for it: the server takes its statements in the order in which they are sent. */
  async function begin(): Promise<SqlSession> {
    const scratch = await layout.prepare();
    open = scratch === undefined ? await takeClient(pool) : { client: scratch };
    forgetFault();
    open.client.query('BEGIN ISOLATION LEVEL READ COMMITTED').catch(() => {}); // Whatever follows fails, too.
    counted = session.all(countWrite, [writer]);
    counted.catch(() => {});
    return session;
  }

  /** Gives the connection of the transaction back, or closes it after an error. */
  function end(error?: unknown): void {
    open?.giveBack?.(error !== undefined);
    open = undefined;
  }

  async function commit(): Promise<void> {
    const { checked, sent } = settle();
    await checked;
    const [row] = await counted;
    // After a fault of what was sent, the server answers the commit by a rollback.
    const [committed, fault] = await Promise.allSettled([current().query('COMMIT'), sent]);
    if (committed.status === 'fulfilled') {
      end();
      if (fault.status === 'rejected') throw fault.reason;
      return;
    }
    const error: unknown = committed.reason;
    if (!isLostConnection(error)) throw explainFault(error, address);
    end(error);
    if (!(await isCommitted(String(row?.[0]), Number(row?.[1])))) throw explainFault(error, address);
  }

  /**
   * Asks what became of a transaction whose connection was lost while it was being committed. The server may still be at it. Once
   * that is over, the count says whether it was stored: no other transaction of this process has run since. The number alone
   * would not do: a server that crashed may give it to another transaction, or know nothing of it.
   */
  async function isCommitted(transaction: string, count: number): Promise<boolean> {
    while ((await ask(readFate, transaction))[0]?.[0] === 'in progress') await pause(50);
    const [row] = await ask('SELECT writes FROM writers WHERE id = ?', writer);
    return Number(row?.[0] ?? 0) >= count;
  }

  async function ask(sql: string, value: string) {
    return await all(sql, [value]).catch((error: unknown): [] => {
      // A number in the future: the server crashed before it had written that it gave it away.
      if (isInFuture(error)) return [];
      // Without its cause it does not count as passing: to run the transaction again might be to run it twice.
      throw new TouchstoneError('store-unreadable', messageOf(error));
    });
  }

  async function rollback(): Promise<void> {
    if (open === undefined) return;
    await settle().sent.catch(() => {});
    try {
      await current().query('ROLLBACK');
      end();
    } catch (error) {
      end(error);
    }
  }

  const { transaction, settled } = createTransactions({
    begin: async () => await patient(begin),
    enter: async (of, parts) => void (await of.all(enterParts, [JSON.stringify(parts)])),
    commit,
    rollback,
    mayRepeat: createRepetition(settings),
  });
  return { transaction, settled };
}

/**
 * Creates the session of the current transaction. Its statements are prepared once for each connection. `settle` returns what was sent
 * and not waited for, and the checks among it, and forgets them.
 */
function createSession(current: () => PoolClient, address: string) {
  const names = new Map<string, string>();
  /** The number of statements that are prepared; others, such as the statements of filters, are parsed each time. */
  const most = 100;
  const nameOf = (sql: string): string | undefined => {
    if (!names.has(sql) && names.size < most) names.set(sql, `touchstone_${names.size}`);
    return names.get(sql);
  };
  let fault: { readonly error: unknown } | undefined;
  const run = async (sql: string, values?: readonly SqlInput[]) => {
    try {
      return await query(current(), sql, { values, name: nameOf(sql) });
    } catch (error) {
      // The server refuses what comes after the first fault of a transaction, too.
      fault ??= { error: explainFault(error, address) };
      throw fault.error;
    }
  };
  let sent: Promise<unknown>[] = [];
  let checked: Promise<unknown>[] = [];
  const session: SqlSession = {
    // Each statement is a message to the server and back.
    rowsAtOnce: 100,
    all: async (sql, values) => (await run(sql, values)).rows,
    run: async (sql, values) => (await run(sql, values)).rowCount ?? 0,
    send: (sql, values, check) => {
      const answered = run(sql, values).then(({ rows }) => check?.(rows));
      answered.catch(() => {}); // It is thrown by the commit.
      (check === undefined ? sent : checked).push(answered);
    },
  };
  const settle = () => {
    const settled = { sent: Promise.all(sent), checked: Promise.all(checked) };
    for (const each of Object.values(settled)) each.catch(() => {});
    [sent, checked] = [[], []];
    return settled;
  };
  return { session, settle, forgetFault: () => (fault = undefined) };
}

/** The longest pause, in milliseconds, before something is tried again. */
const longestPauseMs = 1000;

/**
 * Creates a function that does something again, until it succeeds or the time is over, while the server is away. A server that
 * was never reached is not waited for: its address may be wrong.
 */
function createPatience({ address, waitMs }: Pick<ConnectionSettings, 'address' | 'waitMs'>) {
  let wasReached = false;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const end = performance.now() + waitMs;
    for (let wait = 20; ; wait = Math.min(2 * wait, longestPauseMs)) {
      try {
        const result = await work();
        wasReached = true;
        return result;
      } catch (error) {
        const isWaiting = isPassing(error) && (wasReached || !isNotReached(error)) && performance.now() < end;
        if (!isWaiting) throw explainFault(error, address);
        await pause(wait);
      }
    }
  };
}

/** Creates the decision whether a failed transaction is run again, after a pause of random length. */
function createRepetition({ waitMs }: Pick<ConnectionSettings, 'waitMs'>) {
  let end = 0;
  return async (error: unknown, tries: number): Promise<boolean> => {
    if (!isPassing(error)) return false;
    if (tries === 1) end = performance.now() + waitMs;
    if (performance.now() > end) return false;
    await pause(Math.random() * Math.min(20 * 2 ** tries, longestPauseMs));
    return true;
  };
}
