import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createRateLimiter } from '../../models/account/rate-limiter.ts';
import { createLocalExecutor } from '../../executors/local.ts';
import { run } from '../../run/run.ts';
import { neverStopped } from '../../run/run-needs.ts';
import type { Evaluation } from '../../run/evaluation.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildEvaluation, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { http } from '../http.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';

type Handle = (question: string, response: ServerResponse, request: IncomingMessage) => void;

const servers = new Set<Server>();
/** A new one for each test: a server may get the port of an earlier one, which may have taught another pace of repeats. */
let rateLimiter = createRateLimiter();

afterEach(() => {
  rateLimiter = createRateLimiter();
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
  servers.clear();
});

/** A server on the loopback address, with its open connections. */
async function serve(handle: Handle) {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => handle(JSON.parse(text).input, response, request));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
}

function liveHttp(url: string, name = 'bot', options: Partial<Parameters<typeof http>[0]> = {}) {
  const { definition } = http;
  const needs = {
    folder: '.',
    environment: {},
    rateLimiter,
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  };
  return resolvedTarget(name, definition.create(definition.options.parse({ url, ...options }), needs));
}

const questions = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}`,
    expected: { keywords: [`question ${index}.`] },
  }));

/** Asks the servers so many questions, and returns the run with its trials. */
async function ask(
  count: number,
  targets: Evaluation['targets'],
  settings: Partial<Evaluation['settings']> = {},
) {
  const store = createMemoryStore();
  const all = { concurrency: 8, timeLimitMs: 60_000, maxRetries: 0, ...settings };
  const evaluation = buildEvaluation(questions(count), targets, { settings: all });
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  const finished = await run(evaluation, needs);
  const results = await Array.fromAsync(store.readResults(finished.id));
  return { finished, trials: results.map(({ trial }) => trial) };
}

const answer = (question: string, response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ answer: `${question}.` }));

async function untilClosed(sockets: ReadonlySet<Socket>): Promise<void> {
  while (sockets.size > 0) await wait(5);
}

test('questions to a server that stalls run into their time limits, and no connection stays open', async () => {
  const { url, sockets } = await serve(() => {});
  const { trials } = await ask(3, [liveHttp(url)], { timeLimitMs: 100 });
  expect(trials).toHaveLength(3);
  for (const { error } of trials) {
    expect(error).toEqual({ code: 'timeout', message: 'no answer within 100 ms' });
  }
  await untilClosed(sockets);
});

test('a call that ran out of time closes its connection while the run continues', async () => {
  const { url, sockets } = await serve((question, response) => {
    if (question !== 'question 0') answer(question, response);
  });
  const closedEarly: boolean[] = [];
  let first: Socket | undefined;
  servers
    .values()
    .next()
    .value?.once('connection', (socket: Socket) => {
      first = socket;
      socket.once('close', () => closedEarly.push(true));
    });
  const { trials } = await ask(12, [liveHttp(url)], { timeLimitMs: 1000, concurrency: 1 });
  expect(trials.map(({ status }) => status)).toEqual(['failed', ...Array(11).fill('completed')]);
  expect(first?.destroyed).toBe(true);
  expect(closedEarly).toEqual([true]);
  await untilClosed(sockets);
});

test('a slow trickle of bytes is no answer in time, however long it continues', async () => {
  const { url, sockets } = await serve((_question, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write('{'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const { trials } = await ask(2, [liveHttp(url)], { timeLimitMs: 150 });
  expect(trials.map(({ error }) => error?.code)).toEqual(['timeout', 'timeout']);
  await untilClosed(sockets);
});

test('half a JSON is no answer and is not asked for again; after a dropped connection the question is', async () => {
  let requests = 0;
  const half = await serve((_question, response) => {
    requests += 1;
    response.setHeader('content-type', 'application/json').end('{"answer": "ye');
  });
  let dropped = 0;
  const drops = await serve((question, response, { socket }) => {
    dropped += 1;
    if (dropped % 2 === 0) return answer(question, response);
    response.writeHead(200, { 'content-length': '100' }).write('{"ans');
    return setTimeout(() => socket.destroy(), 5);
  });
  const targets = [liveHttp(half.url, 'half'), liveHttp(drops.url, 'drops')];
  const { trials } = await ask(4, targets, { maxRetries: 4, concurrency: 1 });
  const [ofHalf, ofDrops] = ['half', 'drops'].map((name) => trials.filter(({ target }) => target === name));
  expect(ofHalf?.map(({ error }) => error?.code)).toEqual(Array(4).fill('invalid-reply'));
  expect(requests).toBe(4);
  expect(ofDrops?.map(({ status, retries }) => `${status} ${retries}`)).toEqual(Array(4).fill('completed 1'));
});

test('answers that come in another order than the questions still belong to theirs', async () => {
  const waiting: (() => void)[] = [];
  const { url } = await serve((question, response) => {
    waiting.push(() => answer(question, response));
    if (waiting.length === 8) for (const reply of waiting.splice(0).toReversed()) reply();
  });
  const { finished } = await ask(64, [liveHttp(url)]);
  expect(finished.summary?.targets[0]).toMatchObject({ score: { value: 1 }, counts: { measured: 64 } });
});

test('an error with a success status is recorded as an error, and not scored', async () => {
  const { url } = await serve((_question, response) => {
    response.setHeader('content-type', 'application/json').end('{"error": "the database is away"}');
  });
  const { finished, trials } = await ask(2, [liveHttp(url)]);
  expect(trials[0]).toMatchObject({
    answer: null,
    error: { code: 'target-reported-error', message: 'The target reported: the database is away' },
  });
  expect(finished.summary?.targets[0]).toMatchObject({ score: { value: null }, counts: { errors: 2 } });
});

test('nothing is lost when a server refuses every fifth request and fails every twentieth, and waiting is not latency', async () => {
  let requests = 0;
  const failed = new Set<string>();
  const { url } = await serve((question, response) => {
    requests += 1;
    if (requests % 5 === 1) return response.writeHead(429).end();
    // Never the same question twice: with 20 in flight its repeats may keep their place among the requests.
    if (requests % 20 === 2 && !failed.has(question)) {
      failed.add(question);
      return response.writeHead(500).end();
    }
    return setTimeout(() => answer(question, response), 10);
  });
  const { trials } = await ask(300, [liveHttp(url)], { maxRetries: 4, concurrency: 20 });
  expect(trials.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(trials.reduce((sum, { retries }) => sum + retries, 0)).toBe(requests - 300);
});

test('Retry-After is awaited by the call that got it, and is not part of latency or time limit', async () => {
  const refused = new Set<string>();
  const { url } = await serve((question, response) => {
    if (refused.has(question)) return answer(question, response);
    refused.add(question);
    return response.writeHead(429, { 'retry-after': '3' }).end();
  });
  const { trials } = await ask(2, [liveHttp(url)], { maxRetries: 1, timeLimitMs: 2900 });
  expect(trials.map(({ status, retries }) => `${status} ${retries}`)).toEqual(Array(2).fill('completed 1'));
  for (const { latency } of trials) expect(latency?.totalMs).toBeLessThan(2900);
});

test('a refusal is not a repeat: a question that was only refused keeps all of its repeats', async () => {
  const visits = new Map<string, number>();
  const { url } = await serve((question, response) => {
    // Answered at once: the pauses after refusals grow with the time that an answer takes.
    if (question === 'question 0') return answer(question, response);
    const visit = (visits.get(question) ?? 0) + 1;
    visits.set(question, visit);
    if (visit <= 6) return response.writeHead(429, { 'retry-after': '0' }).end();
    if (visit === 7) return response.writeHead(500).end();
    return answer(question, response);
  });
  const { trials } = await ask(3, [liveHttp(url)], { maxRetries: 1, concurrency: 1 });
  expect(trials.map(({ status, retries }) => `${status} ${retries}`)).toEqual([
    'completed 0',
    'completed 7',
    'completed 7',
  ]);
});

test('a permanent error stays: the question is asked once', async () => {
  let requests = 0;
  const { url } = await serve((_question, response) => {
    requests += 1;
    response.writeHead(requests % 2 === 0 ? 401 : 422).end();
  });
  const { trials } = await ask(4, [liveHttp(url)], { maxRetries: 4 });
  expect(requests).toBe(4);
  expect(new Set(trials.map(({ error }) => error?.code))).toEqual(new Set(['unauthorized', 'bad-request']));
});

test.each([
  ['loses every connection', (response: ServerResponse) => response.socket?.destroy(), 40],
  ['breaks at every question', (response: ServerResponse) => response.writeHead(500).end(), 40],
  ['takes the key for a wrong one', (response: ServerResponse) => response.writeHead(401).end(), 1],
])('a server that %s is asked little more than was in flight', async (_what, fail, trials) => {
  let requests = 0;
  const { url } = await serve((_question, response) => {
    requests += 1;
    fail(response);
  });
  const settings = { concurrency: 100, maxRetries: 2 };
  const { finished } = await ask(2000, [liveHttp(url)], settings);
  expect(finished.stops?.[0]?.failures?.[0]?.trials).toBe(trials);
  expect(requests).toBeLessThan(150);
});

test.skipIf(!isReleaseTested)(
  'a server that recovers while it is asked again loses no question, however many were in flight (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const downUntil = performance.now() + 700;
    const { url } = await serve((question, response) => {
      if (performance.now() < downUntil) response.socket?.destroy();
      else answer(question, response);
    });
    const { finished } = await ask(300, [liveHttp(url)], { concurrency: 100, maxRetries: 4 });
    expect(finished.summary?.targets[0]?.counts).toMatchObject({ measured: 300, errors: 0 });
  },
);

test.each([
  ['an empty body', (response: ServerResponse) => response.end()],
  ['no content', (response: ServerResponse) => response.writeHead(204).end()],
  ['null', (response: ServerResponse) => response.setHeader('content-type', 'application/json').end('null')],
  ['an answer of null', (response: ServerResponse) => response.end('{"answer": null}')],
  ['white space', (response: ServerResponse) => response.end(' \n ')],
])('a server that replies with %s has given no answer, which is not scored', async (_what, reply) => {
  const { url } = await serve((_question, response) => void reply(response));
  const { finished, trials } = await ask(3, [liveHttp(url)]);
  expect(trials.map(({ status, error }) => `${status} ${error?.code}`)).toEqual(
    Array(3).fill('failed no-answer'),
  );
  const [summary] = finished.summary?.targets ?? [];
  expect(summary).toMatchObject({ score: { value: null }, counts: { errors: 3 }, errorRate: { value: 1 } });
});

test('a bot that says nothing and uses a tool has answered', async () => {
  const { url } = await serve((_question, response) => {
    response.end('{"answer": null, "toolCalls": [{"name": "book", "arguments": {}}]}');
  });
  const { trials } = await ask(1, [liveHttp(url)]);
  expect(trials[0]).toMatchObject({ status: 'completed', answer: null });
});

test('two targets on one server share its limits, and a dead one does not stop the other', async () => {
  const paths: string[] = [];
  const { url } = await serve((question, response, { url: path = '' }) => {
    paths.push(path);
    if (path === '/dead') response.writeHead(500).end();
    else answer(question, response);
  });
  const targets = [liveHttp(`${url}dead`, 'dead'), liveHttp(`${url}bot`, 'bot')];
  const { finished } = await ask(100, targets);
  expect(finished.stops).toMatchObject([{ target: 'dead', failures: [{ code: 'http-status', trials: 28 }] }]);
  expect(finished.summary?.targets[1]?.counts).toMatchObject({ measured: 100 });
  expect(paths.filter((path) => path === '/bot')).toHaveLength(100);
});

test('the limit of requests a minute applies to all parts of a run together', async () => {
  let requests = 0;
  const { url } = await serve((question, response) => {
    requests += 1;
    answer(question, response);
  });
  const started = performance.now();
  const { trials } = await ask(20, [liveHttp(url, 'bot', { requestsPerMinute: 600 })]);
  const seconds = (performance.now() - started) / 1000;
  expect(trials.every(({ status }) => status === 'completed')).toBe(true);
  // Three seconds' worth may go at once.
  expect(requests).toBeLessThanOrEqual(30 + seconds * 10);
});
