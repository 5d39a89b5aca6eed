import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { createFunctionsDoor } from '../src/evaluate/tools/functions-door.ts';
import { program, temporaryFolder } from './run-cli.ts';
import { createSession, type Decide, listenFor } from './support/tool-session.ts';

const server = path.join(import.meta.dirname, 'support', 'mcp-tool-server.ts');
const real = [process.execPath, server, '--stdio'];

/** Starts a server as a bot does, behind `touchstone mcp-proxy` or by itself. */
async function start(
  command: readonly string[],
  env: Record<string, string> = {},
  mode: 'legacy' | 'auto' = 'legacy',
) {
  const [file = '', ...args] = command;
  const client = new Client({ name: 'bot', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: file,
    args,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });
  const received: string[] = [];
  await client.connect(transport);
  const pass = transport.onmessage;
  const onmessage = (message: Parameters<NonNullable<typeof pass>>[0]) => {
    received.push(JSON.stringify(message));
    pass?.(message);
  };
  Object.assign(transport, { onmessage });
  return { client, received, pid: transport.pid ?? 0 };
}

const proxied = (...command: string[]) => [process.execPath, program, 'mcp-proxy', 'shop', '--', ...command];

async function visit({ client, received }: Awaited<ReturnType<typeof start>>) {
  await client.listTools();
  for (const name of ['echo', 'order', 'fail', 'unknown'])
    await client.callTool({ name, arguments: name === 'echo' ? { text: 'é' } : {} }).catch(() => {});
  await client.close();
  return received;
}

test.each(['legacy', 'auto'] as const)(
  'outside a run, a bot of %s clients reads the same messages',
  async (mode) => {
    const direct = await visit(await start(real, {}, mode));
    expect(await visit(await start(proxied(...real), {}, mode))).toEqual(direct);
  },
);

test('in a run, calls are observed and all else passes', async () => {
  const direct = await visit(await start(real));
  const session = createSession();
  await using functions = await listenFor(
    createFunctionsDoor(() => {}),
    session,
  );
  expect(await visit(await start(proxied(...real), { TOUCHSTONE_TOOLS_URL: functions.url }))).toEqual(direct);
  expect(session.calls.map(({ server: of, name, isReadOnly }) => [of, name, isReadOnly])).toEqual([
    ['shop', 'echo', true],
    ['shop', 'order', false],
    ['shop', 'fail', false],
    ['shop', 'unknown', false],
  ]);
  expect(JSON.stringify(session.calls[1]?.outcome)).toContain(
    '{"id":1290461237612345678,"status":"shipped"}',
  );
  expect(session.traffic.map(({ method }) => method).toSorted()).toEqual(['initialize', 'tools/list']);
});

const answers: Decide = async ({ name }, run) => {
  if (name === 'echo') return { result: 'mocked', from: 'mock' };
  if (name === 'fail') return { error: 'refused by this test', from: 'refused' };
  return { ...(await run()), result: 'changed', fault: 'malformed' };
};

test('in a run, calls are mocked, refused and changed; in a replay the server is not started', async () => {
  const session = createSession(answers);
  await using functions = await listenFor(
    createFunctionsDoor(() => {}),
    session,
  );
  const { client } = await start(proxied(...real), { TOUCHSTONE_TOOLS_URL: functions.url });
  const call = async (name: string) =>
    Object((await client.callTool({ name, arguments: { text: 'a' } })).content).at(0).text;
  expect([await call('echo'), await call('fail'), await call('note')]).toEqual([
    'mocked',
    'refused by this test',
    'changed',
  ]);
  await client.close();
  const initialize = session.traffic.find(({ method }) => method === 'initialize')?.reply;
  const replay = createSession(answers, {
    isOffline: true,
    recordedReply: async (_server, method) => (method === 'initialize' ? initialize : undefined),
  });
  await using replayed = await listenFor(
    createFunctionsDoor(() => {}),
    replay,
  );
  const bot = await start(proxied('no-such-program'), { TOUCHSTONE_TOOLS_URL: replayed.url });
  expect(await bot.client.callTool({ name: 'echo', arguments: {} })).toMatchObject({
    content: [{ text: 'mocked' }],
  });
  await bot.client.close();
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'the server ends with its proxy after %s, while a call is open',
  async (signal) => {
    const pidFile = path.join(await temporaryFolder(), 'pid');
    const session = createSession();
    await using functions = await listenFor(
      createFunctionsDoor(() => {}),
      session,
    );
    const env = { TOUCHSTONE_TOOLS_URL: functions.url, TOOL_SERVER_PID: pidFile };
    const { client, pid } = await start(proxied(...real), env);
    const hanging = client.callTool({ name: 'hang', arguments: {} }).catch(() => 'ended');
    await expect.poll(() => session.begun).toEqual(['hang']);
    const own = Number(readFileSync(pidFile, 'utf8'));
    process.kill(pid, signal);
    expect(await hanging).toBe('ended');
    await expect.poll(() => isRunning(own), { timeout: 10_000 }).toBe(false);
    expect(existsSync(pidFile)).toBe(true);
    await client.close();
  },
);

test('a bot reads that a run is gone, and the real tool is not used', async () => {
  const { client } = await (async () => {
    await using functions = await listenFor(
      createFunctionsDoor(() => {}),
      createSession(),
    );
    return await start(proxied(...real), { TOUCHSTONE_TOOLS_URL: functions.url });
  })();
  const got = await client.callTool({ name: 'note', arguments: {} });
  expect(got).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('cannot be asked') }],
  });
  await client.close();
});

function isRunning(pid: number): boolean {
  try {
    // What has ended and is not reaped yet is a zombie.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
