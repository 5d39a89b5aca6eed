import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createSession, type KeptSession, listenFor } from '../../../../test/support/tool-session.ts';
import { serveTools } from '../../../../test/support/mcp-tool-server.ts';
import type { Json } from '../../../core/schema/json.ts';
import { mcpServerSchema } from '../../targets/chat/mcp-options.ts';
import { createMcpDoor } from './mcp-door.ts';

const needs = { folder: process.cwd(), environment: process.env, isOffline: false };
const program = path.resolve(import.meta.dirname, '../../../../test/support/mcp-tool-server.ts');
const command = [process.execPath, program, '--stdio'];
const url = 'http://127.0.0.1:9/mcp';

const doorOf = (options: object, isOffline = false) =>
  createMcpDoor('shop', mcpServerSchema.parse(options), { ...needs, isOffline });

async function connect(address: string, mode: 'legacy' | 'auto' = 'legacy') {
  const client = new Client({ name: 'bot', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  return client;
}

/** Does the same in every session. */
async function visit(client: Client) {
  const tools = ['echo', 'order', 'picture', 'fail', 'unknown'];
  const got: unknown[] = [await client.listTools(), await client.readResource({ uri: 'shop://terms' })];
  for (const name of tools)
    got.push(await client.callTool({ name, arguments: name === 'echo' ? { text: 'a' } : {} }).catch(String));
  await client.close();
  return got;
}

/** Creates a session that answers from the calls and replies of another one, as a cassette does. */
function replaySession({ calls, traffic }: KeptSession): KeptSession {
  const replies = new Map(
    traffic.map(({ method, request, reply }) => [`${method} ${JSON.stringify(request)}`, reply]),
  );
  return createSession(
    async (use, run) => {
      const recorded = calls.find(({ name }) => name === use.name)?.outcome;
      return recorded === undefined ? await run() : { ...recorded, from: 'cassette' };
    },
    {
      isOffline: true,
      recordedReply: async (_server, method, request: Json) =>
        replies.get(`${method} ${JSON.stringify(request)}`),
    },
  );
}

test.each(['legacy', 'auto'] as const)(
  'a replay gives %s clients what the server gave, and starts none',
  async (mode) => {
    using server = await serveTools(mode === 'legacy' ? 'sessions' : 'modern');
    const session = createSession();
    await using recording = await listenFor(doorOf({ url: server.url }), session);
    const recorded = await visit(await connect(recording.url, mode));
    const replaying = replaySession(session);
    await using replay = await listenFor(doorOf({ url }, true), replaying);
    expect(await visit(await connect(replay.url, mode))).toEqual(recorded);
    await using unrecorded = await listenFor(doorOf({ url }, true), replaySession({ ...session, calls: [] }));
    const client = await connect(unrecorded.url, mode);
    await expect(client.callTool({ name: 'unknown', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
    expect(await client.callTool({ name: 'echo', arguments: { text: 'b' } })).toMatchObject({
      isError: true,
    });
    await client.close();
  },
);

test.each(['sessions', 'modern'] as const)(
  'a call that the bot gives up is given up at a server of %s',
  async (era) => {
    const seen: string[] = [];
    using server = await serveTools(era, (name) => seen.push(name));
    await using door = await listenFor(doorOf({ url: server.url }), createSession());
    const client = await connect(door.url, era === 'modern' ? 'auto' : 'legacy');
    const stop = new AbortController();
    const call = client
      .callTool({ name: 'hang', arguments: {} }, { signal: stop.signal })
      .catch(() => 'given up');
    await expect.poll(() => seen).toEqual(['hang']);
    stop.abort();
    expect(await call).toBe('given up');
    await expect.poll(() => seen).toEqual(['hang', 'cancelled']);
    await client.close();
  },
);

test('the end of a conversation ends its calls and its server, and no two share what a server remembers', async () => {
  await using first = await listenFor(
    doorOf({ command, env: { NOTES: '{{trial.folder}}/notes' } }),
    createSession(),
  );
  const sessions = [createSession(), createSession()];
  const door = doorOf({ command });
  await using one = await listenFor(door, sessions[0]);
  await using other = await listenFor(door, sessions[1]);
  for (const [mode, address] of [
    ['legacy', one.url],
    ['legacy', one.url],
    ['auto', other.url],
    ['auto', first.url],
  ] as const) {
    const client = await connect(address, mode);
    expect(await client.callTool({ name: 'note', arguments: {} })).toMatchObject({
      content: [{ text: 'note 1' }],
    });
    await client.close();
  }
  const client = await connect(other.url, 'auto');
  expect(await client.callTool({ name: 'note', arguments: {} })).toMatchObject({
    content: [{ text: 'note 2' }],
  });
  const hanging = client.callTool({ name: 'hang', arguments: {} }).catch(() => 'ended');
  await expect.poll(() => sessions[1]?.begun).toContain('hang');
  await sessions[1]?.end();
  expect(await hanging).toBe('ended');
});

test('two connections that share a server keep their own ids', async () => {
  await using door = await listenFor(doorOf({ command }), createSession());
  const clients = await Promise.all([connect(door.url, 'auto'), connect(door.url, 'auto')]);
  const texts = ['a', 'b', 'c', 'd'].map(async (text, index) => {
    const progress: unknown[] = [];
    const options = { onprogress: (each: { progress: number }) => void progress.push(each.progress) };
    const client = clients[index % 2];
    await client?.callTool({ name: 'steps', arguments: {} }, options);
    return [
      Object((await client?.callTool({ name: 'echo', arguments: { text } }))?.content).at(0).text,
      progress,
    ];
  });
  expect(await Promise.all(texts)).toEqual(['a', 'b', 'c', 'd'].map((text) => [text, [1, 2, 3]]));
  for (const client of clients) await client.close();
});

test('a batch is answered member by member, and only its calls are uses of tools', async () => {
  using server = await serveTools('sessions');
  const session = createSession(async ({ name }, run) =>
    name === 'note' ? { result: 'mocked', from: 'mock' } : await run(),
  );
  await using door = await listenFor(doorOf({ url: server.url }), session);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = async (body: unknown, more: Record<string, string> = {}) =>
    await fetch(door.url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const hello = {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'bot', version: '1' },
  };
  const begun = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello });
  await begun.text();
  const own = {
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-03-26',
  };
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const batch = [
    call(1, 'echo', { text: 'x' }),
    { jsonrpc: '2.0', id: 2, method: 'ping' },
    call(3, 'note', {}),
  ];
  const answered = await (await post(batch, own)).text();
  for (const part of ['"text":"x"', '"text":"mocked"', '"id":1', '"id":2', '"id":3'])
    expect(answered).toContain(part);
  expect(session.calls.map(({ name }) => name).toSorted()).toEqual(['echo', 'note']);
});

test('the response to a call may come by a stream that the bot resumes', async () => {
  const asked: string[] = [];
  const http = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      asked.push(`${request.method} ${String(request.headers['last-event-id'] ?? '')}`);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (request.method === 'POST') return void response.end(`id: e1\nretry: 1\ndata: \n\n`);
      expect(body).toBe('');
      response.end(
        `id: e2\ndata: {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"late"}]}}\n\n`,
      );
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const session = createSession(async (_use, run) => ({
    ...(await run()),
    result: 'changed',
    fault: 'malformed',
  }));
  await using door = await listenFor(
    doorOf({ url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/` }),
    session,
  );
  const headers = {
    'content-type': 'application/json',
    'mcp-session-id': 's',
    'mcp-protocol-version': '2025-11-25',
  };
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', arguments: {} } };
  const first = await fetch(door.url, { method: 'POST', headers, body: JSON.stringify(call) });
  expect(await first.text()).toBe('id: e1\nretry: 1\ndata: \n\n');
  const resumed = await fetch(door.url, { headers: { ...headers, 'last-event-id': 'e1' } });
  expect(await resumed.text()).toBe(
    'id: e2\ndata: {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"changed"}]}}\n\n',
  );
  expect([asked, session.calls.length]).toEqual([['POST ', 'GET e1'], 1]);
  http.close();
});

test('the transport before streamable HTTP, other paths and a server that is away are reported', async () => {
  using server = await serveTools('sessions');
  const session = createSession();
  await using door = await listenFor(doorOf({ url: server.url }), session);
  const old = await fetch(door.url, { headers: { accept: 'text/event-stream' } });
  expect([old.status, await old.text()]).toEqual([405, expect.stringContaining('2024-11-05')]);
  expect((await fetch(`${door.url}/other`)).status).toBe(404);
  await using away = await listenFor(doorOf({ url }), session);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } };
  const post = async (address: string, body: unknown) => {
    const got = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
    return [got.status, await got.json()];
  };
  expect(await post(away.url, { jsonrpc: '2.0', id: 1, method: 'ping' })).toEqual([
    502,
    expect.objectContaining({ error: expect.anything() }),
  ]);
  expect(await post(away.url, call)).toEqual([
    200,
    expect.objectContaining({ id: 1, result: expect.objectContaining({ isError: true }) }),
  ]);
  for (const unread of [
    '{"method":"tools/call", NaN}',
    { method: 'tools/call', params: { name: 'echo' } },
    [{ ...call, params: {} }],
    [],
  ]) {
    const sent = typeof unread === 'string' ? unread : JSON.stringify(unread);
    expect((await fetch(door.url, { method: 'POST', body: sent })).status).toBe(400);
  }
  await using stray = await listenFor(doorOf({ url: server.url }), undefined);
  expect(await post(stray.url, call)).toEqual([
    200,
    expect.objectContaining({ error: expect.objectContaining({ code: -32_000 }) }),
  ]);
  expect(server.requests).toEqual([]);
});
