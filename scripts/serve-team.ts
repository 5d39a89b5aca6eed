import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isRunning } from '../src/core/lib/files/find-leftovers.ts';
import { findOwner, findPostgres } from './debian-postgres.ts';
import { findFreePort } from './find-free-port.ts';

/**
 * Starts a server for a team on this machine, without containers: over the PostgreSQL of Debian where it is installed, whose data are
 * then in `.touchstone-server/`; else over SQLite. Its arguments are those of `touchstone server`. Both end with Ctrl-C. A database that a
 * killed process of this script left is used again, and ends with this one; that of one at work is used, and stays.
 */
const root = path.resolve(import.meta.dirname, '..');
const folder = path.resolve('.touchstone-server');
const programs = findPostgres();

/** Creates the cluster when there is none. Its password is in a file that only the owner of the folder can read. */
function prepare(bin: string, owner: ReturnType<typeof findOwner>): string {
  const [data, file] = [path.join(folder, 'data'), path.join(folder, 'password')];
  if (existsSync(path.join(data, 'PG_VERSION'))) return readFileSync(file, 'utf8');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(32).toString('base64url');
  writeFileSync(file, password, { mode: 0o600 });
  if (owner !== undefined) for (const each of [folder, file]) chownSync(each, owner.uid, owner.gid);
  const words = [
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${file}`,
    '--encoding=UTF8',
    '--no-locale',
  ];
  execFileSync(path.join(bin, 'initdb'), ['-D', data, ...words], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    ...owner,
  });
  return password;
}

/** A database that serves: how it is reached, and how this process leaves it. */
interface Served {
  readonly url: string;
  readonly password: string;
  /** Ends the database, unless another process of this script is at work with it. */
  leave(): Promise<void>;
}

/** Returns the database of this folder: the one that runs already, else one that is started on this machine alone. */
async function servePostgres(bin: string): Promise<Served> {
  const owner = findOwner('postgres');
  const password = prepare(bin, owner);
  const running = findRunning();
  if (running === undefined) return await startPostgres(bin, { owner, password });
  await createUser(running.port, password, () => isRunning(running.pid));
  const { pid, port, isInUse } = running;
  console.error(
    `PostgreSQL runs already, on port ${port} (process ${pid}${isInUse ? '' : ', left by a killed server'}).`,
  );
  return {
    url: urlOf(port),
    password,
    leave: async () => {
      if (isInUse) return;
      process.kill(pid, 'SIGINT');
      while (isRunning(pid)) await pause(50);
    },
  };
}

/**
 * Finds the server that runs over the data of this folder, by its own file: the process, the folder, the time, the port. Undefined where there
 * is none, or where the process of that number is another program.
 */
function findRunning(): { pid: number; port: number; isInUse: boolean } | undefined {
  const file = path.join(folder, 'data', 'postmaster.pid');
  const [pid, , , port] = existsSync(file) ? readFileSync(file, 'utf8').split('\n').map(Number) : [];
  if (pid === undefined || port === undefined || !isRunning(pid)) return undefined;
  if (!read(pid, 'args').includes(`-D ${path.join(folder, 'data')}`)) return undefined;
  // Once its parent is killed, it is the child of another process.
  return { pid, port, isInUse: read(Number(read(pid, 'ppid')), 'args').includes('serve-team.ts') };
}

/** Returns what is known of a process; an empty text when it has ended. */
function read(pid: number, what: 'args' | 'ppid'): string {
  const { stdout } = spawnSync('ps', ['-ww', '-o', `${what}=`, '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim();
}

function urlOf(port: number): string {
  return `postgres://touchstone@127.0.0.1:${port}/touchstone`;
}

async function startPostgres(
  bin: string,
  { owner, password }: { owner: ReturnType<typeof findOwner>; password: string },
): Promise<Served> {
  const port = await findFreePort();
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  const database = spawn(
    path.join(bin, 'postgres'),
    ['-D', path.join(folder, 'data'), ...settings.flatMap((each) => ['-c', each])],
    // A group of its own: Ctrl-C reaches the server first, which still needs the database.
    { cwd: folder, stdio: 'ignore', detached: true, ...owner },
  );
  try {
    await createUser(port, password, () => database.exitCode === null);
  } catch (error) {
    await stop(database);
    throw error;
  }
  return { url: urlOf(port), password, leave: async () => await stop(database) };
}

/** Creates the database, and a user for the server that is no superuser. */
async function createUser(port: number, password: string, isRunning: () => boolean): Promise<void> {
  for (;;) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database: 'postgres',
      password,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const known = await client.query("SELECT 1 FROM pg_database WHERE datname = 'touchstone'");
      if (known.rowCount === 0) {
        await client.query(`CREATE ROLE touchstone LOGIN CREATEROLE PASSWORD '${password}'`);
        await client.query('CREATE DATABASE touchstone OWNER touchstone');
      }
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => {});
      // Until it listens, and while it starts.
      const isStarting = ['ECONNREFUSED', '57P03'].includes(String(Object(error).code));
      if (!isStarting || !isRunning()) throw error;
      await pause(50);
    }
  }
}

/** Serves until Ctrl-C, and ends the database after the server. Returns the exit code. */
async function serve(): Promise<number> {
  const started = programs === undefined ? undefined : await servePostgres(programs);
  const store = started === undefined ? [] : ['--store', started.url];
  // The password is in the environment: lists of processes show arguments.
  const env = started === undefined ? process.env : { ...process.env, PGPASSWORD: started.password };
  const program = path.join(root, 'bin', 'touchstone.js');
  // After the arguments, so that a command below `server`, such as `invite`, gets the store, too.
  const server = spawn(process.execPath, [program, 'server', ...process.argv.slice(2), ...store], {
    // By the channel, the server notices that this process was killed, and ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...env, TOUCHSTONE_WRAPPED: '1' },
  });
  // A terminal that is closed sends SIGHUP: the database must not outlive the server.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => server.kill('SIGINT'));
  const [code] = (await once(server, 'exit')) as [number | null];
  await started?.leave();
  return code ?? 1;
}

async function stop(database: ChildProcess): Promise<void> {
  if (database.exitCode !== null) return;
  const ended = once(database, 'exit');
  database.kill('SIGINT');
  await ended;
}

process.exitCode = await serve();
