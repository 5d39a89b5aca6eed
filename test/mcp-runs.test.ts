import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { temporaryFolder } from './run-cli.ts';
import { callTool, connectProcess, type Era } from './support/mcp-client.ts';

/** Answers the first two questions at once, and the others as soon as there is a file `go`; writes down what it was asked. */
const bot = `
  import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
  export default async (question) => {
    writeFileSync('pid', String(process.pid));
    appendFileSync('asked.txt', question + '\\n');
    while (!/question [01]$/.test(question) && !existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
    return { answer: 'yes', cost: 0.01 };
  };`;

/** Makes a project of eight questions whose bot waits after two of them. */
async function makeProject(agents: object = { unpriced: 'allow' }, isWaiting = true): Promise<string> {
  const folder = await temporaryFolder();
  const rows = Array.from({ length: 8 }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { answer: 'yes' },
  }));
  const config = {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: './bot.mjs', name: 'bot' }],
    concurrency: 1,
    agents,
  };
  writeFileSync(path.join(folder, 'bot.mjs'), bot);
  writeFileSync(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  writeFileSync(path.join(folder, 'touchstone.config.json'), JSON.stringify(config));
  if (!isWaiting) writeFileSync(path.join(folder, 'go'), '');
  return folder;
}

function askedIn(folder: string): string[] {
  const file = path.join(folder, 'asked.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

test('a run goes on without its client, one at a time, and the next client follows it to its end', async () => {
  const folder = await makeProject();
  const first = await connectProcess(folder);
  const { reply } = await callTool(first.client, 'start_run', { maxCost: 1, note: 'first try' });
  expect(reply).toMatchObject({ planned: { calls: 8, judgeCalls: 0 }, maxCost: 1 });
  const again = await callTool(first.client, 'start_run', { maxCost: 0.5 });
  expect(again.reply.error).toMatchObject({
    code: 'run-in-progress',
    message: `Run ${reply.run} is under way; one at a time.`,
  });
  // The server is killed, and the client with it: the run notices neither.
  process.kill(first.pid, 'SIGKILL');
  const second = await connectProcess(folder, { era: 'legacy' });
  const progress: number[] = [];
  const waiting = second.client.callTool(
    { name: 'run_status', arguments: { run: reply.run, waitSeconds: 45 } },
    { onprogress: ({ progress: done }) => progress.push(done) },
  );
  await expect.poll(() => progress.length).toBeGreaterThan(0);
  writeFileSync(path.join(folder, 'go'), '');
  await waiting;
  for (let state = 'running'; state === 'running'; )
    ({
      reply: { state },
    } = await callTool(second.client, 'run_status', { run: reply.run, waitSeconds: 45 }));
  const { reply: status } = await callTool(second.client, 'run_status');
  expect(status).toMatchObject({ run: reply.run, state: 'completed', done: 8, planned: 8, maxCost: 1 });
  expect(status.spent).toBeCloseTo(0.08);
  expect(askedIn(folder)).toHaveLength(8);
  expect(readdirSync(path.join(folder, '.touchstone', 'agents')).toSorted()).toEqual([
    `${reply.run}.log`,
    'starts.jsonl',
  ]);
  const { reply: project } = await callTool(second.client, 'project');
  expect(project.runs[0]).toMatchObject({ run: reply.run, note: { from: 'file', text: 'first try' } });
});

test('a run that is stopped, or whose process is killed, is continued, and no answer is asked for twice', async () => {
  const folder = await makeProject();
  const { client } = await connectProcess(folder);
  const { reply: begun } = await callTool(client, 'start_run', { maxCost: 1 });
  await expect.poll(() => askedIn(folder).length).toBe(3);
  const { reply: stopping } = await callTool(client, 'stop_run', { run: begun.run });
  expect(stopping).toMatchObject({ run: begun.run, state: 'stopping' });
  // The call in flight is finished; nothing else is asked.
  const log = path.join(folder, '.touchstone', 'agents', `${begun.run}.log`);
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('a coding agent stopped it');
  writeFileSync(path.join(folder, 'go'), '');
  const ended = async () => (await callTool(client, 'run_status', { run: begun.run, waitSeconds: 45 })).reply;
  expect(await ended()).toMatchObject({ state: 'interrupted', done: 3 });
  expect((await callTool(client, 'stop_run', { run: begun.run })).reply.state).toBe('interrupted');
  rmSync(path.join(folder, 'go'));
  const { reply: resumed } = await callTool(client, 'start_run', { resume: begun.run, maxCost: 1 });
  expect(resumed.run).toBe(begun.run);
  await expect.poll(() => askedIn(folder).length).toBe(4);
  const pid = Number(readFileSync(path.join(folder, 'pid'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  expect(await ended()).toMatchObject({ state: 'interrupted', done: 3 });
  writeFileSync(path.join(folder, 'go'), '');
  await callTool(client, 'start_run', { resume: begun.run, maxCost: 1 });
  expect(await ended()).toMatchObject({ state: 'completed', done: 8 });
  // Only the question that was being answered when the process was killed was asked again.
  const counts = Map.groupBy(askedIn(folder), (question) => question);
  expect([...counts.values()].map((times) => times.length).toSorted((a, b) => a - b)).toEqual([
    1, 1, 1, 1, 1, 1, 1, 2,
  ]);
});

test('in both eras a person is asked before an unknown price, and only their yes starts the run', async () => {
  const folder = await makeProject({ maxCost: 2, perDay: 4 }, false);
  const alone = await connectProcess(folder);
  const { reply: refused } = await callTool(alone.client, 'start_run', { maxCost: 1 });
  expect(refused.error).toEqual({
    code: 'cost-over-limit',
    message:
      'The price is not known, up to $1.00 are asked for, and an agent may spend $2.00 on a run without asking.',
    remedy:
      'A person can run it: `touchstone run … --max-cost 1`; or set agents.maxCost, and agents.unpriced: allow for what costs nothing, in the config.',
  });
  const questions: string[] = [];
  let confirm = false;
  const connect = async (era: Era) => {
    const answer = (message: string) => {
      questions.push(message);
      return { action: 'accept', content: { confirm } } as const;
    };
    return (await connectProcess(folder, { era, answer })).client;
  };
  const [newest, legacy] = [await connect('auto'), await connect('legacy')];
  for (const client of [newest, legacy]) {
    const { reply: declined } = await callTool(client, 'start_run', { maxCost: 1 });
    expect(declined.error).toMatchObject({
      code: 'cost-over-limit',
      message: 'The person has not agreed to this spending.',
    });
    expect(questions.splice(0)).toEqual(['Spend up to $1.00 on 8 calls? Not all prices are known.']);
  }
  confirm = true;
  const complete = async (client: Client, maxCost: number): Promise<string> => {
    const { reply: begun } = await callTool(client, 'start_run', { maxCost });
    expect(begun.run).toMatch(/^\d{8}-/);
    const { reply: status } = await callTool(client, 'run_status', { waitSeconds: 45 });
    expect(status).toMatchObject({ run: begun.run, state: 'completed' });
    return begun.run as string;
  };
  const first = await complete(newest, 1);
  // Now the price is known: 8 calls at one cent each.
  const { reply: planned } = await callTool(alone.client, 'plan_run');
  expect(planned.cost).toEqual({ usd: expect.closeTo(0.08), from: [first], unknown: [] });
  const { reply: over } = await callTool(alone.client, 'start_run', { maxCost: 3 });
  expect(over.error.message).toBe(
    'Planned are $0.08, up to $3.00 are asked for, and an agent may spend $2.00 on a run without asking.',
  );
  await complete(legacy, 3);
  expect(questions).toHaveLength(2);
  const { reply: day } = await callTool(newest, 'start_run', { maxCost: 5 });
  expect(day.error.message).toBe(
    'Of $4.00 that agents may spend in 24 hours, $3.84 are left; this call may spend up to $5.00.',
  );
  expect(
    (await callTool(alone.client, 'start_run', { maxCost: 1, failedOf: 'latest' })).reply.error.code,
  ).toBe('nothing-failed');
});

test('a server for reading lists nothing that starts or stops', async () => {
  const folder = await makeProject();
  const { client } = await connectProcess(folder, { args: ['--read-only'] });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('start_run');
  expect(tools.map(({ name }) => name)).not.toContain('stop_run');
});

test('the tools are few, and what keeps a run from starting is said: an unknown target, a value that looks like an option', async () => {
  const folder = await makeProject();
  const { client } = await connectProcess(folder);
  const whole = await client.listTools();
  expect(whole.tools).toHaveLength(12);
  expect(JSON.stringify(whole.tools).length).toBeLessThanOrEqual(16_000);
  const hints = whole.tools.find(({ name }) => name === 'start_run')?.annotations;
  expect(hints).toMatchObject({ readOnlyHint: false, destructiveHint: false, openWorldHint: true });
  const unknown = await callTool(client, 'start_run', { maxCost: 1, targets: ['nix'] });
  expect(unknown.isError).toBe(true);
  const option = await callTool(client, 'start_run', {
    maxCost: 1,
    filter: '--output=touchstone.config.json',
  });
  expect(option.isError).toBe(true);
  expect(readFileSync(path.join(folder, 'touchstone.config.json'), 'utf8')).toContain('golden.jsonl');
  const both = await callTool(client, 'start_run', { maxCost: 1, resume: 'latest', limit: 1 });
  expect(both.reply.error.code).toBe('usage-invalid');
  const without = await callTool(client, 'start_run', {});
  expect(without.text).toContain('maxCost');
  expect(askedIn(folder)).toEqual([]);
});
