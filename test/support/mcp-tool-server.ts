import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A number that a double would round; the packages of the protocol write it as it is here. */
const longNumber = (JSON as unknown as { rawJSON: (text: string) => number }).rawJSON('1290461237612345678');

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** Creates a real server whose tools answer at once, with structured content, late and with progress, with errors, or not before they have an answer. */
function createToolServer(onCall: (name: string) => void = () => {}): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  let notes = 0;
  server.registerTool(
    'echo',
    { inputSchema: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
    ({ text }) => {
      onCall('echo');
      return say(text);
    },
  );
  const topic = z.string().optional().meta({ 'x-mcp-header': 'Topic' });
  const count = z.int().optional().meta({ 'x-mcp-header': 'Count' });
  server.registerTool(
    'note',
    { inputSchema: z.object({ topic, more: z.object({ count }).optional() }) },
    () => {
      notes += 1;
      return say(`note ${notes}`);
    },
  );
  server.registerTool(
    'order',
    { inputSchema: z.object({}), outputSchema: z.object({ id: z.any(), status: z.string() }) },
    () => {
      onCall('order');
      const order = { id: longNumber, status: 'shipped' };
      return { content: [{ type: 'text', text: JSON.stringify(order) }], structuredContent: order };
    },
  );
  server.registerTool('picture', { inputSchema: z.object({}) }, () => ({
    content: [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'text', text: 'a dot' },
    ],
  }));
  server.registerTool('fail', { inputSchema: z.object({}) }, () => ({
    ...say('out of stock'),
    isError: true,
  }));
  addConversingTools(server, onCall);
  server.registerResource('terms', 'shop://terms', {}, () => ({
    contents: [{ uri: 'shop://terms', text: 'Terms.' }],
  }));
  return server;
}

/** Adds the tools that say something before their result, ask for something, or never answer. */
function addConversingTools(server: McpServer, onCall: (name: string) => void): void {
  server.registerTool('steps', { inputSchema: z.object({}) }, async (_given, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3 },
      });
    }
    return say('three steps');
  });
  server.registerTool('confirm', { inputSchema: z.object({}) }, async (_given, { mcpReq }) => {
    const schema = z.object({ sure: z.boolean() });
    if (
      mcpReq._meta?.['io.modelcontextprotocol/protocolVersion'] === undefined &&
      !('inputResponses' in mcpReq)
    ) {
      return say('asked in the old way');
    }
    const given = acceptedContent(mcpReq.inputResponses, 'sure', schema);
    if (given?.sure !== true) {
      return inputRequired({
        inputRequests: { sure: inputRequired.elicit({ message: 'Sure?', requestedSchema: schema }) },
      });
    }
    return say('confirmed');
  });
  server.registerTool('ask', { inputSchema: z.object({}) }, async (_given, { mcpReq }) => {
    // Its types call the older way deprecated, which the older protocol still has.
    const { requestSampling } = mcpReq as unknown as {
      requestSampling: (params: object) => Promise<{ content: unknown }>;
    };
    const { content } = await requestSampling({
      messages: [{ role: 'user', content: { type: 'text', text: 'Who are you?' } }],
      maxTokens: 10,
    });
    return say(JSON.stringify(content));
  });
  server.registerTool('hang', { inputSchema: z.object({}) }, async (_given, { mcpReq }) => {
    onCall('hang');
    await once(mcpReq.signal, 'abort');
    onCall('cancelled');
    return say('never');
  });
}

/** Serves the tools over HTTP: without sessions, or with a session for each client of the older protocol. */
export async function serveTools(era: 'modern' | 'sessions', onCall: (name: string) => void = () => {}) {
  const modern = createMcpHandler(() => createToolServer(onCall));
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const answerInSession = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return await known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createToolServer(onCall).connect(transport);
    return await transport.handleRequest(request);
  };
  const requests: string[] = [];
  const http = createServer((incoming, outgoing) => {
    requests.push(
      `${incoming.method} ${incoming.headers.host} ${incoming.headers.authorization ?? ''}`.trim(),
    );
    void answer(
      incoming,
      outgoing,
      era === 'modern' ? async (each) => await modern.fetch(each) : answerInSession,
    );
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    [Symbol.dispose]: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fetchFrom: (request: Request) => Promise<Response>,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request = new Request(`http://localhost${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(body.length > 0 && { body }),
  });
  const response = await fetchFrom(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) outgoing.end();
  else
    Readable.fromWeb(response.body as never)
      .on('error', () => {})
      .pipe(outgoing);
}

const pidFile = process.env['TOOL_SERVER_PID'];
if (pidFile !== undefined) writeFileSync(pidFile, String(process.pid));
const noteCall = (name: string) => pidFile !== undefined && writeFileSync(`${pidFile}.${name}`, '');
if (process.argv.includes('--stdio')) serveStdio(() => createToolServer(noteCall));
