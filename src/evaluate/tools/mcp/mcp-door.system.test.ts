import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSession, type Decide, listenFor } from '../../../../test/support/tool-session.ts';
import { serveTools } from '../../../../test/support/mcp-tool-server.ts';
import { mcpServerSchema } from '../../targets/chat/mcp-options.ts';
import { createMcpDoor } from './mcp-door.ts';

const needs = { folder: process.cwd(), environment: process.env, isOffline: false };
const program = path.resolve(import.meta.dirname, '../../../../test/support/mcp-tool-server.ts');

/** Opens a client of an era that keeps the bytes that it sends and receives. */
async function openClient(url: string, mode: 'legacy' | 'auto') {
  const wire: string[] = [];
  const capabilities = { sampling: {}, elicitation: {} };
  const client = new Client({ name: 'bot', version: '1' }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('sampling/createMessage', async () => ({
    model: 'm',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'a test' },
  }));
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept' as const,
    content: { sure: true },
  }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: keeping(wire) }));
  return { client, wire };
}

/** Fetches, and keeps what was sent and received, without ids of sessions, hosts and dates. */
function keeping(wire: string[]) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (init?.method !== 'POST') return response;
    const [own, kept] = response.body === null ? [null, null] : response.body.tee();
    const index = wire.push(`> ${String(init.body)}`);
    wire.push('');
    const type = response.headers.get('content-type') ?? '';
    const keep = (text: string) => void (wire[index] = `< ${response.status} ${type} ${text}`);
    void new Response(kept).text().then(keep, () => keep('broken off'));
    return new Response(own, { status: response.status, headers: response.headers });
  };
}

const names = ['echo', 'order', 'picture', 'fail', 'steps', 'unknown'];

/** Does all that a bot does in one session, and returns what it got. */
async function visit({ client, wire }: Awaited<ReturnType<typeof openClient>>, more: readonly string[]) {
  const got: unknown[] = [
    (await client.listTools()).tools.length,
    await client.readResource({ uri: 'shop://terms' }),
  ];
  for (const name of [...names, ...more]) {
    const options = name === 'steps' ? { onprogress: (progress: unknown) => void got.push(progress) } : {};
    const given = name === 'echo' ? { text: 'é 1290461237612345678' } : {};
    got.push(await client.callTool({ name, arguments: given }, options).catch(String));
  }
  await client.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { got, wire: wire.toSorted() };
}

const eras = [
  ['legacy', 'sessions', 'ask'],
  ['auto', 'modern', 'confirm'],
] as const;

test.each(eras)(
  'a session of %s clients is the same direct and through the door, byte for byte',
  async (mode, era, more) => {
    using server = await serveTools(era);
    const session = createSession();
    await using door = await listenFor(
      createMcpDoor('shop', mcpServerSchema.parse({ url: server.url }), needs),
      session,
    );
    const direct = await visit(await openClient(server.url, mode), [more]);
    const through = await visit(await openClient(door.url, mode), [more]);
    expect(through).toEqual(direct);
    expect(JSON.stringify(through.wire)).toContain('1290461237612345678');
    expect(session.calls.map(({ name }) => name)).toEqual([...names, more]);
    expect(session.calls[0]).toMatchObject({ server: 'shop', isReadOnly: true });
    const outcomes = session.calls.map(({ outcome }) => JSON.stringify(outcome));
    expect(outcomes[1]).toContain('{"result":{"id":1290461237612345678,"status":"shipped"}');
    expect(outcomes[2]).toContain('"result":"[image image/png]\\na dot"');
    expect(outcomes[3]).toContain('{"error":"out of stock"');
    expect(outcomes[5]).toContain('-32602');
    expect(session.traffic.map(({ method }) => method)).toContain('tools/list');
  },
);

test.each(eras)(
  'a server over stdio is the same for %s clients behind the door',
  async (mode, _era, more) => {
    const session = createSession();
    const command = [process.execPath, program, '--stdio'];
    const door = createMcpDoor('shop', mcpServerSchema.parse({ command }), needs);
    await door.open();
    await using listener = await listenFor(door, session);
    const opened = await openClient(listener.url, mode);
    const { got } = await visit(opened, [more]);
    using server = await serveTools(mode === 'legacy' ? 'sessions' : 'modern');
    const direct = await visit(await openClient(server.url, mode), [more]);
    expect(got).toEqual(direct.got);
    expect(session.calls.map(({ name }) => name)).toEqual([...names, more]);
    expect(JSON.stringify(session.calls[1]?.outcome)).toContain(
      '{"id":1290461237612345678,"status":"shipped"}',
    );
  },
);

const answers: Decide = async ({ name }, run) => {
  if (name === 'echo') return { result: 'mocked', from: 'mock' };
  if (name === 'order') return { result: { id: 1, status: 'mocked' }, from: 'mock' };
  if (name === 'fail') return { error: 'refused by this test', from: 'refused' };
  if (name === 'note') return { error: 'x', details: { code: 'tool-call-without-trial' }, from: 'refused' };
  const outcome = await run();
  return { ...outcome, result: 'corrupted', fault: 'malformed', from: 'tool' };
};

test.each(eras)('mocks, refusals and changed results reach %s clients in their form', async (mode, era) => {
  const called: string[] = [];
  using server = await serveTools(era, (name) => called.push(name));
  const session = createSession(answers);
  await using door = await listenFor(
    createMcpDoor('shop', mcpServerSchema.parse({ url: server.url }), needs),
    session,
  );
  const { client, wire } = await openClient(door.url, mode);
  await client.listTools();
  expect(await client.callTool({ name: 'echo', arguments: { text: 'a' } })).toMatchObject({
    content: [{ type: 'text', text: 'mocked' }],
  });
  expect(await client.callTool({ name: 'order', arguments: {} })).toMatchObject({
    structuredContent: { id: 1, status: 'mocked' },
  });
  expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: 'refused by this test' }],
  });
  expect(await client.callTool({ name: 'picture', arguments: {} })).toMatchObject({
    content: [{ text: 'corrupted' }, { type: 'image' }],
  });
  expect(await client.callTool({ name: 'steps', arguments: {} })).toMatchObject({
    content: [{ text: 'corrupted' }],
  });
  await expect(client.callTool({ name: 'note', arguments: {} })).rejects.toMatchObject({ code: -32_000 });
  expect(called).toEqual([]);
  const isModern = wire.some((text) => text.includes('"resultType":"complete"') && text.includes('mocked'));
  expect(isModern).toBe(mode === 'auto');
  await client.close();
});

test('a call whose headers disagree with its body is refused where a real server of 2026-07-28 refuses it, and as that does', async () => {
  using server = await serveTools('modern');
  const session = createSession(async ({ unfit }) => unfit ?? { result: 'mocked', from: 'mock' });
  const door = createMcpDoor('shop', mcpServerSchema.parse({ url: server.url }), needs);
  await using listener = await listenFor(door, session);
  await door.listTools();
  const version = '2026-07-28';
  const codesOf = async (headers: Readonly<Record<string, string>>, given: object = {}) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: headers['x-name'] ?? 'order', arguments: given, _meta: meta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const accept = 'application/json, text/event-stream';
    const all = { 'content-type': 'application/json', accept, ...headers };
    const ask = async (url: string) => {
      const reply = await fetch(url, { method: 'POST', headers: all, body });
      return `${reply.status} ${/"code":(?<code>-\d+)/.exec(await reply.text())?.groups?.['code'] ?? ''}`.trim();
    };
    return [await ask(server.url), await ask(listener.url)];
  };
  const [fine, refused] = [
    ['200', '200'],
    ['400 -32020', '400 -32020'],
  ];
  const fit = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'order' };
  expect(await codesOf(fit)).toEqual(fine);
  expect(await codesOf({ ...fit, 'Mcp-Name': '=?base64?b3JkZXI=?=' })).toEqual(fine);
  const wrong = [
    { 'Mcp-Name': 'echo' },
    { 'Mcp-Name': '' },
    { 'Mcp-Method': 'tools/list' },
    { 'MCP-Protocol-Version': '2025-11-25' },
  ];
  for (const each of wrong) expect(await codesOf({ ...fit, ...each })).toEqual(refused);

  const note = { ...fit, 'x-name': 'note', 'Mcp-Name': 'note' };
  const asked = { topic: 'é', more: { count: 42 } };
  const [topic, count] = [{ 'Mcp-Param-Topic': '=?base64?w6k=?=' }, { 'Mcp-Param-Count': '42.0' }];
  expect(await codesOf(note)).toEqual(fine);
  expect(await codesOf({ ...note, ...topic })).toEqual(fine);
  expect(await codesOf({ ...note, ...topic, ...count }, asked)).toEqual(fine);
  expect(await codesOf({ ...note, ...topic }, asked)).toEqual(refused);
  expect(await codesOf({ ...note, ...topic, 'Mcp-Param-Count': '43' }, asked)).toEqual(refused);
  expect(await codesOf({ ...note, ...count, 'Mcp-Param-Topic': '=?base64?w6k?=' }, asked)).toEqual(refused);
  expect(await codesOf({ ...note, 'Mcp-Param-Topic': '' }, { topic: '' })).toEqual(fine);
  expect(await codesOf(note, { topic: '' })).toEqual(refused);
});
