import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../src/core/schema/run.ts';
import type { TokenScope } from '../src/core/schema/account/rights.ts';
import { requireWhole } from '../src/decide/analysis/summary/check-totals.ts';
import { neverStopped } from '../src/evaluate/run/run-needs.ts';
import { sendRun } from '../src/library/api/push/push-run.ts';
import { addToken } from '../src/privacy/accounts/manage.ts';
import { readAudit } from '../src/privacy/accounts/audit.ts';
import { serveTeam } from '../src/server/team/serve-team.ts';
import { createMemoryStore } from './support/memory-store.ts';
import { openSqliteStore, sqliteFileIn } from '../src/stores/sqlite/sqlite.ts';
import type { Store } from '../src/stores/store.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { exportedLines, makePushedRun } from './support/pushed-run.ts';

/** The questions of a run; more by hand, for hours of pushes. */
const questions = Number(process.env['TOUCHSTONE_PUSHED_QUESTIONS'] ?? 20);

const folder = await temporaryFolder();
const home = openSqliteStore(sqliteFileIn(path.join(folder, '.touchstone')));
const shop = createMemoryStore();
/** The bytes after which the next connection to the server is cut off; none by default. */
let bytesOf: () => number | undefined = () => undefined;
let server: Awaited<ReturnType<typeof serveTeam>>;
const proxy = await startCuttingProxy(
  () => server.port,
  () => bytesOf(),
);
const address = `http://127.0.0.1:${proxy.port}`;
let environment: Record<string, string>;

beforeAll(async () => {
  await home.exists();
  server = await serveTeam({
    port: 0,
    url: address,
    home,
    openProject: async (project) => await Promise.resolve(project === 'main' ? home : shop),
    assets: { document: '<!doctype html>', files: new Map() },
  });
  environment = { TOUCHSTONE_TOKEN: await tokenOf(['run']) };
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await server.close();
  await home.close();
});

async function tokenOf(scopes: TokenScope[]): Promise<string> {
  return await addToken(
    home.accounts,
    { who: 'test', address: null, project: 'main' },
    { name: 'ci', scopes, days: 1 },
  );
}

const make = async (store?: Store) => await makePushedRun(questions, store);

async function exported(id: string, store: Store = home): Promise<string> {
  const run = await store.readRun(id);
  expect(run?.status).toBe('completed');
  return await exportedLines(run as Run, store);
}

const receiver = { server: address, project: 'main', stop: neverStopped.stop, firstPauseMs: 10 };

/** Cuts the first connection off after so many bytes, and calls back when there is a second one, which gets nothing through. */
function cutFirst(bytes: number, onSecond: () => void): void {
  let connections = 0;
  proxy.drop();
  bytesOf = () => {
    connections += 1;
    if (connections === 1) return bytes;
    onSecond();
    return 0;
  };
}

/** Sends a part of a run. */
async function sendInPart({ run, store }: Awaited<ReturnType<typeof make>>, bytes: number) {
  const stop = new AbortController();
  cutFirst(bytes, () => stop.abort());
  try {
    return await sendRun(run, store, { ...receiver, environment, stop: stop.signal });
  } finally {
    bytesOf = () => undefined;
  }
}

async function ask(token: string, query: string, body = '', project = 'main') {
  const headers = { authorization: `Bearer ${token}` };
  const url = `${address}/api/projects/${project}/runs?${query}`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, said: (await answer.json()) as Record<string, unknown> };
}

test('fifty runs that are sent at once and cut off at random are all there, once, byte for byte', async () => {
  let state = 7;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const cut = () => (random() < 0.6 ? Math.floor(random() * 100_000) : undefined);
  const made = await Promise.all(Array.from({ length: 50 }, async () => await make()));
  bytesOf = cut;
  const sending = made.map(async ({ run, store }) => await sendRun(run, store, { ...receiver, environment }));
  await Promise.all(sending);
  bytesOf = () => undefined;
  expect(proxy.cuts).toBeGreaterThan(20);
  for (const { run, lines } of made) expect(await exported(run.id)).toBe(lines);
  const listed = (await home.listRuns()).map(({ id }) => id);
  expect(listed.toSorted()).toEqual(made.map(({ run }) => run.id).toSorted());
  // One entry for each run, when it was whole.
  const entries = await Array.fromAsync(readAudit(home.accounts));
  expect(entries.filter(({ action }) => action === 'POST projects')).toHaveLength(50);
});

test('a run of which a part was sent is incomplete wherever it is looked at, and is continued from there', async () => {
  const made = await make();
  const { run, store, lines } = made;
  await expect(sendInPart(made, 60_000)).rejects.toMatchObject({ code: 'run-stopped' });
  await expect.poll(async () => (await home.readRun(run.id))?.status).toBe('planning');
  const half = (await home.readRun(run.id)) as Run;
  expect(half).toMatchObject({ isImporting: true, isSent: true });
  expect(half.summary).toBe(undefined);
  await expect(requireWhole(half, home)).rejects.toMatchObject({
    code: 'run-not-whole',
    remedy: expect.stringContaining(`touchstone push ${run.id}`),
  });
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${await tokenOf(['read'])}` };
    return (await (await fetch(`${address}/api/${path}`, { headers })).json()) as Record<string, unknown>;
  };
  expect(await read(`runs/${run.id}`)).toMatchObject({ state: 'sent-in-part', summary: null });
  expect(await read(`runs/${run.id}/gate`)).toMatchObject({ decision: null });
  const other = await make();
  await writeFile(path.join(folder, 'other.jsonl'), other.lines);
  const listed = await touchstone(['runs'], { cwd: folder });
  expect(listed.stdout).toContain('incomplete: sent in part');
  for (const command of [['gate'], ['export'], ['baseline', 'set', 'main']])
    expect(await touchstone([...command, run.id], { cwd: folder })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('incomplete'),
    });
  const checked = await touchstone(['check'], { cwd: folder });
  expect(checked.stdout).toMatch(new RegExp(`${run.id}: \\d+ lines, the last one 0 minutes ago`));
  expect(checked.stdout).toContain('Remove one: touchstone delete RUN');
  // The import of another run does not take it for what a killed import has left.
  expect(await touchstone(['import', 'other.jsonl'], { cwd: folder })).toMatchObject({ code: 0 });
  expect(await read(`compare?a=${run.id}&b=${other.run.id}`)).toMatchObject({ code: 'run-not-whole' });
  const pushed = await sendRun(run, store, { ...receiver, environment });
  expect(pushed.sent).toBeGreaterThan(0);
  expect(pushed.sent).toBeLessThan(pushed.lines);
  expect(await exported(run.id)).toBe(lines);
  // Again: nothing is sent.
  expect(await sendRun(run, store, { ...receiver, environment })).toMatchObject({ sent: 0 });
  expect(await sendRun(other.run, other.store, { ...receiver, environment })).toMatchObject({ sent: 0 });
});

test('a process that is killed while it sends leaves a run that the next one completes', async () => {
  const cwd = await temporaryFolder();
  const store = openSqliteStore(sqliteFileIn(path.join(cwd, '.touchstone')));
  const { run, lines } = await make(store);
  await store.close();
  const args = ['push', run.id, '--server', address];
  for (const bytes of [30_000, 90_000]) {
    const killed = await touchstone(args, {
      cwd,
      env: environment,
      isAlone: true,
      onStarted: (child) => cutFirst(bytes, () => child.kill('SIGKILL')),
    });
    bytesOf = () => undefined;
    expect(killed.code).toBe(null);
    const left = await home.readRun(run.id);
    expect([undefined, 'planning']).toContain(left?.status);
  }
  const sent = await touchstone(args, { cwd, env: environment });
  expect(sent).toMatchObject({ code: 0, stdout: `Sent run ${run.id}: ${address}/runs/${run.id}\n` });
  expect(await exported(run.id)).toBe(lines);
  expect(`${sent.stdout}${sent.stderr}`).not.toContain(environment['TOUCHSTONE_TOKEN']);
});

test('a run of the same id with other content is refused, and nothing changes', async () => {
  const { run, store, lines } = await make();
  await sendRun(run, store, { ...receiver, environment });
  const other = { ...run, note: 'another one' };
  await store.updateRun(other);
  await expect(sendRun(other, store, { ...receiver, environment })).rejects.toMatchObject({
    code: 'push-refused',
    message: expect.stringContaining('is there already, with other content'),
    remedy: expect.stringContaining(`DELETE /api/runs/${run.id}`),
  });
  expect(await exported(run.id)).toBe(lines);
});

test('what is not an export is refused with its place, and totals that do not follow leave nothing', async () => {
  const token = environment['TOUCHSTONE_TOKEN'] as string;
  const { run, lines } = await make();
  const end = /"hash":"(\w+)"\}\n$/.exec(lines)?.[1] ?? '';
  const query = `run=${run.id}&end=${end}&from=0`;
  const status = async (body: string, of = query) => (await ask(token, of, body)).status;
  expect(await status('no JSON\n')).toBe(400);
  expect(await status(`${'['.repeat(100_000)}\n`)).toBe(400);
  expect(await status(lines, query.replace(run.id, '../../etc'))).toBe(400);
  expect(await status(lines, query.replace(run.id, '20260102-030405-none'))).toBe(400);
  expect(await status(lines.replace('question 3', 'question 33'))).toBe(400);
  const edited = await ask(token, query, lines.replace('question 3', 'question 33'));
  // The lines before it are there already, and this part is not read.
  expect(edited.said).toMatchObject({ isWhole: false });
  expect((await home.readRun(run.id))?.isSent).toBe(true);
  expect(await ask(token, query.replace(end, '0'.repeat(32)), lines)).toMatchObject({ status: 400 });
});

test('a half of a run is deleted; a run that is too large, or brings a legal hold without the right, leaves nothing', async () => {
  const made = await make();
  const { run, store } = made;
  await expect(sendInPart(made, 60_000)).rejects.toMatchObject({ code: 'run-stopped' });
  await expect.poll(async () => (await home.readRun(run.id))?.isSent).toBe(true);
  expect(await touchstone(['delete', run.id, '--yes'], { cwd: folder })).toMatchObject({ code: 0 });
  expect(await home.readRun(run.id)).toBe(undefined);
  const assets = { document: '<!doctype html>', files: new Map<string, never>() };
  const small = await serveTeam({
    port: 0,
    home,
    openProject: async () => home,
    assets,
    mostRunBytes: 40_000,
  });
  const refused = sendRun(run, store, { ...receiver, server: small.origin, environment });
  await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining('--largest-run') });
  await small.close();
  expect(await home.readRun(run.id)).toBe(undefined);
  const held = { ...run, holds: ['case-7'] };
  await store.updateRun(held);
  await expect(sendRun(held, store, { ...receiver, environment })).rejects.toMatchObject({
    message: expect.stringContaining('legal hold'),
  });
  expect(await home.readRun(run.id)).toBe(undefined);
  const admin = { TOUCHSTONE_TOKEN: await tokenOf(['admin']) };
  await sendRun(held, store, { ...receiver, environment: admin });
  expect((await home.readRun(run.id))?.holds).toEqual(['case-7']);
});

test('only tokens of the project with the scope may send', async () => {
  const query = `run=r-1&end=${'0'.repeat(32)}&from=0`;
  for (const scope of ['read', 'ingest', 'review', 'look'] as const)
    expect((await ask(await tokenOf([scope]), query)).status).toBe(403);
  const token = await tokenOf(['run']);
  expect((await ask(token, query)).status).toBe(200);
  expect((await ask(token, query, '', 'shop')).status).toBe(403);
  expect((await ask('ts_guess', query)).status).toBe(401);
});

test('a run is sent when it ends, also when it fails its gate; a server that refuses is a warning', async () => {
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'bot.mjs'), 'export default () => "green";');
  await writeFile(
    path.join(cwd, 'golden.jsonl'),
    '{"id":"sky","question":"Which colour?","expected_answer":"blue"}',
  );
  await writeFile(
    path.join(cwd, 'touchstone.config.yaml'),
    `dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs, name: bot }]\nreport: { server: "${address}" }\n`,
  );
  const failed = await touchstone(['run', '--fail-under', '90'], { cwd, env: environment });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(`Sent to ${address}/runs/`) });
  const id = /\/runs\/(\S+)/.exec(failed.stderr)?.[1] ?? '';
  expect((await home.readRun(id))?.status).toBe('completed');
  const rescored = await touchstone(['rescore'], { cwd, env: environment });
  expect(rescored.stderr).toMatch(/Sent to \S+\/runs\//);
  const without = await touchstone(['run'], { cwd, env: { TOUCHSTONE_TOKEN: '' } });
  expect(without.code).toBe(0);
  expect(without.stderr).toMatch(/⚠ Run \S+ was not sent: .* needs a token in TOUCHSTONE_TOKEN/);
  expect(without.stderr).toMatch(/To send it: touchstone push \S+ --server http/);
  expect(await touchstone(['push'], { cwd, env: environment })).toMatchObject({ code: 0 });
});
