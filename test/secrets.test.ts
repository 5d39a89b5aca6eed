import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const started = new AsyncDisposableStack();
afterAll(async () => await started.disposeAsync());

/** Secrets of the bots by the names of their variables. */
const secrets = {
  BOT_TOKEN: 'tok/en "x-of-the-bot" & more',
  DB_PASSWORD: 'hunter2-of-the-shop',
  PORTAL_PIN: 'portal-pin-77',
  DATABASE_URL: 'postgres://ann:s3cret-of-ann@localhost/db',
  CUSTOM_HEADER: 'custom header value 9',
};
/** Texts that no file may contain: the secrets, and a part of each that escaping does not change. */
const pieces = ['x-of-the-bot', 'hunter2', 'pin-77', 's3cret-of-ann', 'header value 9'];

const leaks = `[process.env.BOT_TOKEN, process.env.DB_PASSWORD, process.env.PORTAL_PIN, process.env.DATABASE_URL, process.env.CUSTOM_HEADER].join(' | ')`;
const everything = `{
  answer: 'It is ' + leak,
  toolCalls: [{ name: 'look', arguments: { with: leak, [leak]: 1 }, result: { found: [leak] } }],
  documents: [{ id: leak, text: encodeURIComponent(leak) }],
  state: { session: leak, nested: JSON.stringify({ again: leak }) },
  logs: leak,
}`;
const module = `export default function bot(question) {
  const leak = ${leaks};
  if (question === 'throws') throw new Error('cannot connect: ' + leak);
  return ${everything};
}`;
const program = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, input } = JSON.parse(line);
  const leak = ${leaks};
  console.error('log of ' + leak);
  if (input === 'throws') console.log(JSON.stringify({ id, error: 'cannot connect: ' + leak }));
  else console.log(JSON.stringify({ id, ...${everything} }));
}`;
const mcp = `
import { McpServer } from ${JSON.stringify(import.meta.resolve('@modelcontextprotocol/server'))};
import { StdioServerTransport } from ${JSON.stringify(import.meta.resolve('@modelcontextprotocol/server/stdio'))};
import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
const mcp = new McpServer({ name: 'portal', version: '1.0.0' });
mcp.registerTool('pin', { inputSchema: z.object({}) }, () => ({ content: [{ type: 'text', text: 'The pin is ' + process.env.PORTAL_PIN }] }));
await mcp.connect(new StdioServerTransport());
`;
const metric = `export default ({ answer }) => { throw new Error('no database at ' + ${leaks}); }`;

let folder = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  const write = async (name: string, text: string) => await writeFile(path.join(folder, name), text);
  await write('module.mjs', module);
  await write('program.mjs', program);
  await write('mcp.mjs', mcp);
  await write('metric.mjs', metric);
  const rows = [
    { id: 'answers', question: 'answers' },
    { id: 'throws', question: 'throws' },
  ];
  await write('golden.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  await write('recorded.jsonl', `{"question":"answers","answer":"The token is ${secrets.PORTAL_PIN}"}\n`);
  const server = createServer((incoming, response) => {
    const leak = [incoming.headers['x-custom-auth'], secrets.DB_PASSWORD, secrets.PORTAL_PIN].join(' | ');
    response.end(JSON.stringify({ answer: `It is ${leak}`, state: { leak } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.defer(() => void server.close());
  const model = await startModelServer(({ prompt }) =>
    prompt.includes('The pin is')
      ? { text: `Your pin: ${prompt}` }
      : { toolCalls: [{ name: 'pin', arguments: {} }] },
  );
  started.use(model);
  const { port } = server.address() as AddressInfo;
  const node = JSON.stringify(process.execPath);
  await write(
    'touchstone.config.yaml',
    `dataset: golden.jsonl
maxRetries: 0
timeLimitMs: 3600000
targets:
  - { use: module, name: module, path: ./module.mjs }
  - { use: command, name: program, command: [${node}, program.mjs] }
  - { use: replay, name: replay, path: recorded.jsonl }
  - use: http
    name: http
    url: http://127.0.0.1:${port}/
    headers: { x-custom-auth: '{{env.CUSTOM_HEADER}}', x-db: '{{env.DB_PASSWORD}}' }
  - use: chat
    name: chat
    model: { use: openai-chat, model: m, baseUrl: ${model.url}, headersFromEnv: { x-pin: PORTAL_PIN } }
    mcp: [{ command: [${node}, mcp.mjs], envFrom: [PORTAL_PIN] }]
metrics: [{ use: function, path: ./metric.mjs, name: custom }]
`,
  );
});

/** Stands for a journal that was there in the list of files, and has ended since. */
function gone(fault: unknown): string {
  if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return '';
  throw fault;
}

/** Returns all files in a folder, including the files of a store, its journals and reports. */
async function readAll(): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && !/\.(mjs|jsonl|yaml)$/.test(entry.name));
  const texts = await Promise.all(
    files.map(
      async ({ parentPath, name }) => await readFile(path.join(parentPath, name), 'latin1').catch(gone),
    ),
  );
  return texts.join('\n');
}

test('no known secret appears in anything stored or shown, for any target', async () => {
  const start = { cwd: folder, env: { ...secrets, OPENAI_API_KEY: 'sk-a-key-of-the-model' } };
  const reports = ['-o', 'report.md', '-o', 'report.json', '-o', 'report.html'];
  const ran = await touchstone(['run', '--verbose', ...reports], start);
  expect(ran.stderr).not.toContain('unhandled');
  const shown = await touchstone(['show', '--verbose'], start);
  const exported = await touchstone(['export', 'latest'], start);
  const all = [ran.stdout, ran.stderr, shown.stdout, exported.stdout, await readAll()].join('\n');
  for (const piece of pieces) expect([piece, all.includes(piece)]).toEqual([piece, false]);
  expect(all).not.toContain('a-key-of-the-model');
  expect(await readFile(path.join(folder, 'report.html'), 'utf8')).toContain('[PORTAL_PIN]');
  const trials = exported.stdout
    .split('\n')
    .flatMap((line) => (line.includes('"trial"') ? [JSON.parse(line)] : []));
  expect(trials.length).toBeGreaterThan(9);
  for (const name of ['BOT_TOKEN', 'DB_PASSWORD', 'PORTAL_PIN', 'DATABASE_URL']) {
    expect(exported.stdout).toContain(`[${name}]`);
  }
  expect(exported.stdout).toContain('Your pin: The pin is [PORTAL_PIN]');
});

test.each([
  ["{ use: command, command: [bot, '--api-key=abcdef'] }", 'command (--api-key)'],
  ['{ use: module, path: ./module.mjs, with: { apiKey: abcdef } }', 'with.apiKey'],
  ["{ use: http, url: 'http://127.0.0.1/', headers: { x-custom-auth: abcdef } }", 'headers.x-custom-auth'],
  ["{ use: http, url: 'http://127.0.0.1/?code=abcdef' }", 'url (code)'],
  ["{ use: http, url: 'http://127.0.0.1/?api_key=abcdef' }", 'url (api_key)'],
  [`{ use: http, url: 'http://127.0.0.1/', body: '{"api_key": "abcdef"}' }`, 'body (api_key)'],
  [
    "{ use: chat, model: { use: openai-chat, model: m }, mcp: [{ command: [bot, '--token', abcdef] }] }",
    'mcp.command (--token)',
  ],
])('a literal secret in %s is refused and not repeated', async (target, setting) => {
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'golden.jsonl'), '{"question":"q"}\n');
  await writeFile(path.join(cwd, 'module.mjs'), 'export default () => "yes";');
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), `dataset: golden.jsonl\ntargets: [${target}]\n`);
  const ended = await touchstone(['run'], { cwd, env: { OPENAI_API_KEY: 'sk-a-key-of-the-model' } });
  expect(ended.code).toBe(4);
  expect(ended.stderr).toContain(`\`${setting}\` looks like a secret that is written out`);
  expect(ended.stdout + ended.stderr).not.toContain('abcdef');
});
