import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  convertToModelMessages,
  pipeUIMessageStreamToResponse,
  simulateReadableStream,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../scripts/find-free-port.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = await readFile(path.join(root, 'docs', 'connect-your-bot.md'), 'utf8');
const guide = page.slice(page.indexOf('## Five kinds of bots'));
const [, questions = ''] = /^```jsonl golden\.jsonl\n(.*?)^```$/ms.exec(guide) ?? [];

/** Returns the config under a heading of the guide. */
function configOf(heading: string): string {
  const [, config = ''] =
    new RegExp(`^### ${heading}\\n.*?^\`\`\`yaml\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? [];
  const lines = config.trim().split('\n');
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.length).toBeLessThanOrEqual(10);
  return config;
}

/** Runs the config under a heading with the address of a bot of the test, and expects every question to pass. */
async function runGuide(
  heading: string,
  addresses: Readonly<Record<string, string>>,
  env = {},
): Promise<void> {
  let config = configOf(heading);
  for (const [written, address] of Object.entries(addresses)) {
    expect(config).toContain(written);
    config = config.replaceAll(written, address);
  }
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'golden.jsonl'), questions);
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
  const ended = await touchstone(['run'], { cwd, env });
  expect(ended).toMatchObject({ code: 0 });
  const [result] = await readLatestResults(cwd);
  expect(result?.trial.transcript.map(({ content }) => content)).toEqual([
    'What does the desk lamp cost?',
    'It costs 49 dollars.',
    'And in blue?',
    'In blue it costs 52 dollars.',
  ]);
  expect(result?.scorecard).toMatchObject({ passed: true });
}

type Handle = (body: string, response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts a server and returns its address. */
async function serve(handle: Handle): Promise<string> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => await handle(body, response, request));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers by what the user has said in the conversation so far. */
function answerTo(said: readonly string[]): string[] {
  if (!said.join(' ').includes('lamp')) return ['What ', 'do you mean?'];
  return said.at(-1)?.includes('blue') === true
    ? ['In blue it costs ', '52 dollars.']
    : ['It costs ', '49 dollars.'];
}

function textsOf(messages: readonly { readonly role: string; readonly content: string }[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
}

function sendEvents(
  response: ServerResponse,
  events: readonly (readonly [name: string, data: unknown])[],
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events) {
    const named = name === '' ? '' : `event: ${name}\r\n`;
    response.write(`${named}data: ${JSON.stringify(data)}\r\n\r\n`);
  }
  response.end();
}

test('a LangGraph server: its bytes, by the config of the guide', async () => {
  const url = await serve((body, response, request) => {
    expect(request.url).toBe('/runs/stream');
    const { assistant_id, input } = JSON.parse(body);
    expect(assistant_id).toBe('agent');
    const pieces = answerTo(textsOf(input.messages));
    const human = input.messages.map(({ content }: { content: string }, index: number) => ({
      type: index % 2 === 0 ? 'human' : 'ai',
      content,
      id: `h${index}`,
    }));
    sendEvents(response, [
      ['metadata', { run_id: 'r', attempt: 1 }],
      ['values', { messages: human }],
      ...pieces.map(
        (content) =>
          ['messages', [{ type: 'AIMessageChunk', id: 'a', content }, { langgraph_node: 'agent' }]] as const,
      ),
      ['values', { messages: [...human, { type: 'ai', id: 'a', content: pieces.join('') }] }],
    ]);
  });
  await runGuide('A LangGraph server', { 'http://localhost:2024': url });
});

const hasLanggraph = spawnSync('python3', ['-c', 'import langgraph_cli, langgraph_api']).status === 0;

test.skipIf(!hasLanggraph)(
  'a LangGraph server: the package itself, streamed and whole, by the config of the guide (needs the Python package of langgraph-cli[inmem])',
  async () => {
    const folder = await temporaryFolder();
    await copyFile(path.join(root, 'test', 'support', 'langgraph-agent.py'), path.join(folder, 'agent.py'));
    const graphs = { dependencies: ['.'], graphs: { agent: './agent.py:graph' } };
    await writeFile(path.join(folder, 'langgraph.json'), JSON.stringify(graphs));
    const port = await findFreePort();
    const server = spawn(
      'python3',
      ['-m', 'langgraph_cli', 'dev', '--port', String(port), '--no-browser', '--no-reload'],
      {
        cwd: folder,
        stdio: 'ignore',
        env: { ...process.env, LANGSMITH_TRACING: 'false', LANGGRAPH_CLI_NO_ANALYTICS: '1' },
      },
    );
    onTestFinished(() => void server.kill());
    const url = `http://127.0.0.1:${port}`;
    while ((await fetch(`${url}/ok`).catch(() => undefined))?.ok !== true && server.exitCode === null)
      await pause(50);
    expect(server.exitCode).toBeNull();
    await runGuide('A LangGraph server', { 'http://localhost:2024': url });
    await runGuide('A LangGraph server', { 'http://localhost:2024/runs/stream': `${url}/runs/wait` });
  },
);

test('a route of the AI SDK: the package itself, by the config of the guide', async () => {
  const chats = new Map<string, UIMessage[]>();
  const url = await serve(async (body, response) => {
    const { id, messages } = JSON.parse(body);
    const all = [...(chats.get(id) ?? []), ...messages];
    chats.set(id, all);
    const said = all.flatMap(({ parts }: UIMessage) =>
      parts.flatMap((part) => (part.type === 'text' ? part.text : [])),
    );
    const usage = { inputTokens: { total: 7 }, outputTokens: { total: 5 } };
    const model = new MockLanguageModelV4({
      doStream: async () => ({
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: 't' },
            ...answerTo(said).map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
            { type: 'text-end', id: 't' },
            { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
          ] as never[],
        }),
      }),
    });
    const { stream } = streamText({ model, messages: await convertToModelMessages(all) });
    await pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream }) });
  });
  await runGuide('A route of the AI SDK', { 'http://localhost:3000': url });
  expect(chats.size).toBe(1);
});

test('an app of Dify: its bytes, by the config of the guide', async () => {
  const conversations = new Map<string, string[]>();
  const url = await serve((body, response, { headers, url: address }) => {
    expect([address, headers.authorization]).toEqual(['/v1/chat-messages', 'Bearer app-key-of-dify']);
    const { query, user, response_mode, conversation_id } = JSON.parse(body);
    expect([user, response_mode]).toEqual(['test', 'streaming']);
    const id = conversation_id ?? `conversation-${conversations.size}`;
    const said = [...(conversations.get(id) ?? []), query];
    conversations.set(id, said);
    const ids = { conversation_id: id, message_id: 'm', task_id: 't', created_at: 1_767_000_000 };
    sendEvents(response, [
      ...answerTo(said).map((answer) => ['', { event: 'message', ...ids, answer }] as const),
      ['', { event: 'message_end', ...ids, metadata: { usage: { prompt_tokens: 7, completion_tokens: 5 } } }],
    ]);
  });
  await runGuide('An app of Dify', { 'https://api.dify.ai': url }, { DIFY_KEY: 'app-key-of-dify' });
  expect(conversations.size).toBe(1);
});

test('Ollama: its bytes, by the config of the guide', async () => {
  const url = await serve((body, response, request) => {
    expect(request.url).toBe('/api/chat');
    const { model, messages } = JSON.parse(body);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const head = { model, created_at: '2026-11-29T12:00:00.123456Z' };
    for (const content of answerTo(textsOf(messages)))
      response.write(
        `${JSON.stringify({ ...head, message: { role: 'assistant', content }, done: false })}\n`,
      );
    const end = { done_reason: 'stop', done: true, prompt_eval_count: 7, eval_count: 5 };
    response.end(`${JSON.stringify({ ...head, message: { role: 'assistant', content: '' }, ...end })}\n`);
  });
  await runGuide('Ollama', { 'http://localhost:11434': url });
});

const hasFastapi = spawnSync('python3', ['-c', 'import fastapi, uvicorn']).status === 0;

test.skipIf(!hasFastapi)(
  'FastAPI with a log-in and cookies: the package itself, by the config of the guide (needs the Python package of fastapi)',
  async () => {
    const port = await findFreePort();
    const bot = spawn('python3', [path.join(root, 'test', 'support', 'fastapi-bot.py'), String(port)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    onTestFinished(() => void bot.kill());
    const url = `http://127.0.0.1:${port}`;
    while ((await fetch(`${url}/docs`).catch(() => undefined))?.ok !== true && bot.exitCode === null)
      await pause(50);
    const password = 'the password of ann';
    await runGuide('FastAPI with a log-in', { 'http://localhost:8000': url }, { BOT_PASSWORD: password });
    const wrong = configOf('FastAPI with a log-in').replaceAll('http://localhost:8000', url);
    const cwd = await temporaryFolder();
    await writeFile(path.join(cwd, 'golden.jsonl'), questions);
    await writeFile(path.join(cwd, 'touchstone.config.yaml'), wrong);
    const refused = await touchstone(['run'], { cwd, env: { BOT_PASSWORD: 'another password' } });
    expect(refused).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('the server answered 403: {"detail":"wrong user name or password"}'),
    });
  },
);
