// `node bench/sign-ins.ts`: a signed-in page while strangers try to sign in, each from another address. Needs a build. See README.md.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTable } from './format-table.ts';
import { median } from './measure.ts';

const { values } = parseArgs({
  options: {
    /** Foreign attempts to sign in, in a second. */
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    /** The address of a database, in place of a new folder. */
    store: { type: 'string' },
  },
});
const [rate, seconds] = [Number(values.rate), Number(values.seconds)];
const password = 'correct horse battery';
const program = path.resolve(import.meta.dirname, '../bin/touchstone.js');
const cwd = mkdtempSync(path.join(tmpdir(), 'touchstone-sign-ins-'));
const store = values.store === undefined ? [] : ['--store', values.store];

/** Starts a server behind a proxy, on a port that is free. Returns its address and the process. */
async function startServer() {
  const words = [program, 'server', '--behind-proxy', ...store];
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const origin = /^The server: (\S+)/.exec(line)?.[1];
    if (origin !== undefined) return { child, origin };
  }
  throw new Error('The server has not started.');
}

/** Sends a form as a browser does. */
async function post(url: string, fields: Readonly<Record<string, string>>, address: string) {
  return await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(url).origin, 'x-forwarded-for': address },
    body: new URLSearchParams(fields),
  });
}

/** Asks for the list of runs as often as a page does, for a time. Returns the milliseconds of each answer. */
async function readPage(origin: string, cookie: string): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(100)) {
    const start = performance.now();
    const answer = await fetch(`${origin}/api/runs`, {
      headers: { cookie, 'x-forwarded-for': '192.0.2.1' },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The page was answered with ${answer.status}.`);
    times.push(performance.now() - start);
  }
  return times;
}

/** Tries to sign in at an even rate. Returns the number of answers of each status. */
async function attack(origin: string): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let count = 0; count < rate * seconds; count += 1) {
    const address = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
    const fields = { name: `stranger-${count % 500}`, password };
    const answered = post(`${origin}/sign-in`, fields, address).then(async (answer) => {
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    });
    pending.push(answered);
    await pause(Math.max(0, start + (count * 1000) / rate - performance.now()));
  }
  await Promise.all(pending);
  return statuses;
}

const { child, origin } = await startServer();
try {
  const invited = [program, 'server', 'invite', 'ann', ...store];
  const said = execFileSync(process.execPath, invited, { cwd, encoding: 'utf8' });
  const entered = await post(said.trim().split('\n').at(-1) ?? '', { password }, '192.0.2.1');
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const alone = await readPage(origin, cookie);
  const [attacked, statuses] = await Promise.all([readPage(origin, cookie), attack(origin)]);
  const row = (name: string, times: readonly number[]) => {
    const sorted = times.toSorted((one, other) => one - other);
    const at95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    return [name, median(times).toFixed(1), at95.toFixed(1), (sorted.at(-1) ?? 0).toFixed(1)];
  };
  console.log(
    formatTable(
      ['a page that is signed in', 'median ms', '95 % ms', 'most ms'],
      [row('alone', alone), row(`with ${rate} foreign sign-ins a second`, attacked)],
    ),
  );
  console.log(Array.from(statuses, ([status, count]) => `${count} answers ${status}`).join(', '));
} finally {
  child.kill('SIGINT');
  await once(child, 'exit');
  rmSync(cwd, { recursive: true, force: true });
}
