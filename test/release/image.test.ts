import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { execute, packedArchive, root } from './pack.ts';

// True where this user may have a root and mounts of its own, as the program that starts containers has.
const hasMounts = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

// What bases that cannot be pulled here add: the packages of Debian in `gcr.io/distroless/nodejs24-debian13`, whose installed sizes come to
// 26 MB in Debian 12, without Node.js; `node:24-trixie-slim`, taken as the 220 MB of `node:22-slim`, and python3 with what it needs.
const base = 40e6;
const workerBase = 220e6 + 45e6;
const most = { server: 250e6, worker: 330e6 };
/** Returns the size of all files in a folder, in bytes. */
async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(files.map(async (file) => (await lstat(path.join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Puts Node.js and its libraries where the base has them, and nothing else: no shell. */
async function layOutBase(folder: string): Promise<number> {
  const node = path.join(folder, 'nodejs', 'bin', 'node');
  await mkdir(path.dirname(node), { recursive: true });
  await copyFile(process.execPath, node);
  const { stdout } = await execute('ldd', [process.execPath]);
  for (const [library] of stdout.matchAll(/\/lib\S*\/\S+/g)) {
    await mkdir(path.join(folder, path.dirname(library)), { recursive: true });
    await copyFile(library, path.join(folder, library));
  }
  await mkdir(path.join(folder, 'tmp'));
  await mkdir(path.join(folder, 'etc'));
  await writeFile(path.join(folder, 'etc', 'passwd'), 'nonroot:x:65532:65532::/data:/sbin/nologin\n');
  return (await lstat(node)).size;
}

/** The start of a container: a root that cannot be written but for one folder, a user without rights, and no capability. */
const contain = [
  'mount --bind "$ROOT" "$ROOT" && mount -o remount,bind,ro "$ROOT"',
  'mount -t tmpfs -o uid=65532,gid=65532,mode=700 none "$ROOT/data"',
  'exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid --inh-caps=-all \\',
  '  chroot --userspec=65532:65532 --groups= "$ROOT" /nodejs/bin/node "$@"',
].join('\n');

test.skipIf(!isReleaseTested || !hasMounts)(
  'the image is small, starts read-only without capabilities, has neither npm nor a shell, answers and ends by SIGTERM (needs a root of its own) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await temporaryFolder();
    const layout = path.join(folder, 'root');
    const tarball = await packedArchive();
    await execute(process.execPath, ['scripts/release/lay-out-image.ts', tarball, layout], { cwd: root });
    const own = await bytesIn(layout);
    const node = await layOutBase(layout);
    expect(own + node + base).toBeLessThanOrEqual(most.server);
    expect(own + workerBase).toBeLessThanOrEqual(most.worker);
    if (process.env['TOUCHSTONE_WEIGHTS'] !== undefined)
      process.stdout.write(`${JSON.stringify({ own, node, image: own + node + base })}\n`);
    const files = await readdir(layout, { recursive: true });
    expect(
      files.filter((file) => /(?:^|\/)(?:npm|npx|sh|bash|gcc|cc|typescript|vitest)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([]);

    const start = (...args: string[]) =>
      spawn('unshare', ['--mount', '--', 'sh', '-c', contain, 'sh', '/app/touchstone', ...args], {
        env: { PATH: process.env['PATH'], ROOT: layout, NO_COLOR: '1' },
      });
    const asks = start('doctor');
    let said = '';
    asks.stdout.on('data', (part: Buffer) => (said += part.toString()));
    const [told] = (await once(asks, 'close')) as [number | null];
    expect({ told, said }).toEqual({
      told: 0,
      said: expect.stringContaining('Nothing is in the way of a run.'),
    });
    for (const name of ['pg', 'openid-client', 'bullmq', 'ioredis'])
      expect(said).toMatch(new RegExp(String.raw`^(?:Packages)?\s+${name} \d`, 'm'));

    const server = start('server', '--host', '127.0.0.1', '--store', '/data/store');
    let [output, errors] = ['', ''];
    server.stdout.on('data', (part: Buffer) => (output += part.toString()));
    server.stderr.on('data', (part: Buffer) => (errors += part.toString()));
    const ended = once(server, 'exit') as Promise<[number | null, string | null]>;
    await expect.poll(() => output + errors).toMatch(/http:\/\/\S+:\d+/);
    const [, origin = ''] = /(http:\/\/[^/\s]+:\d+)/.exec(output + errors) ?? [];
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\s+65532\s+65532/m);
    for (const set of ['CapEff', 'CapPrm', 'CapInh'])
      expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'));
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(await readFile(`/proc/${server.pid}/mounts`, 'utf8')).toMatch(/^\S+ \/ \S+ ro,/m);
    server.kill('SIGTERM');
    expect(await ended).toEqual([
      expect.toSatisfy((code) => code === 0 || code === 130 || code === 143),
      null,
    ]);
  },
);
