import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import { openaiChat } from '../../models/openai-chat.ts';
import { run } from '../../run/run.ts';
import { neverStopped } from '../../run/run-needs.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildEvaluation, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { http } from '../http.ts';

/** The reaction of a server to a whole request: its number over all, and on its connection, both from 1. */
type Handle = (asked: {
  readonly socket: Socket;
  readonly question: string;
  readonly number: number;
  readonly onSocket: number;
}) => unknown;

const servers = new Set<{ readonly server: Server; readonly sockets: Set<Socket> }>();
afterEach(() => {
  for (const { server, sockets } of servers) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
  servers.clear();
});

/** Starts a server that writes whatever bytes a test wants. */
async function serve(handle: Handle) {
  const sockets = new Set<Socket>();
  let number = 0;
  const server = createServer((socket) => {
    let [text, onSocket] = ['', 0];
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [, length = ''] = /content-length: (\d+)/i.exec(text) ?? [];
      const body = text.split('\r\n\r\n')[1] ?? '';
      if (length === '' || body.length < Number(length)) return;
      text = '';
      const question = /question \d+/.exec(body)?.[0] ?? '';
      handle({ socket, question, number: (number += 1), onSocket: (onSocket += 1) });
    });
  });
  servers.add({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, sockets, requests: () => number };
}

const needs = {
  folder: '.',
  environment: {},
  readRows: () => expect.fail('no rows are read'),
  resolveModel: () => expect.fail('no model is used'),
};

/** Asks the server so many questions, one after the other, and returns the trials. */
async function ask(url: string, count: number, settings = {}) {
  const { definition } = http;
  const target = resolvedTarget('bot', definition.create(definition.options.parse({ url }), needs));
  const questions = Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
  }));
  const all = { concurrency: 1, timeLimitMs: 60_000, maxRetries: 0, ...settings };
  const store = createMemoryStore();
  const evaluation = buildEvaluation(questions, [target], { settings: all });
  await run(evaluation, { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped });
  const [{ id } = { id: '' }] = await store.listRuns();
  return (await Array.fromAsync(store.readResults(id))).map(({ trial }) => trial);
}

/** Asks the server as a model. */
async function askModel(url: string, options: Partial<Parameters<typeof openaiChat>[0]> = {}) {
  const { definition } = openaiChat;
  const all = definition.options.parse({ model: 'm', baseUrl: url, maxRetries: 0, ...options });
  const model = definition.create(all, { folder: '.', environment: {} });
  const signal = new AbortController().signal;
  try {
    return await model.generate({ messages: [{ role: 'user', content: 'question 0' }] }, { signal });
  } catch (error) {
    return error as { readonly code: string };
  } finally {
    await model.close?.();
  }
}

async function untilClosed(sockets: ReadonlySet<Socket>): Promise<void> {
  while (sockets.size > 0) await wait(5);
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const answerTo = (question: string) => JSON.stringify({ answer: `${question}.` });
const reply = (body: string, length = body.length) => `${head}content-length: ${length}\r\n\r\n${body}`;

/** Writes the same again and again, as fast as it is read, until the connection is closed. */
function writeForever(socket: Socket, text: string): void {
  const go = () => {
    while (!socket.destroyed && socket.write(text)) continue;
  };
  socket.on('drain', go);
  go();
}

test('headers without an end are not a reply, and end with their connection', async () => {
  const { url, sockets } = await serve(({ socket }) => {
    socket.write(head);
    writeForever(socket, `x-more: ${'x'.repeat(1000)}\r\n`);
  });
  expect((await ask(url, 2)).map(({ error }) => error?.code)).toEqual(['invalid-reply', 'invalid-reply']);
  expect(await askModel(url)).toMatchObject({ code: 'invalid-reply' });
  await untilClosed(sockets);
});

test('a body without an end is too large, and ends with its connection', async () => {
  const { url, sockets } = await serve(({ socket }) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const piece = 'x'.repeat(65_536);
    writeForever(socket, `${piece.length.toString(16)}\r\n${piece}\r\n`);
  });
  expect((await ask(url, 2)).map(({ error }) => error?.code)).toEqual([
    'answer-too-large',
    'answer-too-large',
  ]);
  expect(await askModel(url)).toMatchObject({ code: 'invalid-reply' });
  await untilClosed(sockets);
});

test('endless lines before the reply run into the time limit of the question', async () => {
  const { url, sockets } = await serve(({ socket }) => {
    const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
    socket.on('close', () => clearInterval(timer));
  });
  expect((await ask(url, 1, { timeLimitMs: 200 }))[0]?.error?.code).toMatch(/timeout|connection-failed/);
  await untilClosed(sockets);
});

const early = '103 Early Hints\r\nlink: </style.css>; rel=preload';
const informationalReplies = [
  ['100 Continue', ['HTTP/1.1 100 Continue\r\n\r\n']],
  ['100 Continue with a header, twice', ['HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\nHTTP/1.1 100\r\n\r\n']],
  ['100 Continue in pieces', ['HTT', 'P/1.1 10', '0 Continue\r', '\n\r', '\n']],
  ['102 Processing', ['HTTP/1.1 102 Processing\r\n\r\n']],
  ['103 Early Hints', [`HTTP/1.1 ${early}\r\n\r\n`]],
  ['all of them', [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 ${early}\r\n\r\nHTTP/1.1 100 Go\r\n\r\n`]],
] as const;

/** Writes pieces so that each arrives by itself, except the last, which comes with the reply. */
async function writeInPieces(socket: Socket, pieces: readonly string[], last: string): Promise<void> {
  socket.setNoDelay(true);
  for (const piece of pieces.slice(0, -1)) {
    socket.write(piece);
    await wait(10);
  }
  socket.write((pieces.at(-1) ?? '') + last);
}

test.each(informationalReplies)('the reply after an unrequested %s is read', async (_what, pieces) => {
  const { url } = await serve(({ socket, question }) =>
    writeInPieces(socket, pieces, reply(answerTo(question))),
  );
  const trials = await ask(url, 3);
  expect(trials.map(({ error, answer }) => error?.message ?? answer)).toEqual(
    trials.map((_, index) => `question ${index}.`),
  );
});

test('of endless such replies, at most one is kept in memory', async () => {
  const { url, sockets } = await serve(async ({ socket }) => {
    // After each one, the beginning of the next is left over.
    const replies = `HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(900)}\r\n\r\n`.repeat(64);
    for (let count = 0; !socket.destroyed; count += 1) {
      socket.write(count === 0 ? `${replies}HTTP` : `${replies.slice(4)}HTTP`);
      await wait(1);
    }
  });
  const concat = vi.spyOn(Buffer, 'concat');
  onTestFinished(() => concat.mockRestore());
  const [trial] = await ask(url, 1, { timeLimitMs: 500 });
  expect(trial?.error?.code).toBe('timeout');
  const held = concat.mock.calls.map(([[first]]) => first?.length ?? 0);
  expect(Math.max(...held)).toBeLessThan(16 * 1024);
  await untilClosed(sockets);
});

test.each(['HTTP/1.1 1ab\r\n\r\n', 'HTTP/1.1 10 x\r\n\r\n', 'HTTP/1.1 1000 x\r\n\r\n'])(
  'what only resembles such a reply is refused at once: %j',
  async (said) => {
    const { url } = await serve(({ socket }) => socket.write(said));
    const [trial] = await ask(url, 1);
    expect(trial?.error).toMatchObject({ code: expect.not.stringMatching('timeout') });
  },
);

test('an answer in which a chunk looks like such a reply is complete', async () => {
  const answer = 'It says HTTP/1.1 100 Continue.';
  const [before = '', after = ''] = reply(JSON.stringify({ answer })).split(/(?=HTTP\/1\.1 100)/);
  const { url } = await serve(({ socket }) => writeInPieces(socket, [before, ''], after));
  expect((await ask(url, 2)).map((trial) => trial.answer)).toEqual([answer, answer]);
});

test.each(informationalReplies)(
  'the answer of a model that sends %s first is read, streaming or not',
  async (_what, pieces) => {
    const message = { role: 'assistant', content: 'yes' };
    const whole = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] });
    const chunks = [{ delta: message }, { delta: {}, finish_reason: 'stop' }].map(
      (choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`,
    );
    const stream = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
    const plain = await serve(({ socket }) => writeInPieces(socket, pieces, reply(whole)));
    expect(await askModel(plain.url)).toMatchObject({ text: 'yes' });
    const streaming = await serve(async ({ socket }) => {
      await writeInPieces(socket, pieces, `${stream}${chunks.join('')}`);
      socket.end('data: [DONE]\n\n');
    });
    expect(await askModel(streaming.url, { stream: true })).toMatchObject({ text: 'yes' });
  },
);

test('a length that is too long or too short gives no question the answer to another', async () => {
  const long = await serve(({ socket, question }) => {
    const body = answerTo(question);
    socket.end(reply(body, body.length + 50));
  });
  expect((await ask(long.url, 3)).map(({ error }) => error?.code)).toEqual(
    Array(3).fill('connection-failed'),
  );
  const short = await serve(({ socket, question }) => {
    socket.write(reply(answerTo(question), 5));
  });
  const cut = await ask(short.url, 3);
  expect(cut.map(({ answer }) => answer)).toEqual([null, null, null]);
  // A whole second reply to a question that was never asked.
  const twice = await serve(({ socket, question }) => {
    socket.write(reply(answerTo(question)) + reply(answerTo('another')));
  });
  const trials = await ask(twice.url, 4, { maxRetries: 3 });
  for (const [index, { answer, status }] of trials.entries()) {
    expect([status, answer]).toEqual(
      status === 'completed' ? ['completed', `question ${index}.`] : [status, null],
    );
  }
  for (const { sockets } of [long, short, twice]) await untilClosed(sockets);
});

test('a connection closed on reuse loses nothing: the question is asked on another one', async () => {
  const { url, requests } = await serve(({ socket, question, onSocket }) => {
    if (onSocket === 1) socket.write(reply(answerTo(question)));
    else socket.destroy();
  });
  const trials = await ask(url, 6, { maxRetries: 2 });
  expect(trials.map(({ answer }) => answer)).toEqual(trials.map((_, index) => `question ${index}.`));
  // Each is recorded as what it was: a repeat of a request without an answer.
  expect(trials.reduce((sum, { retries }) => sum + retries, 0)).toBe(requests() - 6);
});

test('a connection closed silently after the reply is not used again', async () => {
  const { url } = await serve(({ socket, question }) => {
    socket.write(reply(answerTo(question)));
    setImmediate(() => socket.destroy());
  });
  const trials = await ask(url, 6, { maxRetries: 2 });
  expect(trials.map(({ answer }) => answer)).toEqual(trials.map((_, index) => `question ${index}.`));
});

test('redirects in a circle are not followed', async () => {
  const { url, requests, sockets } = await serve(({ socket }) => {
    socket.write('HTTP/1.1 307 Temporary Redirect\r\nlocation: /\r\ncontent-length: 0\r\n\r\n');
  });
  expect((await ask(url, 2, { maxRetries: 3 })).map(({ error }) => error?.code)).toEqual([
    'http-status',
    'http-status',
  ]);
  expect(requests()).toBe(2);
  expect(await askModel(url)).toMatchObject({ code: expect.any(String) });
  expect(requests()).toBe(3);
  for (const socket of sockets) socket.destroy();
});
