import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { probeBot } from '../src/cli/init/probe-bot.ts';
import { mcpServerSchema } from '../src/evaluate/targets/chat/mcp-options.ts';
import { openMcpTools } from '../src/evaluate/targets/chat/mcp.ts';
import { createSpanSender } from '../src/exchange/telemetry/span-sender.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';
import { startForwardProxy } from './support/forward-proxy.ts';
import { prepare } from './support/prepare-target.ts';
import { startTraceCollector } from './support/trace-collector.ts';
import { hasOpenssl, makeAuthority } from './support/private-authority.ts';

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const answer: RequestListener = (incoming, response) => {
  incoming.resume();
  // It was not asked for; a client must skip it all the same.
  response.writeContinue();
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":"yes"}');
};

/** Passes requests on to a server that speaks no TLS. */
function passTo(url: string): RequestListener {
  return (incoming, response) => {
    const { method, headers, url: path = '/' } = incoming;
    const onward = request(new URL(path, url), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    incoming.pipe(onward);
  };
}

async function writeProject(config: string): Promise<string> {
  const folder = await temporaryFolder();
  const rows = ['one', 'two', 'three', 'four'].map((question) => ({ question, expected_keywords: ['yes'] }));
  await writeFile(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  await writeFile(path.join(folder, 'touchstone.config.yaml'), `dataset: golden.jsonl\n${config}`);
  return folder;
}

const proxyless = {
  HTTP_PROXY: undefined,
  HTTPS_PROXY: undefined,
  NO_PROXY: undefined,
  http_proxy: undefined,
  https_proxy: undefined,
  no_proxy: undefined,
};

const password = 'pass/word-of-the-proxy';
const login = `ann:${password}`;
const written = `ann:${encodeURIComponent(password)}`;

/** Expects that a password of a proxy is in nothing that was printed or stored, in none of its forms. */
async function expectNoPassword(folder: string, printed: readonly string[]): Promise<void> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => await readFile(file, 'latin1')));
  expect(files.some((file) => file.endsWith('touchstone.db'))).toBe(true);
  const forms = [password, encodeURIComponent(password), Buffer.from(login).toString('base64')];
  for (const text of [...texts, ...printed]) for (const form of forms) expect(text).not.toContain(form);
}

test.skipIf(!hasOpenssl)(
  'a bot over http and a judge over https are asked through a proxy with a password, by certificates of an authority of our own (needs openssl)',
  async () => {
    const authority = makeAuthority(await temporaryFolder(), ['judge.test', 'bot.test']);
    const bot = await listen(createHttpServer(answer));
    await using grader = await startModelServer(() => ({
      judgement: { reason: 'It does.', quote: 'yes', verdict: 'yes' },
    }));
    const judge = await listen(createHttpsServer(authority, passTo(grader.url)));
    const secure = await listen(createHttpsServer(authority, answer));
    await using proxy = await startForwardProxy({ wants: login });
    const folder = await writeProject(`targets:
  - { use: http, name: plain, url: 'http://bot.test:${bot}/chat' }
  - { use: http, name: secure, url: 'https://bot.test:${secure}/chat' }
metrics: [keywords, { use: question, text: 'Does it help?' }]
judge: { use: chat-model, model: { use: openai-chat, model: m, baseUrl: 'https://judge.test:${judge}/v1' } }
`);
    const env = {
      ...proxyless,
      HTTP_PROXY: `http://${written}@${proxy.host}`,
      NODE_EXTRA_CA_CERTS: authority.file,
    };
    const ended = await touchstone(['run'], { cwd: folder, env, isAlone: true });
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/plain +100 %.* 4 +0 +0\n *secure +100 %.* 4 +0 +0\n/),
    });
    expect(new Set(proxy.asked)).toEqual(
      new Set([`bot.test:${bot}`, `bot.test:${secure}`, `judge.test:${judge}`]),
    );
    // What is asked over https goes through a tunnel, into which the proxy cannot look.
    expect(new Set(proxy.read.map(({ host }) => host))).toEqual(new Set([`bot.test:${bot}`]));
    await expectNoPassword(folder, [ended.stdout, ended.stderr]);

    // Without the authority, no answer; and what helps.
    const unknown = await touchstone(['run', '--json'], {
      cwd: folder,
      env: { ...env, NODE_EXTRA_CA_CERTS: undefined },
      isAlone: true,
    });
    const errors = (await readLatestResults(folder)).flatMap(({ trial: { target, error } }) =>
      error === undefined ? [] : [`${target}: ${error.message}`],
    );
    expect(errors).toHaveLength(4);
    const report = await touchstone(['show', '--store', path.join(folder, '.touchstone')], { cwd: folder });
    expect(report.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The certificate of the bot is not trusted. Where your own authority has signed it: NODE_EXTRA_CA_CERTS=/path/ca.pem',
    );
    expect(report.stdout).not.toContain('start it');
    expect(errors[0]).toMatch(
      /^secure: bot\.test:\d+ \(through the proxy 127\.0\.0\.1:\d+\): .* \(\w+\); if your own authority has signed its certificate, set NODE_EXTRA_CA_CERTS=\/path\/ca\.pem$/,
    );
    await expectNoPassword(folder, [unknown.stdout, unknown.stderr]);
  },
);

test.each([
  {
    title: 'no password where one is wanted',
    refused: { wants: login },
    given: '',
    message:
      /wants a user name and a password \(407\): write them into HTTP_PROXY, as in http:\/\/USER:PASSWORD@127/,
  },
  {
    title: 'a wrong password',
    refused: { wants: 'ann:other' },
    given: `${written}@`,
    message: /refuses the user name and the password in HTTP_PROXY \(407\)\.$/,
  },
])(
  '$title is an error that names the proxy alone, is not repeated, and ends the run soon',
  async ({ refused, given, message }) => {
    await using proxy = await startForwardProxy(refused);
    for (const scheme of ['http', 'https']) {
      const folder = await writeProject(
        `targets: [{ use: http, url: '${scheme}://bot.test/chat' }]\nconcurrency: 1\n`,
      );
      const before = proxy.asked.length;
      const env = { ...proxyless, HTTP_PROXY: `http://${given}${proxy.host}` };
      const ended = await touchstone(['run'], { cwd: folder, env, isAlone: true });
      expect(proxy.asked.length - before).toBe(1);
      const [result] = await readLatestResults(folder);
      expect(result?.trial.error).toMatchObject({
        code: 'proxy-refused',
        message: expect.stringMatching(message),
      });
      expect(ended.code).not.toBe(0);
      expect(ended.stdout + ended.stderr).toContain('proxy-refused');
      await expectNoPassword(folder, [ended.stdout, ended.stderr]);
    }
  },
);

test('a proxy that does not connect is named with the place and the status; one that cannot reach it may be asked again', async () => {
  for (const [status, code, message] of [
    [403, 'proxy-refused', /^The proxy 127\.0\.0\.1:\d+ refuses to connect to bot\.test:443 \(403\)\.$/],
    [502, 'connection-failed', /^The proxy 127\.0\.0\.1:\d+ cannot reach bot\.test:443 \(502\)\.$/],
  ] as const) {
    await using proxy = await startForwardProxy({ refusesWith: status });
    const folder = await writeProject(
      `targets: [{ use: http, url: 'https://bot.test/chat' }]\nconcurrency: 1\nmaxRetries: 1\n`,
    );
    await touchstone(['run'], { cwd: folder, env: { ...proxyless, https_proxy: proxy.host }, isAlone: true });
    const [result] = await readLatestResults(folder);
    expect(result?.trial.error).toMatchObject({ code, message: expect.stringMatching(message) });
  }
});

test('a proxy that is down, and a variable that names none, end the run before the first question', async () => {
  const folder = await writeProject(`targets: [{ use: http, url: 'http://bot.test/chat' }]\n`);
  const down = await touchstone(['run'], {
    cwd: folder,
    env: { ...proxyless, HTTP_PROXY: `http://${written}@127.0.0.1:9` },
    isAlone: true,
  });
  expect(down).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      'The proxy 127.0.0.1:9 (HTTP_PROXY), through which bot.test is asked, cannot be reached: the connection was refused',
    ),
  });
  const socks = await touchstone(['run'], {
    cwd: folder,
    env: { ...proxyless, HTTP_PROXY: `socks5://${written}@127.0.0.1:9` },
    isAlone: true,
  });
  expect(socks).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /`HTTP_PROXY` is not the address of a proxy over http or https\.\n.*TOUCHSTONE_PROXY=off/,
    ),
  });
  for (const { stdout, stderr } of [down, socks]) expect(stdout + stderr).not.toContain('word');
});

test('a bot on this machine is asked directly whatever the proxy, and so is each with TOUCHSTONE_PROXY=off', async () => {
  const bot = await listen(createHttpServer(answer));
  const folder = await writeProject(`targets: [{ use: http, url: 'http://127.0.0.1:${bot}/chat' }]\n`);
  const env = { ...proxyless, HTTP_PROXY: 'http://127.0.0.1:9' };
  expect(await touchstone(['run'], { cwd: folder, env, isAlone: true })).toMatchObject({ code: 0 });
  const named = await writeProject(`targets: [{ use: http, url: 'http://bot.invalid:${bot}/chat' }]\n`);
  const off = await touchstone(['run'], {
    cwd: named,
    env: { ...env, TOUCHSTONE_PROXY: 'off' },
    isAlone: true,
  });
  expect(off).toMatchObject({ code: 4, stderr: expect.stringContaining('there is no such host') });
});

/** Starts an MCP server with one tool. */
async function startMcpServer(): Promise<number> {
  const mcp = createMcpHandler(() => {
    const sums = new McpServer({ name: 'sums', version: '1.0.0' });
    sums.registerTool('one', { inputSchema: z.object({}) }, () => ({
      content: [{ type: 'text', text: '1' }],
    }));
    return sums;
  });
  const server = createHttpServer((incoming, outgoing) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const { url = '/', method = 'GET' } = incoming;
      const sent = new Request(new URL(url, 'http://localhost'), {
        method,
        headers,
        ...(body.length > 0 && { body }),
      });
      const response = await mcp.fetch(sent);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    })();
  });
  return await listen(server);
}

test('spans, MCP servers and the first question of init go through the proxy, too', async () => {
  await using collector = await startTraceCollector();
  await using proxy = await startForwardProxy({ wants: login });
  vi.stubEnv('HTTP_PROXY', `http://${written}@${proxy.host}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port, pathname } = new URL(collector.url);

  const failures: string[] = [];
  const sender = createSpanSender({
    collector: { url: `http://collector.test:${port}${pathname}`, headers: {} },
    redact: (text) => text,
    onFailure: (message) => failures.push(message),
  });
  const span = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 'span',
    kind: 'internal',
    startMs: 1_767_000_000_000,
    endMs: 1_767_000_000_001,
    attributes: {},
  } as const;
  sender.add([span]);
  await sender.finish();
  expect(failures).toEqual([]);
  expect(collector.spans).toHaveLength(1);

  const sums = await startMcpServer();
  await using needs = await prepare({});
  const { tools, close } = await openMcpTools(
    mcpServerSchema.parse({ url: `http://tools.test:${sums}/mcp` }),
    needs,
  );
  expect(tools.map(({ spec }) => spec.name)).toEqual(['one']);
  await close();

  const bot = await listen(createHttpServer(answer));
  expect(await probeBot({ kind: 'url', url: `http://bot.test:${bot}/chat` } as never)).toMatchObject({
    outcome: 'answered',
    answer: 'yes',
  });

  expect(new Set(proxy.asked)).toEqual(
    new Set([`collector.test:${port}`, `tools.test:${sums}`, `bot.test:${bot}`]),
  );
});
