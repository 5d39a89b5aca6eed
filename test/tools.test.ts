import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

const toolServer = path.join(import.meta.dirname, 'support', 'mcp-tool-server.ts');

/** A bot that uses one tool for each question, such as `shop echo {"text":"a"}`; `wait` in a file makes it use another that never answers. */
const bot = `
import { appendFileSync, existsSync, rmSync } from 'node:fs';
const send = async (url, session, message) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...session };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const text = await reply.text();
  return { id: reply.headers.get('mcp-session-id'), message: text === '' ? {} : JSON.parse(text.replace(/^[^{]*data: /s, '')) };
};
export default async (question, { tools }) => {
  const [server, name, args = '{}'] = question.replaceAll('TOKEN', process.env.ORDERS_TOKEN).split(' ');
  const url = tools[server];
  appendFileSync(new URL('./asked', import.meta.url), name.split('?')[0] + ' ');
  if (name === 'note' && existsSync(new URL('./die', import.meta.url))) {
    rmSync(new URL('./die', import.meta.url));
    process.kill(process.pid, 'SIGKILL');
  }
  if (server === 'orders') {
    const reply = await fetch(url + name, { headers: { 'x-own': args } });
    return await reply.text();
  }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bot', version: '1' } };
  const { id } = await send(url, {}, { id: 1, method: 'initialize', params: hello });
  const session = { 'mcp-session-id': id };
  await send(url, session, { method: 'notifications/initialized' });
  const isSlow = name === 'note' && existsSync(new URL('./wait', import.meta.url));
  const called = { name: isSlow ? 'hang' : name, arguments: JSON.parse(args) };
  const { message } = await send(url, session, { id: 2, method: 'tools/call', params: called });
  return JSON.stringify(message.result ?? message.error);
};
`;

interface Project {
  /** The lines of `tools` in the config. */
  readonly tools: string;
  readonly rows: readonly object[];
  readonly env?: Readonly<Record<string, string>>;
}

const shop = `  servers: { shop: { mcp: { command: [${process.execPath}, ${toolServer}, --stdio], envFrom: [TOOL_SERVER_PID] } } }`;

async function writeProject({ tools, rows, env = {} }: Project) {
  const folder = await temporaryFolder();
  const at = (name: string) => path.join(folder, name);
  const pidFile = at('pid');
  const config = (lines: string) =>
    writeFileSync(
      at('touchstone.config.yaml'),
      `dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs, name: shopper }]\nmetrics: [tool-failures]\ntools:\n${lines}\n`,
    );
  config(tools);
  writeFileSync(at('bot.mjs'), bot);
  writeFileSync(at('golden.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const run = async (args: readonly string[], onStarted?: Parameters<typeof touchstone>[1]['onStarted']) =>
    await touchstone(args, { cwd: folder, env: { TOOL_SERVER_PID: pidFile, ...env }, onStarted });
  const asked = () => readFileSync(at('asked'), 'utf8').trim().split(' ').toSorted();
  return { folder, at, run, config, asked, pidOf: () => Number(readFileSync(pidFile, 'utf8')) };
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('names that no server lists are refused before anything is asked; a plan counts the tools', async () => {
  const rows = [
    { id: 'a', input: 'shop echo {"text":"hi"}', tool_results: [{ name: 'echo', result: 'prepared' }] },
    { id: 'b', input: 'shop note', tool_results: [{ name: 'order', result: 1 }] },
  ];
  const { run, at, config } = await writeProject({
    tools: `${shop}\n  mocks: [{ name: ordre, result: 1 }]`,
    rows,
  });
  const refused = await run(['run']);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('Did you mean "order"?') });
  config(`${shop}\n  deny: ["pict*"]`);
  const plan = await run(['run', '--dry-run']);
  expect(plan.stdout).toContain(
    'functions, shop (9 tools) · real calls: yes, at least 7 tools that may change things (note, order, fail, …) · denied: pict* · refused: 1 of 9 tools · mocked in 2 of 2 questions · cassette none',
  );
  const first = await run(['run']);
  expect(first.stderr).toContain(
    'The first run with these tools: functions, shop (9 tools) · real calls: yes',
  );
  expect(first.stderr).toContain('No call matched these results of questions: b: tool_results[0] (order).');
  const again = await run(['run', '--verbose']);
  expect(again.stderr).not.toContain('first run');
  expect(again.stdout.replaceAll(/\s+/g, ' ')).toMatch(/→ "?prepared"? \(a mock, not the tool\)/);
  writeFileSync(
    at('golden.jsonl'),
    JSON.stringify({ ...rows[0], tool_results: [{ name: 'ecko', result: 1 }] }),
  );
  const wrong = await run(['run']);
  expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('golden.jsonl:1') });
  expect(wrong.stderr).toContain('no server lists a tool "ecko". Did you mean "echo"?');
});

test('a run that is killed while a call is open leaves no server; only that question is asked again, and the cassette is the same', async () => {
  const rows = ['shop echo {"text":"one"}', 'shop order', 'shop note', 'shop fail'].map((input, index) => ({
    id: `q${index}`,
    input,
  }));
  const tools = `${shop}\n  cassette: shop.jsonl`;
  const calm = await writeProject({ tools, rows });
  await calm.run(['run', '--tools', 'record']);
  const cassette = readFileSync(calm.at('shop.jsonl'), 'utf8');

  const killed = await writeProject({ tools, rows });
  writeFileSync(killed.at('wait'), '');
  const ended = await killed.run(['run', '--tools', 'record', '--concurrency', '1'], async (child) => {
    await expect.poll(() => existsSync(killed.at('pid.hang')), { timeout: 60_000 }).toBe(true);
    child.kill('SIGKILL');
  });
  expect(ended.code).toBe(null);
  await expect.poll(() => isRunning(killed.pidOf()), { timeout: 30_000 }).toBe(false);
  rmSync(killed.at('wait'));
  const resumed = await killed.run(['run', '--tools', 'record', '--resume']);
  expect(resumed.stderr).toContain('in flight');
  expect(killed.asked()).toEqual(['echo', 'fail', 'note', 'note', 'order']);
  expect(readFileSync(killed.at('shop.jsonl'), 'utf8')).toBe(cassette);
});

test('after one line of a cassette is edited, a resumed replay asks that question alone, and no server is started', async () => {
  const rows = ['echo {"text":"one"}', 'order'].map((input, index) => ({
    id: `q${index}`,
    input: `shop ${input}`,
  }));
  const { run, at, asked, config } = await writeProject({ tools: `${shop}\n  cassette: shop.jsonl`, rows });
  await run(['run', '--tools', 'record']);
  const cassette = readFileSync(at('shop.jsonl'), 'utf8');
  config('  servers: { shop: { mcp: { command: [no-such-program] } } }\n  cassette: shop.jsonl');
  rmSync(at('asked'));
  const replayed = await run(['run', '--tools', 'replay']);
  expect(replayed.stdout).toMatch(
    /replayed from "?shop.jsonl"? \(\w+\), 2 calls; mocked 0; real 0;\s+refused 0/,
  );
  expect(asked()).toEqual(['echo', 'order']);
  writeFileSync(at('shop.jsonl'), cassette.replace('"result":"one"', '"result":"two"'));
  const erasing = await run(['erase', '--text', 'shipped', '--dry-run']);
  expect(erasing.stdout).toContain('change them by hand, or record them again:\n  shop.jsonl: line 3\n');
  writeFileSync(at('other.jsonl'), cassette.split('\n').slice(0, 2).join('\n').replaceAll('q0', 'q9'));
  const added = await run(['tools', 'record', 'latest~1', '--add', '--config', '.', '-o', 'other.jsonl']);
  expect(added.stdout).toContain('Wrote 3 calls to other.jsonl');
  const id = /touchstone show (\S+)/.exec(replayed.stdout)?.[1] ?? '';
  await run(['run', '--tools', 'replay', '--resume', id]);
  expect(asked()).toEqual(['echo', 'echo', 'order']);
  writeFileSync(at('shop.jsonl'), cassette.split('\n').slice(0, 2).join('\n'));
  config(
    '  servers: { shop: { mcp: { command: [no-such-program] } } }\n  cassette: shop.jsonl\n  deny: [ordre]',
  );
  const refused = await run(['run', '--tools', 'replay']);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('Did you mean "order"?') });
  config('  servers: { shop: { mcp: { command: [no-such-program] } } }\n  cassette: shop.jsonl');
  const missing = await run(['run', '--tools', 'replay']);
  expect(missing.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '1 attempt used a tool in a way that is not recorded. With the real tools, `touchstone run --tools record-missing --failed` records',
  );
});

test('a secret in a header, an argument and a result is in no file that a run leaves, and in nothing that it prints', async () => {
  const secret = 'hunter2-4711-hunter2';
  const headers: string[] = [];
  const orders = createServer((request, response) => {
    headers.push(String(request.headers['authorization']));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ token: secret, of: request.url, own: request.headers['x-own'] }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void orders.close());
  await once(orders, 'listening');
  const { port } = orders.address() as AddressInfo;
  const tools = `  servers: { orders: { http: "http://127.0.0.1:${port}", headersFromEnv: { authorization: ORDERS_TOKEN } } }\n  cassette: orders.jsonl`;
  const rows = [{ id: 'a', input: 'orders /orders/4711?token=TOKEN TOKEN' }];
  const { run, folder, at } = await writeProject({ tools, rows, env: { ORDERS_TOKEN: secret } });
  const outputs = ['report.html', 'report.md', 'report.json', 'junit.xml'].flatMap((name) => [
    '--output',
    at(name),
  ]);
  const { stdout, stderr } = await run(['run', '--tools', 'record', ...outputs, '--verbose']);
  expect(headers).toEqual([secret]);
  expect(stdout + stderr).not.toContain(secret);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = names.map(({ parentPath, name }) => path.join(parentPath, name));
  expect(
    files.filter((file) => readFileSync(file).includes(secret)).map((file) => path.basename(file)),
  ).toEqual([]);
  expect(readFileSync(at('orders.jsonl'), 'utf8').split('«ORDERS_TOKEN»').length).toBeGreaterThan(3);
});

test('workers report what came to their tools, and a fixed port is not for them', async () => {
  const rows = [
    { id: 'a', input: 'shop echo {"text":"hi"}' },
    { id: 'b', input: 'shop note', tool_results: [{ name: 'order', result: 1 }] },
  ];
  const { run, config, asked, at } = await writeProject({ tools: shop, rows });
  const worked = await run(['run', '--workers', '1']);
  expect(asked()).toEqual(['echo', 'note']);
  expect(worked.stderr).not.toContain('No call of a tool came to Touchstone');
  expect(worked.stderr).toContain('No call matched these results of questions: b: tool_results[0] (order).');
  expect(worked.stderr).not.toContain('ended without a report');
  writeFileSync(at('die'), '');
  const killed = await run(['run', '--workers', '1']);
  expect(existsSync(at('die'))).toBe(false);
  expect(killed.stderr).toContain('A worker ended without a report of what came to the tools');
  expect(killed.stderr).not.toContain('No call matched these results');
  config(shop.replace('shop: { mcp', 'shop: { port: 8931, mcp'));
  expect(await run(['run', '--workers', '1'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('`tools.servers.shop.port` is fixed'),
  });
});
