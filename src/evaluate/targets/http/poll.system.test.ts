import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { serveBot as serve } from '../../../../test/support/bot-server.ts';
import { sessionOf } from '../../../library/testing/target-contract.ts';
import { http } from '../http.ts';
import { type Reply, type Target, TargetFailure } from '../target.ts';

type Options = Parameters<typeof http>[0];

/** A look at a status, as a bot answers it. */
interface Look {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A bot that accepts a question, and answers looks at its status one after the other; the last one again and again. */
async function serveJob(accepted: Look, looks: readonly Look[]) {
  const asked: IncomingMessage[] = [];
  let questions = 0;
  const send = (response: ServerResponse, { status = 200, headers = {}, body = {} }: Look) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const url = await serve((request, response) => {
    if (request.method === 'POST') {
      questions += 1;
      return send(response, accepted);
    }
    asked.push(request);
    return send(response, looks[Math.min(asked.length, looks.length) - 1] ?? {});
  });
  return { url: `${url}/ask`, asked, questions: () => questions };
}

function create(options: Options): Target {
  const { definition } = http;
  return definition.create(definition.options.parse(options), {
    folder: '.',
    environment: { KEY: 'the-key-of-the-bot' },
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  });
}

const headers = { 'x-key': '{{env.KEY}}' };

async function ask(options: Options, signal = new AbortController().signal): Promise<Reply> {
  const target = create({ headers, ...options });
  const messages = [{ role: 'user' as const, content: 'q' }];
  const session = sessionOf(1);
  const request = { key: 'k', caseId: 'c', input: 'q', messages, session, metadata: {}, attempt: 1, seed: 3 };
  const repeats = { most: 1, take: () => Promise.resolve(true) };
  try {
    return await target.call(request, { signal, repeats });
  } finally {
    await target.close?.();
  }
}

async function failureOf(options: Options, signal?: AbortSignal): Promise<TargetFailure> {
  const failure = await ask(options, signal).then(
    (reply) => expect.fail(`it answered ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(TargetFailure);
  return failure as TargetFailure;
}

const everyMs = 20;
const running = { body: { status: 'running', id: 7 } };
const done = { body: { status: 'succeeded', answer: 'It is $49.' } };
const byBody = { url: '$.status_url', done: "$[?@=='succeeded']", failed: "$[?@=='failed']", everyMs };

test.each<[string, Look, Options['poll'], string]>([
  ['in the body', { status: 202, body: { status_url: '/jobs/7' } }, byBody, '/jobs/7'],
  ['in the body of a 200', { body: { status_url: '/jobs/7', status: 'queued' } }, byBody, '/jobs/7'],
  [
    'as a header Location',
    { status: 202, headers: { location: '/jobs/8?x=1' } },
    { ...byBody, url: undefined },
    '/jobs/8?x=1',
  ],
  [
    'as a header Operation-Location, which comes first',
    { status: 202, headers: { location: '/result', 'operation-location': '/operations/9' } },
    { ...byBody, url: undefined },
    '/operations/9',
  ],
])(
  'the status address is %s, and is asked until the answer is there',
  async (_where, accepted, poll, address) => {
    const { url, asked, questions } = await serveJob(accepted, [running, running, done]);
    const reply = await ask({ url, poll, body: { q: '{{input}}' } });
    expect(reply).toMatchObject({ answer: 'It is $49.', latency: { polled: everyMs * 1.5 * 1.5 } });
    expect(reply.latency?.totalMs).toBeGreaterThan(everyMs * (1 + 1.5 + 2.25) - 5);
    expect(reply).not.toHaveProperty('retries');
    expect(asked.map(({ url: at }) => at)).toEqual([address, address, address]);
    const [{ method, headers: sent }] = asked as [IncomingMessage];
    expect([method, sent['x-key'], sent['content-type'], questions()]).toEqual([
      'GET',
      'the-key-of-the-bot',
      undefined,
      1,
    ]);
  },
);

test('without `done`, a 202 means that it is not there yet', async () => {
  const accepted = { status: 202, headers: { location: '/jobs/7' } };
  const { url, asked } = await serveJob(accepted, [
    { status: 202 },
    { status: 202 },
    { body: { answer: 'yes' } },
  ]);
  expect(await ask({ url, poll: { everyMs } })).toMatchObject({ answer: 'yes' });
  expect(asked).toHaveLength(3);
});

test.each<[string, Look]>([
  ['a reply without a status address', { body: { answer: 'at once' } }],
  [
    'a reply that is done already',
    { body: { answer: 'at once', status: 'succeeded', status_url: '/jobs/7' } },
  ],
  ['a stream', { headers: { 'content-type': 'text/event-stream' }, body: 'data: at once\n\n' }],
  ['a text', { headers: { 'content-type': 'text/plain', location: '/made' }, body: 'at once' }],
])('%s is the answer itself, and is not marked', async (_what, reply) => {
  const { url, asked } = await serveJob(reply, []);
  const { answer, latency } = await ask({ url, poll: byBody });
  expect([answer, asked.length, latency?.polled]).toEqual(['at once', 0, undefined]);
});

test('a bot that reports that it failed is an error, which shows no secret', async () => {
  const accepted = { status: 202, body: { status_url: '/jobs/7' } };
  const failed = { body: { status: 'failed', why: 'no tokens left for the-key-of-the-bot' } };
  const { url, questions } = await serveJob(accepted, [running, failed]);
  expect(await failureOf({ url, poll: byBody })).toMatchObject({
    code: 'target-reported-error',
    message: 'The bot reported that it failed: {"status":"failed","why":"no tokens left for [KEY]"}',
  });
  expect(questions()).toBe(1);
});

test('an address elsewhere is refused, and gets no secret: another port, host, scheme, and where a 303 leads', async () => {
  let elsewhere = 0;
  const other = await serve((_request, response) => {
    elsewhere += 1;
    response.end('{"answer":"stolen"}');
  });
  const { host } = new URL(other);
  for (const [accepted, looks] of [
    [{ status: 202, body: { status_url: `${other}/jobs/7` } }, []],
    [{ status: 202, body: { status_url: `//${host}/jobs/7` } }, []],
    [{ status: 202, body: { status_url: `https://${host}/` } }, []],
    [{ status: 202, body: { status_url: 'file:///etc/passwd' } }, []],
    [{ status: 202, headers: { location: other } }, []],
    [{ status: 303, headers: { location: other } }, []],
    [
      { status: 202, body: { status_url: '/jobs/7' } },
      [{ status: 303, headers: { location: `${other}/x` } }],
    ],
  ] satisfies [Look, Look[]][]) {
    const { url, asked } = await serveJob(accepted, looks);
    const { code, message } = await failureOf({ url, poll: byBody });
    expect(code).toBe('invalid-reply');
    expect(message).toMatch(
      /^The bot names a status address at .*, and not at its own, http:\/\/127\.0\.0\.1:\d+: it was not asked/,
    );
    expect(asked).toHaveLength(looks.length);
  }
  expect(elsewhere).toBe(0);
});

test('a redirect of a look is no address to ask, but a 303 is followed once', async () => {
  const accepted = { status: 202, body: { status_url: '/jobs/7' } };
  const seeOther = { status: 303, headers: { location: '/results/7' } };
  const { url, asked } = await serveJob(accepted, [running, seeOther, { body: { answer: 'from there' } }]);
  expect(await ask({ url, poll: byBody })).toMatchObject({ answer: 'from there' });
  expect(asked.map(({ url: at }) => at)).toEqual(['/jobs/7', '/jobs/7', '/results/7']);
  const twice = await serveJob(accepted, [seeOther, seeOther]);
  expect(await failureOf({ url: twice.url, poll: byBody })).toMatchObject({
    code: 'invalid-reply',
    message: 'The address that a 303 named answered 303; one redirect is followed.',
  });
  const moved = await serveJob(accepted, [{ status: 302, headers: { location: '/jobs/8' } }]);
  expect(await failureOf({ url: moved.url, poll: byBody })).toMatchObject({
    code: 'http-status',
    message: expect.stringContaining('302 to /jobs/8'),
  });
});

test('the pause that a bot asks for is obeyed', async () => {
  const accepted = { status: 202, headers: { 'retry-after': '0.3' }, body: { status_url: '/jobs/7' } };
  const { url } = await serveJob(accepted, [{ ...running, headers: { 'retry-after': '0' } }, done]);
  const { latency } = await ask({ url, poll: { ...byBody, everyMs: 600_000 } });
  expect(latency?.totalMs).toBeGreaterThan(290);
  expect(latency?.polled).toBe(0);
});

test('a look that fails for a moment is made again, and the question is not', async () => {
  const accepted = { status: 202, body: { status_url: '/jobs/7' } };
  const looks = [
    { status: 503 },
    running,
    { status: 502 },
    { status: 429, headers: { 'retry-after': '0' } },
    done,
  ];
  const { url, questions } = await serveJob(accepted, looks);
  expect(await ask({ url, poll: byBody })).toMatchObject({ answer: 'It is $49.' });
  expect(questions()).toBe(1);
  const gone = await serveJob(accepted, [{ status: 404, body: { error: 'no such job' } }]);
  expect(await failureOf({ url: gone.url, poll: byBody })).toMatchObject({ code: 'http-status' });
  expect(gone.asked).toHaveLength(1);
});

test('a 202 that never ends is the time limit of the call', async () => {
  const { url, asked } = await serveJob({ status: 202, body: { status_url: '/jobs/7' } }, [running]);
  const controller = new AbortController();
  const failure = failureOf({ url, poll: byBody }, controller.signal);
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  controller.abort(new TargetFailure('timeout', 'no answer within 300 ms'));
  expect(await failure).toMatchObject({ code: 'timeout' });
});

test('what names no address, or is no status, says what is missing', async () => {
  const nowhere = await serveJob({ status: 202, body: { id: 7 } }, []);
  expect((await failureOf({ url: nowhere.url, poll: byBody })).message).toBe(
    'The bot accepted the question, but named no address for its status: there is no header `Operation-Location` or `Location`, and nothing is at `$.status_url`, the path of `poll.url`.',
  );
  expect((await failureOf({ url: nowhere.url, poll: {} })).message).toMatch(
    /and set `poll: \{ url: … \}` to its path/,
  );
  const page = await serveJob({ status: 202, body: { status_url: '/' } }, [{ body: '<html>' }]);
  expect((await failureOf({ url: page.url, poll: byBody })).message).toMatch(
    /^The status, in which `\$\[.*` is looked for, is not JSON: <html>$/,
  );
});

test('a token that ends while the bot works is replaced, and its time is none of the bot', async () => {
  let logIns = 0;
  const login = await serve((_request, response) => {
    logIns += 1;
    setTimeout(() => response.end(`{"token":"token-number-${logIns}"}`), logIns === 1 ? 0 : 400);
  });
  const seen: string[] = [];
  const bot = await serve(({ method, headers: sent }, response) => {
    seen.push(`${method} ${sent.authorization}`);
    response.setHeader('content-type', 'application/json');
    if (method === 'POST')
      return response.writeHead(202, { location: '/jobs/7', 'set-cookie': 'node=7' }).end();
    if (sent.authorization === 'token-number-1') return response.writeHead(401).end();
    return response.end(JSON.stringify({ answer: `${sent.authorization} ${sent.cookie}` }));
  });
  const begun = performance.now();
  const { answer, latency } = await ask({
    url: bot,
    headers: { authorization: '{{before.token}}' },
    before: { url: login, form: {}, keep: { token: 'token' } },
    poll: { everyMs },
  });
  expect(answer).toBe('[before.token] node=7');
  expect(seen).toEqual(['POST token-number-1', 'GET token-number-1', 'GET token-number-2']);
  const elapsedMs = performance.now() - begun;
  expect(elapsedMs - (latency?.totalMs ?? Infinity)).toBeGreaterThan(395);
});

test('without `poll`, a 202 is read as any other reply', async () => {
  const { url, asked } = await serveJob(
    { status: 202, headers: { location: '/jobs/7' }, body: { answer: 'later' } },
    [],
  );
  expect(await ask({ url })).toMatchObject({ answer: 'later' });
  expect(asked).toHaveLength(0);
});
