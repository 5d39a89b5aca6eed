import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import type { Json } from '../../../core/schema/json.ts';
import { startModelServer } from '../../../library/testing/model-server/model-server.ts';
import { modelAt, prepare, requestOf, unbounded } from '../../../../test/support/prepare-target.ts';
import { chat } from '../chat.ts';
import { openMcpTools } from './mcp.ts';
import { mcpServerSchema } from './mcp-options.ts';

const [server, stdio, zod] = [
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server/stdio',
  'zod',
].map((name) => import.meta.resolve(name));

/** A real MCP server with tools that add, fail, never answer, or end it. */
const program = `
import { McpServer } from ${JSON.stringify(server)};
import { StdioServerTransport } from ${JSON.stringify(stdio)};
import { z } from ${JSON.stringify(zod)};
const numbers = z.object({ a: z.number(), b: z.number() });
const mcp = new McpServer({ name: 'sums', version: '1.0.0' });
mcp.registerTool('add', { description: 'Adds.', inputSchema: numbers }, ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
mcp.registerTool('facts', { inputSchema: z.object({}), outputSchema: z.object({ home: z.string(), token: z.string() }) }, () => {
  const facts = { home: process.env.SUMS_HOME ?? 'none', token: process.env.SUMS_TOKEN ?? process.env.OTHER_TOKEN ?? 'none' };
  return { content: [{ type: 'text', text: JSON.stringify(facts) }], structuredContent: facts };
});
mcp.registerTool('who', { inputSchema: z.object({}), outputSchema: z.object({ id: z.number() }) }, () => (
  { content: [{ type: 'text', text: '{"id": 1290461237612345678}' }], structuredContent: { id: Number('1290461237612345678') } }
));
mcp.registerTool('alone', { inputSchema: z.object({}) }, () => (
  { content: [], structuredContent: { id: JSON.rawJSON('1290461237612345678'), rate: 0.5 } }
));
mcp.registerTool('complain', { inputSchema: z.object({}) }, () => ({ isError: true, content: [{ type: 'text', text: 'too late' }] }));
mcp.registerTool('picture', { inputSchema: z.object({}) }, () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }));
mcp.registerTool('hang', { inputSchema: z.object({}) }, () => new Promise(() => {}));
mcp.registerTool('end', { inputSchema: z.object({}) }, () => process.exit(3));
await mcp.connect(new StdioServerTransport());
`;
const command = [process.execPath, 'server.mjs'];
const context = { key: 'k', caseId: 'c', metadata: {}, attempt: 1, seed: 1, ...unbounded };

const prepared = new AsyncDisposableStack();
afterAll(async () => await prepared.disposeAsync());

async function open(options: object, environment: Record<string, string> = {}) {
  const needs = await prepare({ 'server.mjs': program }, environment);
  prepared.use(needs);
  return await openMcpTools(mcpServerSchema.parse({ command, ...options }), needs);
}

test('tools of a program: results, structured results, errors, and content that is not text', async () => {
  const { tools, close } = await open({ env: { SUMS_HOME: 'here' } }, { OTHER_TOKEN: 'not for everyone' });
  const run = async (name: string, given = {}) =>
    await tools.find(({ spec }) => spec.name === name)?.run(given, context);
  expect(tools.map(({ spec }) => spec.name)).toEqual([
    'add',
    'facts',
    'who',
    'alone',
    'complain',
    'picture',
    'hang',
    'end',
  ]);
  expect(tools[0]?.spec).toMatchObject({
    description: 'Adds.',
    parameters: { type: 'object', required: ['a', 'b'] },
  });
  expect(await Promise.all([run('add', { a: 2, b: 3 }), run('add', { a: 1, b: 1 })])).toEqual([
    { result: '5' },
    { result: '2' },
  ]);
  expect(await run('facts')).toEqual({ result: { home: 'here', token: 'none' } });
  // The package that speaks the protocol rounds structured content; the text beside it has all digits.
  expect(canonicalJson((await run('who')) as Json)).toBe('{"result":{"id":1290461237612345678}}');
  // And where no text is beside it, digits are kept where the message is read.
  expect(canonicalJson((await run('alone')) as Json)).toBe(
    '{"result":{"id":1290461237612345678,"rate":0.5}}',
  );
  expect(await run('complain')).toEqual({ error: 'too late' });
  expect(await run('picture')).toEqual({ result: '[image image/png]' });
  expect(await run('add', { a: 'two' })).toEqual({ error: expect.stringMatching(/expected number/i) });
  await close();
});

test('a stopped call ends, and the server continues', async () => {
  const { tools, close } = await open({ only: ['hang', 'add'], prefix: 'sums_' });
  expect(tools.map(({ spec }) => spec.name)).toEqual(['sums_add', 'sums_hang']);
  await expect(tools[1]?.run({}, { ...context, signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(await tools[0]?.run({ a: 1, b: 2 }, context)).toEqual({ result: '3' });
  await close();
});

test('a server that ends fails the trial that used it, and is restarted for the next', async () => {
  const { tools, close } = await open({ only: ['end', 'add'] });
  await expect(tools[1]?.run({}, context)).rejects.toMatchObject({ code: 'tool-server-lost' });
  expect(await tools[0]?.run({ a: 1, b: 2 }, context)).toEqual({ result: '3' });
  await close();
});

test('a secret goes to the program by its name, and into no message', async () => {
  const { tools, close } = await open(
    { envFrom: ['SUMS_TOKEN'], only: ['facts'] },
    { SUMS_TOKEN: 'sesame-sesame' },
  );
  expect(await tools[0]?.run({}, context)).toMatchObject({ result: { token: 'sesame-sesame' } });
  await close();
  const failing = ['-e', 'console.error("no use for " + process.env.SUMS_TOKEN); process.exit(1)'];
  const refused = open(
    { command: [process.execPath, ...failing], envFrom: ['SUMS_TOKEN'] },
    { SUMS_TOKEN: 'sesame-sesame' },
  );
  await expect(refused).rejects.toThrow('It wrote: no use for [SUMS_TOKEN]');
});

test.each([
  [{ command: 'no-such-program-at-all --x' }, /the MCP server no-such-program-at-all --x cannot be used/],
  [{ only: ['ad'] }, /has no tool `ad`. Did you mean "add"\?/],
  [{ envFrom: ['NO_SUCH_TOKEN'] }, /needs NO_SUCH_TOKEN, which is not set/],
  [{ command: undefined, url: 'http://127.0.0.1:9/mcp' }, /the MCP server 127.0.0.1:9 cannot be used/],
])('%j is refused when it is opened', async (options, message) => {
  await expect(open(options)).rejects.toThrow(message);
});

test.each(['JSON', 'a stream of events'])(
  'a server at an address, with a secret in a header, answering with %s',
  async (form) => {
    const mcp = createMcpHandler(() => {
      const sums = new McpServer({ name: 'sums', version: '1.0.0' });
      const numbers = z.object({ a: z.number(), b: z.number() });
      sums.registerTool('add', { inputSchema: numbers }, ({ a, b }) => ({
        content: [{ type: 'text', text: String(a + b) }],
      }));
      sums.registerTool(
        'alone',
        { inputSchema: z.object({}), outputSchema: z.object({ id: z.number() }) },
        () => ({
          content: [],
          structuredContent: { id: Number(1290461237612345678n) },
        }),
      );
      return sums;
    });
    const seen = new Set<string | undefined>();
    const http = createServer((incoming, outgoing) => {
      void (async () => {
        seen.add(incoming.headers.authorization);
        const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
        const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        const request = new Request(`http://localhost${incoming.url}`, {
          method: incoming.method ?? 'GET',
          headers,
          ...(body.length > 0 && { body }),
        });
        const response = await mcp.fetch(request);
        const text = (await response.text()).replace('1290461237612345600', '1290461237612345678');
        const [, data] = form === 'JSON' ? (/^data: (.*)$/m.exec(text) ?? []) : [];
        const type = data === undefined ? {} : { 'content-type': 'application/json' };
        outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...type });
        outgoing.end(data ?? text);
      })();
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const options = { command: undefined, url, headersFromEnv: { authorization: 'SUMS_AUTHORIZATION' } };
    const { tools, close } = await open(options, { SUMS_AUTHORIZATION: 'Bearer sesame' });
    expect(await tools[0]?.run({ a: 2, b: 2 }, context)).toEqual({ result: '4' });
    const found = await tools[1]?.run({}, context);
    expect(canonicalJson(found as Json)).toBe('{"result":{"id":1290461237612345678}}');
    expect([...seen]).toEqual(['Bearer sesame']);
    await close();
    http.closeAllConnections();
    http.close();
  },
);

test('a chat uses the tools of an MCP server, and a secret in plain text is refused', async () => {
  await using model = await startModelServer([
    { toolCalls: [{ name: 'add', arguments: { a: 20, b: 22 } }] },
    'It is 42.',
  ]);
  await using needs = await prepare({ 'server.mjs': program });
  const create = (mcp: object) =>
    chat.definition.create(chat.definition.options.parse({ model: modelAt(model.url), mcp: [mcp] }), needs);
  const target = create({ command });
  await target.open?.();
  expect(await target.call(requestOf('20 + 22?'), unbounded)).toMatchObject({
    answer: 'It is 42.',
    toolCalls: [{ name: 'add', arguments: { a: 20, b: 22 }, result: '42' }],
  });
  await target.close?.();
  for (const written of [
    { command, env: { API_KEY: 'x' } },
    { url: 'http://localhost/?token=x' },
    { url: 'http://me:it@localhost/' },
  ]) {
    await expect(create(written).identity?.()).rejects.toThrow('looks like a secret that is written out');
  }
});
