import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, onTestFinished } from 'vitest';
import { findOwner, findPostgres } from '../../scripts/debian-postgres.ts';
import { findFreePort } from '../../scripts/find-free-port.ts';
import { makeOnce, removeAfter } from './make-once.ts';

const programs = findPostgres();

/** Describes tests that need a PostgreSQL server; they are skipped where there is none. */
export function describeWithPostgres(title: string, tests: () => void): void {
  // oxlint-disable-next-line vitest/valid-describe-callback -- the callback of the caller
  describe.skipIf(programs === undefined)(`${title} (needs postgresql)`, tests);
}

/** The user that anybody may be without a password. */
const user = 'touchstone';
/** A user that needs a password. */
export const guardedUser = { name: 'guarded', password: 'p4ss/w:rd%' };

/** A PostgreSQL server for tests, on a port of its own. */
export interface TestServer {
  readonly port: number;
  /** The address of its database `postgres`. */
  readonly url: string;
  /** Ends all of its processes at once. */
  kill(): Promise<void>;
  /** Ends it in an orderly way, but without waiting for its users. */
  stop(): Promise<void>;
  /** Ends it without an orderly shutdown, as `pg_ctl stop -m immediate` does: it recovers at its next start. */
  stopAtOnce(): Promise<void>;
  /** Holds all of its processes, as a machine without time for them does: its connections stay open, and nothing answers. */
  hold(): void;
  /** Lets them go on. */
  letGo(): void;
  start(): Promise<void>;
}

/** Options of a server for tests. */
export interface TestServerOptions {
  /** A folder of its own that does not exist yet; its data is below it. */
  readonly folder: string;
  /** Further settings, such as `max_connections=10`. */
  readonly settings?: readonly string[];
}

/** Makes an empty cluster, once for all servers of a test run, and returns its folder, which is only copied. */
async function newCluster(): Promise<string> {
  return await makeOnce({
    folder: (name) => folderFor(`cluster-${name}`),
    make: async (folder) => {
      const owner = findOwner('nobody');
      if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
      const data = path.join(folder, 'data');
      // The order of texts in English: a store that relied on the order of the database would fail.
      const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
      execFileSync(
        path.join(programs ?? '', 'initdb'),
        ['--pgdata', data, '--username', user, '--auth=trust', '--no-sync', '--no-instructions', ...locale],
        { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder, ...owner },
      );
      return data;
    },
  });
}

/** Copies an empty cluster into a folder and starts a server on it. It does not end by itself. */
async function startServer({ folder, settings = [] }: TestServerOptions): Promise<TestServer> {
  const data = path.join(folder, 'data');
  const owner = findOwner('nobody');
  mkdirSync(folder, { recursive: true });
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  execFileSync('cp', ['-a', await newCluster(), data]);
  const rules = [
    `host all ${guardedUser.name} 127.0.0.1/32 scram-sha-256`,
    `host all all 127.0.0.1/32 trust`,
  ];
  writeFileSync(path.join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
  const port = await findFreePort();
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`;
  const own = [
    'fsync=off',
    'full_page_writes=off',
    'max_connections=150',
    'shared_buffers=64MB',
    ...settings,
  ];
  const args = [...own, 'listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  const start = async () => {
    const program = path.join(programs ?? '', 'postgres');
    const words = ['-D', data, ...args.flatMap((each) => ['-c', each])];
    const child = spawn(program, words, { stdio: 'ignore', detached: true, cwd: folder, ...owner });
    child.unref();
    await waitUntilReady(url);
  };
  const end = async (signal: NodeJS.Signals) => {
    const pid = serverIn(folder);
    // A killed server cannot end its processes; those notice it after a while.
    const others = signal === 'SIGKILL' ? childrenOf(pid) : [];
    for (const each of [pid, ...others]) tryKill(each, signal);
    while (isRunning(pid)) await pause(10);
    if (signal === 'SIGKILL') rmSync(path.join(data, 'postmaster.pid'), { force: true });
  };
  await start();
  const signalAll = (signal: NodeJS.Signals) => {
    const pid = serverIn(folder);
    for (const each of [pid, ...childrenOf(pid)]) tryKill(each, signal);
  };
  return {
    port,
    url,
    start,
    stop: async () => await end('SIGINT'),
    stopAtOnce: async () => await end('SIGQUIT'),
    kill: async () => await end('SIGKILL'),
    hold: () => signalAll('SIGSTOP'),
    letGo: () => signalAll('SIGCONT'),
  };
}

async function waitUntilReady(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client(url);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await pause(20);
    }
  }
}

function serverIn(folder: string): number {
  return Number(readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function childrenOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return Array.from(listed.matchAll(/(\d+)\s+(\d+)/g), ([, child, parent]) => [Number(child), Number(parent)])
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child as number);
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process whose parent has not asked for its end is over, too.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** Starts a server for a test, which may stop it. It ends with the test. */
export async function startOwnServer(settings: readonly string[] = []): Promise<TestServer> {
  const folder = folderFor(`${process.pid}-${(ownServers += 1)}`);
  const server = await startServer({ folder, settings });
  removeAfter(process.pid, folder, stopServer);
  onTestFinished(async () => await server.stop().catch(() => {}));
  return server;
}

let ownServers = 0;

/** The bytes that a cluster takes at most. */
const largestCluster = 500_000_000;

/** Returns the path of a folder for a cluster: in memory where there is room, since it consists of many small files. */
function folderFor(name: string): string {
  const memory = '/dev/shm';
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
  return path.join(bavail * bsize > largestCluster ? memory : tmpdir(), `touchstone-postgres-${name}`);
}

/** Stops the server of a folder. */
const stopServer = 'kill -INT $(head -1 "$0/data/postmaster.pid") 2>/dev/null && sleep 1';

/**
 * Returns the address of the server that all test files of a test run share. The first one that needs it starts it, and it ends
 * with the test run.
 */
export async function sharedServer(): Promise<string> {
  return await makeOnce({
    folder: folderFor,
    make: async (folder) => (await startServer({ folder })).url,
    end: stopServer,
  });
}

let schemas = 0;

/** Returns the name of a schema that no test has used. */
export function newSchema(): string {
  return `test_${process.pid}_${(schemas += 1)}`;
}

/** Creates a database on a server, and returns its address. */
export async function createDatabase(url: string): Promise<string> {
  const name = newSchema();
  await runSql(url, `CREATE DATABASE ${name}`);
  return new URL(`/${name}`, url).href;
}

/** Removes all rows from the tables of a schema; it need not be there. */
export async function emptySchema(url: string, schema: string): Promise<void> {
  const tables = await runSql(
    url,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'layout'`,
  );
  const statements = tables.map(({ name }) => `DELETE FROM ${String(name)};`);
  await runSql(url, `SET session_replication_role = replica; ${statements.join(' ')}`);
}

/** Runs statements on a database. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
