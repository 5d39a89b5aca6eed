import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from 'vitest';
import { findFreePort } from '../../scripts/find-free-port.ts';

/** The program of Redis or Valkey; undefined where there is none. */
const program = ['redis-server', 'valkey-server'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Describes tests that need a Redis server; they are skipped where there is none. */
export function describeWithRedis(title: string, tests: () => void): void {
  // oxlint-disable-next-line vitest/valid-describe-callback -- the callback of the caller
  describe.skipIf(program === undefined)(`${title} (needs redis-server)`, tests);
}

/** A Redis server for tests, on a port of its own, that writes every change to disk. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a server on the loopback address. It ends when it is disposed of. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-redis-'));
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--appendonly', 'yes'];
    child = spawn(program ?? '', settings, { stdio: 'ignore' });
    while (!(await isReached(port))) await pause(20);
  };
  const kill = async () => {
    if (child === undefined) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    child = undefined;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function isReached(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [reply] = (await once(socket, 'data')) as [Buffer];
    return reply.toString().startsWith('+PONG');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
