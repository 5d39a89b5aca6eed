// `node bench/tool-doors.ts [CALLS] [LONG]`: what the doors of tools add to a call, and whether memory stays flat. The server, the door
// and the bot are processes of their own. See README.md in this folder.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import type { Door, ToolSession } from '../src/evaluate/tools/door.ts';
import { createHttpDoor } from '../src/evaluate/tools/http/http-door.ts';
import { createMcpDoor } from '../src/evaluate/tools/mcp/mcp-door.ts';
import { mcpServerSchema } from '../src/evaluate/targets/chat/mcp-options.ts';
import { formatTable } from './format-table.ts';

const prefix = '/t/0123456789abcdef0123456789abcdef/shop';

/** Answers calls of MCP as one message, an event stream, and requests of HTTP. */
async function serve(): Promise<void> {
  const http = createServer((incoming, outgoing) => {
    incoming.resume().once('end', () => {
      const result = { content: [{ type: 'text', text: 'shipped' }], id: 1 };
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
      if (incoming.url === '/events') {
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
        outgoing.write(': begun\n\n');
        setTimeout(() => outgoing.end(`data: ${message}\n\n`), 20);
      } else outgoing.writeHead(200, { 'content-type': 'application/json' }).end(message);
    });
  });
  await listen(http);
}

async function listen(http: ReturnType<typeof createServer>): Promise<void> {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  process.send?.((http.address() as AddressInfo).port);
}

/** Opens the doors of the server in a process of their own. */
async function openDoors(origin: string): Promise<void> {
  const needs = { folder: '.', environment: process.env, isOffline: false };
  const http = { headersFromEnv: {}, paths: [], names: {}, ignore: [], idempotency: false };
  const mcp = (path: string) =>
    createMcpDoor('shop', mcpServerSchema.parse({ url: `${origin}${path}` }), needs);
  const doors: Readonly<Record<string, Door>> = {
    mcp: mcp('/mcp'),
    events: mcp('/events'),
    http: createHttpDoor('shop', { ...http, http: origin, maxBodyBytes: 10_000_000 }, needs),
  };
  const session: ToolSession = {
    trialKey: 'k',
    mayChange: false,
    isOffline: false,
    over: new AbortController().signal,
    folder: async () => '.',
    use: async (_use, run) => await run({ key: 'k' }),
    noteTraffic: () => {},
    recordedReply: async () => undefined,
    notePast: () => {},
  };
  process.on('message', () => {
    globalThis.gc?.();
    process.send?.({ memory: process.memoryUsage() });
  });
  await listen(
    createServer((incoming, outgoing) => {
      const [, kind = '', rest = ''] = /^\/(\w+)(.*)$/.exec(incoming.url ?? '') ?? [];
      void doors[kind]?.handle(incoming, outgoing, rest.slice(prefix.length), () => session);
    }),
  );
}

async function start(...args: string[]): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const child = fork(import.meta.filename, args, { execArgv: ['--expose-gc'] });
  const [port] = (await once(child, 'message')) as [number];
  return { child, origin: `http://127.0.0.1:${port}` };
}

async function measureDoors(calls: number, long: number): Promise<void> {
  const server = await start('server');
  const doors = await start('doors', server.origin);
  const rows: string[][] = [];
  for (const [kind, path] of [
    ['mcp', '/mcp'],
    ['http', '/orders/1'],
    ['events', '/events'],
  ] as const) {
    const own = kind === 'http' ? path : '';
    const addresses = [`${server.origin}${path}`, `${doors.origin}/${kind}${prefix}${own}`];
    const times: number[][] = [[], []];
    // Direct and through the door in turns, so that what else the machine does meets both.
    for (let count = 0; count < (kind === 'events' ? calls / 10 : calls) + 50; count += 1)
      for (const [way, address] of addresses.entries()) {
        const ms = await timeOf(address, kind);
        if (count >= 50) times[way]?.push(ms);
      }
    const [direct = [], through = []] = times.map((each) => each.toSorted((a, b) => a - b));
    const at = (all: readonly number[], share: number) => all[Math.floor(all.length * share)] ?? 0;
    const shown = (value: number) => value.toFixed(2);
    rows.push([`${kind} direct`, shown(at(direct, 0.5)), shown(at(direct, 0.95)), '', '']);
    const added = [at(through, 0.5) - at(direct, 0.5), at(through, 0.95) - at(direct, 0.95)].map(shown);
    rows.push([`${kind} through the door`, shown(at(through, 0.5)), shown(at(through, 0.95)), ...added]);
  }
  console.log(formatTable(['way', 'median ms', '95 % ms', 'added median', 'added 95 %'], rows));
  const memory: string[][] = [];
  for (let done = 0; done <= long; done += long / 5) {
    for (let count = 0; count < (done === 0 ? 1000 : long / 5); count += 10)
      await Promise.all(
        Array.from(
          { length: 10 },
          async (_, index) =>
            await timeOf(
              `${doors.origin}/${index % 2 === 0 ? 'mcp' : 'http'}${prefix}${index % 2 === 0 ? '' : '/orders/1'}`,
              'mcp',
            ),
        ),
      );
    doors.child.send('memory');
    const [{ memory: used }] = (await once(doors.child, 'message')) as [{ memory: NodeJS.MemoryUsage }];
    memory.push([String(done), (used.heapUsed / 1e6).toFixed(1), (used.rss / 1e6).toFixed(1)]);
  }
  console.log(formatTable(['calls', 'heap MB', 'resident MB'], memory));
  for (const { child } of [server, doors]) child.kill();
}

const agent = new Agent();
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_order', arguments: { id: '4711' } },
});

/** Returns the milliseconds of one call; for a stream of events, those to its first bytes. */
async function timeOf(address: string, kind: string): Promise<number> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const started = performance.now();
  const reply = await request(address, { dispatcher: agent, method: 'POST', headers, body });
  let first: number | undefined;
  for await (const _piece of reply.body) first ??= performance.now() - started;
  return kind === 'events' ? (first ?? 0) : performance.now() - started;
}

const [role = '2000', given = '100000'] = process.argv.slice(2);
if (role === 'server') await serve();
else if (role === 'doors') await openDoors(given);
else await measureDoors(Number(role), Number(given));
