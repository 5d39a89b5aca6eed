import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { mcpServerSchema } from '../../src/evaluate/targets/chat/mcp-options.ts';
import { createMcpDoor } from '../../src/evaluate/tools/mcp/mcp-door.ts';
import { serveTools } from '../support/mcp-tool-server.ts';
import { createSession, listenFor } from '../support/tool-session.ts';

/** A folder with the official servers and the first version of the client of TypeScript; and a Python with the package `mcp`. */
const folder = process.env['TOUCHSTONE_TEST_MCP_SERVERS'];
const python = process.env['TOUCHSTONE_TEST_MCP_PYTHON'] ?? 'python3';
const hasPython = spawnSync(python, ['-c', 'import mcp']).status === 0;
const needs = { folder: process.cwd(), environment: process.env, isOffline: false };
const doorOf = (options: object) => createMcpDoor('shop', mcpServerSchema.parse(options), needs);

const requireOf = (root: string) => createRequire(path.join(root, 'index.js'));
/** Returns the program of an official server. */
const programOf = (name: string) =>
  path.join(folder ?? '', 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js');

/** Starts `server-everything` over HTTP on a free port. */
async function startEverything(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [programOf('everything'), 'streamableHttp'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  const address = `http://127.0.0.1:${port}/mcp`;
  await expect
    .poll(
      async () =>
        await fetch(address).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  return address;
}

/** A client of either version, as far as it is used here. */
interface AnyClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: object, ...rest: unknown[]): Promise<{ content: unknown[]; isError?: boolean }>;
  setRequestHandler(method: unknown, handler: () => object): void;
  close(): Promise<void>;
}

const capabilities = { sampling: {}, elicitation: {}, roots: {} };
const sampled = () => ({ model: 'm', role: 'assistant', content: { type: 'text', text: 'a test' } });
const accepted = () => ({ action: 'accept', content: { name: 'Ada', check: true, color: 'red' } });

async function openFirstVersion(url: string, wire: string[]): Promise<AnyClient> {
  const load = async (name: string) =>
    await import(pathToFileURL(requireOf(folder ?? '').resolve(`@modelcontextprotocol/sdk/${name}`)).href);
  const [{ Client }, { StreamableHTTPClientTransport }, types] = await Promise.all([
    load('client/index.js'),
    load('client/streamableHttp.js'),
    load('types.js'),
  ]);
  const client: AnyClient = new Client({ name: 'bot', version: '1' }, { capabilities });
  client.setRequestHandler(types.CreateMessageRequestSchema, sampled);
  client.setRequestHandler(types.ElicitRequestSchema, accepted);
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: keeping(wire) }));
  return client;
}

async function openSecondVersion(url: string, wire: string[]): Promise<AnyClient> {
  const client = new Client2(
    { name: 'bot', version: '1' },
    { capabilities, versionNegotiation: { mode: 'auto' } },
  ) as unknown as AnyClient;
  client.setRequestHandler('sampling/createMessage', sampled);
  client.setRequestHandler('elicitation/create', accepted);
  client.setRequestHandler('roots/list', () => ({ roots: [] }));
  await client.connect(new Transport2(new URL(url), { fetch: keeping(wire) }));
  return client;
}

/** Fetches, and keeps the messages without what differs between two sessions. */
function keeping(wire: string[]) {
  const plain = (text: string) =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}(?:_\d+_\w+)?/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (init?.method !== 'POST' || response.body === null) return response;
    const [own, copy] = response.body.tee();
    const text = new Response(copy).text().catch(() => 'broken off');
    void text.then((got) => wire.push(`${plain(String(init.body))} ${response.status} ${plain(got)}`));
    return new Response(own, { status: response.status, headers: response.headers });
  };
}

const calls: readonly (readonly [name: string, given: object])[] = [
  ['echo', { message: 'é 1290461237612345678' }],
  ['get-sum', { a: 2, b: 40 }],
  ['get-structured-content', { location: 'New York' }],
  ['get-tiny-image', {}],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-resource-links', { count: 2 }],
  ['trigger-long-running-operation', { duration: 0.3, steps: 3 }],
  ['trigger-sampling-request', { prompt: 'Who?', maxTokens: 10 }],
  ['trigger-elicitation-request', {}],
  ['unknown', {}],
];

async function visit(open: typeof openFirstVersion, url: string) {
  const wire: string[] = [];
  const progress: unknown[] = [];
  const client = await open(url, wire);
  const { tools } = await client.listTools();
  const onprogress = (each: { readonly progress: number }) => void progress.push(each.progress);
  const more = open === openFirstVersion ? [undefined, { onprogress }] : [{ onprogress }];
  for (const [name, given] of calls)
    await client.callTool({ name, arguments: given }, ...more).catch(() => {});
  await client.close();
  await expect.poll(() => wire.length).toBeGreaterThan(calls.length);
  return { tools: tools.map(({ name }) => name), progress, wire: wire.toSorted() };
}

test.skipIf(folder === undefined).each([
  ['first', openFirstVersion],
  ['second', openSecondVersion],
] as const)(
  'the official server of everything is the same through the door for the %s version of the client (needs TOUCHSTONE_TEST_MCP_SERVERS)',
  async (_version, open) => {
    const url = await startEverything();
    const session = createSession();
    await using door = await listenFor(doorOf({ url }), session);
    const direct = await visit(open, url);
    const through = await visit(open, door.url);
    expect(through).toEqual(direct);
    expect(through.tools.length).toBeGreaterThanOrEqual(13);
    expect(through.progress).toEqual([1, 2, 3]);
    expect(session.calls.map(({ name }) => name)).toEqual(calls.map(([name]) => name));
    expect(JSON.stringify(session.calls.at(-3)?.outcome)).toContain('a test');
  },
);

test.skipIf(folder === undefined)(
  'two attempts do not see the memory of each other, and files are read over stdio (needs TOUCHSTONE_TEST_MCP_SERVERS)',
  async () => {
    const env = { MEMORY_FILE_PATH: '{{trial.folder}}/memory.jsonl' };
    const memory = doorOf({ command: [process.execPath, programOf('memory')], env });
    const sessions = [createSession(), createSession()];
    const graphs = sessions.map(async (session, index) => {
      await using listener = await listenFor({ ...memory, close: async () => {} }, session);
      const client = await openSecondVersion(listener.url, []);
      const entities = [{ name: `order ${index}`, entityType: 'order', observations: [] }];
      await client.callTool({ name: 'create_entities', arguments: { entities } });
      const { content } = await client.callTool({ name: 'read_graph', arguments: {} });
      await client.close();
      return JSON.stringify(content);
    });
    const [one = '', other = ''] = await Promise.all(graphs);
    expect([
      one.includes('order 0'),
      one.includes('order 1'),
      other.includes('order 1'),
      other.includes('order 0'),
    ]).toEqual([true, false, true, false]);
    await memory.close();
    await using files = await listenFor(
      doorOf({ command: [process.execPath, programOf('filesystem'), needs.folder] }),
      createSession(),
    );
    const client = await openFirstVersion(files.url, []);
    const read = await client.callTool({
      name: 'read_text_file',
      arguments: { path: path.join(needs.folder, 'LICENSE') },
    });
    expect(JSON.stringify(read.content)).toContain('MIT');
    await client.close();
  },
);

test.skipIf(!hasPython)(
  'the Python client gets the same through the door, in both eras (needs the Python package of mcp)',
  async () => {
    const script = path.join(import.meta.dirname, '..', 'support', 'mcp-tool-client.py');
    const ask = async (url: string) => {
      const child = spawn(python, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] });
      const said = Array.fromAsync(child.stdout as AsyncIterable<Buffer>);
      const [code] = await once(child, 'exit');
      return [code, Buffer.concat(await said).toString()];
    };
    for (const era of ['sessions', 'modern'] as const) {
      using server = await serveTools(era);
      const session = createSession();
      await using door = await listenFor(doorOf({ url: server.url }), session);
      const direct = await ask(server.url);
      expect(direct[0]).toBe(0);
      expect(await ask(door.url)).toEqual(direct);
      expect(direct[1]).toContain('1290461237612345678');
      expect(session.calls.map(({ name }) => name)).toEqual(['echo', 'order', 'fail', 'steps']);
    }
  },
);
