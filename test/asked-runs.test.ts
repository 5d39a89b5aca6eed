import type { ChildProcess } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { TokenScope } from '../src/core/schema/account/rights.ts';
import type { AskedRunView } from '../src/core/schema/api/acting/asked-run.ts';
import { readAudit } from '../src/privacy/accounts/audit.ts';
import { addToken } from '../src/privacy/accounts/manage.ts';
import { serveTeam } from '../src/server/team/serve-team.ts';
import { openSqliteStore, sqliteFileIn } from '../src/stores/sqlite/sqlite.ts';
import type { Store } from '../src/stores/store.ts';
import { touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { callTool } from './support/mcp-client.ts';

const cases = 6;
let project: Awaited<ReturnType<typeof writeSlowProject>>;
let home: Store;
let server: Awaited<ReturnType<typeof serveTeam>>;
let first: string;
let questions: { ids: string[]; targets: string[] };

beforeAll(async () => {
  project = await writeSlowProject({ cases, concurrency: 1 });
  const config = path.join(project.folder, 'touchstone.config.yaml');
  await appendFile(config, 'maxCost: 5\nagents: { maxCost: 2, perDay: 3, unpriced: allow }\n');
  expect((await touchstone(['run'], { cwd: project.folder })).code).toBe(0);
  home = openSqliteStore(sqliteFileIn(path.join(project.folder, '.touchstone')));
  first = (await home.listRuns())[0]?.id ?? '';
  const run = await home.readRun(first);
  questions = { ids: ['q1', 'q3'], targets: [run?.targets[0]?.name ?? ''] };
  const assets = { document: '<!doctype html>', files: new Map<string, never>() };
  server = await serveTeam({ port: 0, home, openProject: async () => home, assets });
});
afterAll(async () => {
  await server.close();
  await home.close();
});

async function tokenOf(...scopes: TokenScope[]): Promise<string> {
  const actor = { who: 'test', address: null, project: 'main' };
  return await addToken(home.accounts, actor, { name: 'ci', scopes, days: 1 });
}

async function ask(method: string, place: string, body?: object, token?: string) {
  const sent = JSON.stringify(body);
  const response = await fetch(`${server.origin}/api${place}`, {
    method,
    body: sent,
    headers: {
      authorization: `Bearer ${token ?? (await tokenOf('run'))}`,
      ...(sent !== undefined && { 'content-type': 'application/json' }),
    },
  });
  return { status: response.status, said: (await response.json()) as AskedRunView };
}

/** Waits until what was asked for is in a state. */
async function until(id: string, state: AskedRunView['state'], mostMs = 600_000): Promise<AskedRunView> {
  const token = await tokenOf('run');
  const end = performance.now() + mostMs;
  for (;;) {
    const { said, status } = await ask('GET', `/asked-runs/${id}`, undefined, token);
    if (said.state === state) return said;
    if (said.state === 'refused' || status !== 200 || performance.now() > end)
      throw new Error(JSON.stringify(said));
    await wait(100);
  }
}

async function startWorker(env: Record<string, string> = {}): Promise<ChildProcess> {
  const started = Promise.withResolvers<ChildProcess>();
  const ended = touchstone(['worker', '--wait'], { cwd: project.folder, env, onStarted: started.resolve });
  const child = await started.promise;
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('Waiting for runs')) await wait(20);
  return child;
}

async function untilEnded(run: string) {
  while ((await home.readRun(run))?.status === 'running' && (await home.isClaimed(run))) await wait(50);
  return await home.readRun(run);
}

test('a person asks again on a server without a config: a worker plans it, and begins it once it is confirmed', async () => {
  const before = (await project.readCalls()).length;
  const place = `/runs/${first}/plans`;
  expect((await ask('POST', place, questions, await tokenOf('read'))).status).toBe(403);
  const { said: asked } = await ask('POST', place, questions);
  expect(asked).toMatchObject({ state: 'waiting', workers: 0 });
  await startWorker();
  await startWorker();
  const { plan } = await until(asked.id, 'planned');
  expect(plan?.text).toContain('2 calls');
  expect(plan?.command).toContain("--filter 'id=q1|q3'");
  expect(await project.readCalls()).toHaveLength(before);
  const confirmation = `/asked-runs/${asked.id}/confirmation`;
  for (let repeats = 0; repeats < 3; repeats += 1) await ask('POST', confirmation, { maxCost: 10 });
  const { run = '' } = await until(asked.id, 'begun');
  const ended = await untilEnded(run);
  expect(ended).toMatchObject({ status: 'completed', dataset: { cases: 2 } });
  // The limit of the config holds, whatever is confirmed.
  expect(ended?.settings.maxCost).toBe(5);
  expect((await project.readCalls()).slice(before)).toEqual(['question 1', 'question 3']);
  expect(await home.listRuns()).toHaveLength(2);
  const log = await Array.fromAsync(readAudit(home.accounts));
  expect(log.filter(({ action }) => action === 'POST asked-runs')).toHaveLength(3);
  expect((await ask('GET', '/asked-runs/none')).status).toBe(404);
  const { said: other } = await ask('POST', place, { ...questions, ids: ['q99'] });
  await expect(until(other.id, 'planned')).rejects.toThrow('The filter selects none of the 6 questions.');
});

test('an agent plans, begins and stops a run by a worker, within what the config lets agents spend', async () => {
  const client = new Client({ name: 't', version: '1' });
  const connect = async (scope: TokenScope) => {
    const headers = { authorization: `Bearer ${await tokenOf(scope)}` };
    const address = new URL(`${server.origin}/api/projects/main/mcp`);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  };
  await connect('run');
  onTestFinished(async () => await client.close());
  const { reply: alone } = await callTool(client, 'start_run', { maxCost: 1 });
  expect(alone.error.message).toContain('No worker waits');
  const worker = await startWorker({ SLOW_MS: '3000' });
  const { reply: plan } = await callTool(client, 'plan_run', { filter: 'id=q1' });
  expect(plan).toMatchObject({ calls: 1, cost: { usd: 0.01 } });
  const { reply: dear } = await callTool(client, 'start_run', { maxCost: 2.5 });
  expect(dear.error.code).toBe('cost-over-limit');
  const { reply: begun } = await callTool(client, 'start_run', { maxCost: 2 });
  expect(begun).toMatchObject({ planned: { calls: cases }, maxCost: 2 });
  const { reply: second } = await callTool(client, 'start_run', { maxCost: 0.5 });
  expect(second.error.code).toBe('run-in-progress');
  expect((await callTool(client, 'stop_run', { run: begun.run })).reply.state).toBe('stopping');
  expect((await untilEnded(begun.run))?.stops?.[0]?.message).toContain('a coding agent stopped it');
  expect((await home.readRun(begun.run))?.tags).toEqual({ by: 'agent' });
  const { reply: resumed } = await callTool(client, 'start_run', { resume: begun.run, maxCost: 1 });
  expect(resumed.run).toBe(begun.run);
  // The worker is killed in the middle: its process stores what is in flight, and asks nothing else.
  worker.kill('SIGKILL');
  const stopped = await untilEnded(begun.run);
  expect(stopped?.status).not.toBe('completed');
  const { done } = await home.countProgress(begun.run);
  const calls = (await project.readCalls()).length;
  await startWorker();
  const { reply: third } = await callTool(client, 'start_run', { resume: begun.run, maxCost: 1 });
  expect((await untilEnded(third.run))?.status).toBe('completed');
  expect(await project.readCalls()).toHaveLength(calls + cases - done);
  const log = await Array.fromAsync(readAudit(home.accounts));
  expect(log.map(({ action }) => action).filter((action) => action.startsWith('run-'))).toEqual([
    'run-start',
    'run-stop',
    'run-start',
    'run-start',
  ]);
});
