import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLiveRunReader } from '../src/look/queries/live-run.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { program, temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';
import { keys, openTerminal, python } from './support/terminal.ts';

/** Starts a bot that refuses every call until `accept` is called, and then answers. */
async function startRefusingBot(headers: Record<string, string> = {}) {
  let isRefusing = true;
  const server = createServer((request, response) => {
    request.resume();
    if (isRefusing) response.writeHead(429, headers).end('slow down');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":"yes"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, accept: () => (isRefusing = false) };
}

async function writeProject(config: string, cases = 4): Promise<string> {
  const folder = await temporaryFolder();
  const rows = Array.from({ length: cases }, (_, index) => ({
    question: `question ${index}`,
    expected_keywords: ['yes'],
  }));
  await writeFile(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  await writeFile(path.join(folder, 'touchstone.config.yaml'), `dataset: golden.jsonl\n${config}`);
  return folder;
}

/** Reads what a run of a project waits for, as the page of the run does. */
async function readLive(folder: string) {
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  try {
    const [head] = await store.listRuns({ limit: 1 });
    const run = head && (await store.readRun(head.id));
    return run && (await createLiveRunReader(store).read(run, 'running'));
  } finally {
    await store.close();
  }
}

test('while a server refuses every call, its progress says so, and so do the page and runs --watch; then it goes on', async () => {
  const bot = await startRefusingBot();
  const folder = await writeProject(`targets: [{ use: http, url: 'http://${bot.address}/chat' }]\n`);
  const ended = await touchstone(['run'], {
    cwd: folder,
    onStarted: async (child) => {
      let text = '';
      child.stderr?.on('data', (piece: Buffer) => (text += String(piece)));
      await expect
        .poll(() => text)
        .toMatch(
          /^0\/4 attempts · 0 % · refused by 127\.0\.0\.1:\d+ \(429, \d+ times\), (next try in \d+ s|trying again) · 4 in flight$/m,
        );
      const server = { account: bot.address, reason: 'rate-limited', status: 429 };
      await expect
        .poll(async () => (await readLive(folder))?.waiting)
        .toMatchObject({ judging: 0, refused: [server] });
      await touchstone(['runs', '--watch'], {
        cwd: folder,
        onStarted: async (watching) => {
          let list = '';
          watching.stdout?.on('data', (piece: Buffer) => (list += String(piece)));
          await expect.poll(() => list).toMatch(/Run \S+ · refused by 127\.0\.0\.1:\d+ \(429, /);
          watching.kill('SIGINT');
        },
      });
      bot.accept();
    },
  });
  expect(ended.code).toBe(0);
  expect((await readLive(folder))?.waiting).toBeUndefined();
});

test('a slow judge is shown as such', async () => {
  const { promise: judged, resolve: judge } = Promise.withResolvers<void>();
  await using grader = await startModelServer(async () => {
    await judged;
    return { judgement: { reason: 'It does.', quote: 'yes', verdict: 'yes' } };
  });
  const folder = await writeProject(
    `targets: [{ use: module, path: bot.mjs }]
metrics: [{ use: question, text: 'Does it help?' }]
judge: { use: chat-model, model: { use: openai-chat, model: m, baseUrl: '${grader.url}' } }
`,
  );
  await writeFile(path.join(folder, 'bot.mjs'), "export default () => ({ answer: 'yes' });\n");
  const ended = await touchstone(['run'], {
    cwd: folder,
    onStarted: async (child) => {
      let text = '';
      child.stderr?.on('data', (piece: Buffer) => (text += String(piece)));
      await expect.poll(() => text).toMatch(/^0\/4 attempts · 0 % · judging 4$/m);
      await expect.poll(async () => (await readLive(folder))?.waiting).toEqual({ judging: 4, refused: [] });
      judge();
    },
  });
  expect(ended.stderr).toContain('judging 4');
});

test('a wait that is longer than maxWaitMs fails at once, with its length', async () => {
  const inHours = (hours: number) => String(Math.floor(Date.now() / 1000) + hours * 3600);
  const bot = await startRefusingBot({ 'retry-after': inHours(16) });
  const folder = await writeProject(`targets: [{ use: http, url: 'http://${bot.address}/chat' }]\n`, 1);
  const started = performance.now();
  await touchstone(['run'], { cwd: folder });
  expect(performance.now() - started).toBeLessThan(60_000);
  const [result] = await readLatestResults(folder);
  expect(result?.trial.error).toMatchObject({
    code: 'rate-limited',
    message: 'The server answered 429: slow down (asked to wait 16 h; `maxWaitMs` is 5 min)',
  });
});

test.skipIf(python === '')(
  'a terminal of 40 columns shows the refusal and the next try uncut (needs python3)',
  async () => {
    const bot = await startRefusingBot({ 'retry-after': '30' });
    const folder = await writeProject(`targets: [{ use: http, url: 'http://${bot.address}/chat' }]\n`);
    const terminal = openTerminal([process.execPath, program, 'run'], { cwd: folder, size: [20, 40] });
    await terminal.waitFor('refused (429), next try in 2');
    terminal.press(keys.stop);
    terminal.press(keys.stop);
    expect(await terminal.ended).toBe(130);
  },
);
