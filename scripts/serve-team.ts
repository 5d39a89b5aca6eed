import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort, findOwner, findPostgres } from './debian-postgres.ts';

/**
 * Starts a server for a team on this machine, without containers: over the PostgreSQL of Debian where it is installed, whose data are
 * then in `.touchstone-server/`; else over SQLite. Its arguments are those of `touchstone server`. Both end with Ctrl-C.
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

/** Starts PostgreSQL on this machine alone. */
async function startPostgres(
  bin: string,
): Promise<{ database: ChildProcess; url: string; password: string }> {
  const owner = findOwner('postgres');
  const [password, port] = [prepare(bin, owner), await findFreePort()];
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  const database = spawn(
    path.join(bin, 'postgres'),
    ['-D', path.join(folder, 'data'), ...settings.flatMap((each) => ['-c', each])],
    // A group of its own: Ctrl-C reaches the server first, which still needs the database.
    { cwd: folder, stdio: 'ignore', detached: true, ...owner },
  );
  try {
    await createUser(port, password, database);
  } catch (error) {
    await stop(database);
    throw error;
  }
  return { database, url: `postgres://touchstone@127.0.0.1:${port}/touchstone`, password };
}

/** Creates the database, and a user for the server that is no superuser. */
async function createUser(port: number, password: string, database: ChildProcess): Promise<void> {
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
      if (!isStarting || database.exitCode !== null) throw error;
      await pause(50);
    }
  }
}

/** Serves until Ctrl-C, and ends the database after the server. Returns the exit code. */
async function serve(): Promise<number> {
  const started = programs === undefined ? undefined : await startPostgres(programs);
  const store = started === undefined ? [] : ['--store', started.url];
  // The password is in the environment: lists of processes show arguments.
  const env = started === undefined ? process.env : { ...process.env, PGPASSWORD: started.password };
  const program = path.join(root, 'bin', 'touchstone.js');
  // After the arguments, so that a command below `server`, such as `invite`, gets the store, too.
  const server = spawn(process.execPath, [program, 'server', ...process.argv.slice(2), ...store], {
    stdio: 'inherit',
    env,
  });
  // A terminal that is closed sends SIGHUP: the database must not outlive the server.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => server.kill('SIGINT'));
  const [code] = (await once(server, 'exit')) as [number | null];
  if (started !== undefined) await stop(started.database);
  return code ?? 1;
}

async function stop(database: ChildProcess): Promise<void> {
  if (database.exitCode !== null) return;
  const ended = once(database, 'exit');
  database.kill('SIGINT');
  await ended;
}

process.exitCode = await serve();
