import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../scripts/find-free-port.ts';
import type { Run } from '../src/core/schema/run.ts';
import { neverStopped } from '../src/evaluate/run/run-needs.ts';
import { sendRun } from '../src/library/api/push/push-run.ts';
import { readAudit } from '../src/privacy/accounts/audit.ts';
import { addToken } from '../src/privacy/accounts/manage.ts';
import { openPostgresStore } from '../src/stores/postgres/postgres.ts';
import { openSqliteStore, sqliteFileIn } from '../src/stores/sqlite/sqlite.ts';
import type { Store } from '../src/stores/store.ts';
import { program, temporaryFolder } from './run-cli.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { createDatabase, describeWithPostgres, sharedServer } from './support/postgres-server.ts';
import { exportedLines, makePushedRun } from './support/pushed-run.ts';

/** The questions of a run, whose export has several parts. */
const questions = 600;
/** The bytes after which the server is killed: in the first part, and in the second one. */
const killedAfter = [300_000, 2_200_000];

/** Starts `touchstone server` on a store, behind an address. */
async function startServer(store: string, url: string): Promise<{ child: ChildProcess; port: number }> {
  const port = await findFreePort();
  const args = [program, 'server', '--store', store, '--port', String(port), '--url', url];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  while (!printed.includes('Ctrl-C')) printed += String(((await once(child.stdout, 'data')) as [Buffer])[0]);
  return { child, port };
}

/** Sends a run to servers that are killed, and to one that is not. Returns what it is like afterwards, and what it has to be like. */
async function sendToKilled(place: string, home: Store) {
  await home.exists();
  const actor = { who: 'test', address: null, project: 'main' };
  const token = await addToken(home.accounts, actor, { name: 'ci', scopes: ['run'], days: 1 });
  const { run, store, lines } = await makePushedRun(questions);
  let [port, left] = [0, killedAfter[0]];
  let child: ChildProcess | undefined;
  let sent = 0;
  await using proxy = await startCuttingProxy(
    () => port,
    () => undefined,
    (bytes) => {
      sent += bytes;
      if (left !== undefined && sent > left) child?.kill('SIGKILL');
    },
  );
  const url = `http://127.0.0.1:${proxy.port}`;
  onTestFinished(() => void child?.kill('SIGKILL'));
  const receiver = { server: url, project: 'main', stop: neverStopped.stop, firstPauseMs: 1 };
  const send = async () =>
    await sendRun(run, store, { ...receiver, environment: { TOUCHSTONE_TOKEN: token } });
  for (const bytes of killedAfter) {
    ({ child, port } = await startServer(place, url));
    const killed = once(child, 'exit');
    [left, sent] = [bytes, 0];
    await expect(send()).rejects.toMatchObject({ code: 'push-refused' });
    expect(await killed).toEqual([null, 'SIGKILL']);
    expect((await home.readRun(run.id))?.status ?? 'planning').toBe('planning');
  }
  left = undefined;
  ({ child, port } = await startServer(place, url));
  const whole = await send();
  const entries = await Array.fromAsync(readAudit(home.accounts));
  const after = {
    exported: await exportedLines((await home.readRun(run.id)) as Run, home),
    runs: (await home.listRuns()).length,
    // What had arrived before is not sent again.
    isContinued: whole.sent < whole.lines,
    entries: entries.filter(({ action }) => action === 'POST projects').length,
    sentAgain: (await send()).sent,
  };
  child.kill('SIGINT');
  await once(child, 'exit');
  return { after, expected: { exported: lines, runs: 1, isContinued: true, entries: 1, sentAgain: 0 } };
}

test('a server over SQLite that is killed while it receives a run has what was stored, and takes the rest, nothing twice', async () => {
  const folder = path.join(await temporaryFolder(), '.touchstone');
  const home = openSqliteStore(sqliteFileIn(folder));
  onTestFinished(async () => await home.close());
  const { after, expected } = await sendToKilled(folder, home);
  expect(after).toEqual(expected);
});

describeWithPostgres('over PostgreSQL', () => {
  test('a server that is killed while it receives a run has what was stored, and takes the rest, nothing twice', async () => {
    const url = await createDatabase(await sharedServer());
    const home = openPostgresStore(url);
    onTestFinished(async () => await home.close());
    const { after, expected } = await sendToKilled(url, home);
    expect(after).toEqual(expected);
  });
});
