import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, test } from 'vitest';
import { openSockets as sockets, serveBot as serve } from '../../../test/support/bot-server.ts';
import { sessionOf, testTargetContract } from '../../library/testing/target-contract.ts';
import { http } from './http.ts';
import type { Target, TargetRequest } from './target.ts';

type Options = Parameters<typeof http>[0];

/** Starts a server that sends every client the same reply. */
async function serveReply(body: string | Buffer, headers: Record<string, string> = {}, status = 200) {
  return await serve((_request, response) => response.writeHead(status, headers).end(body));
}

/** Starts a server that sends back what it received. */
async function serveEcho() {
  return await serve(({ method, url, headers, text }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ answer: JSON.stringify({ method, url, headers, text }) }));
  });
}

function create(options: Options, environment: Record<string, string> = {}): Target {
  const { definition } = http;
  const needs = {
    folder: '.',
    environment,
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  };
  return definition.create(definition.options.parse(options), needs);
}

function request(input: string, parts: Partial<TargetRequest> = {}): TargetRequest {
  const messages = [{ role: 'user' as const, content: input }];
  return {
    key: 'k',
    caseId: 'c',
    input,
    messages,
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 3,
    ...parts,
  };
}

interface Asked {
  readonly environment?: Record<string, string>;
  readonly input?: string;
  readonly parts?: Partial<TargetRequest>;
}

/** Asks one question of a target made for it, and returns the reply without its latency. */
async function ask(options: Options, { environment = {}, input = 'q', parts = {} }: Asked = {}) {
  const target = create(options, environment);
  try {
    const { latency, ...reply } = await target.call(request(input, parts), {
      signal: new AbortController().signal,
    });
    expect(latency?.totalMs).toBeGreaterThan(0);
    return reply;
  } finally {
    await target.close?.();
  }
}

async function askEcho(options: Omit<Options, 'url'> & { url?: string }, asked: Asked = {}) {
  const url = `${await serveEcho()}${options.url ?? '/'}`;
  const { answer } = await ask({ ...options, url }, asked);
  return JSON.parse(answer ?? '');
}

async function failureOf(options: Options, asked: Asked = {}) {
  return await ask(options, asked).then(
    (reply) => expect.fail(`it answered ${JSON.stringify(reply)}`),
    (error) => error,
  );
}

const contractReplies: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'scenario: silence': () => {},
  'scenario: null': (response) => response.end('{"answer": null}'),
  'scenario: not-a-number': (response) => response.end('{"answer": NaN}'),
  'scenario: large': (response) => response.end(JSON.stringify({ answer: 'x'.repeat(5_000_000) })),
  'scenario: nul': (response) => response.end(JSON.stringify({ answer: 'before\u0000after' })),
  'scenario: invalid-utf8': (response) => response.end(Buffer.from('{"answer": "\xe9"}', 'latin1')),
  'scenario: html': (response) => response.end('<!doctype html><html>Sign in</html>'),
};

testTargetContract(
  'http',
  async () => {
    const url = await serve(({ text }, response) => {
      const { input } = JSON.parse(text);
      response.setHeader('content-type', 'application/json');
      const answer = () => response.end(JSON.stringify({ answer: `echo: ${input}` }));
      (contractReplies[input] ?? answer)(response);
    });
    return create({ url });
  },
  { test, expect, leftovers: () => [...sockets] },
);

test('by default the question is sent as JSON, alone and as messages', async () => {
  const { method, headers, text } = await askEcho({}, { input: 'say "hi"\n🙂' });
  expect(method).toBe('POST');
  expect(headers['content-type']).toBe('application/json');
  expect(JSON.parse(text)).toEqual({
    input: 'say "hi"\n🙂',
    messages: [{ role: 'user', content: 'say "hi"\n🙂' }],
  });
});

test('a placeholder that is a whole text keeps its type; within a text it is written out', async () => {
  const body = {
    attempt: '{{attempt}}',
    nested: [{ messages: '{{ messages }}' }],
    user: '{{metadata.user}}',
    name: '{{metadata.user.name}}',
    line: 'case {{caseId}}, key {{key}}, seed {{seed}}, {{metadata.user}}',
    fixed: true,
  };
  const parts = { metadata: { user: { name: 'Ann' } }, attempt: 2 };
  const { text } = await askEcho({ body }, { parts });
  expect(JSON.parse(text)).toEqual({
    attempt: 2,
    nested: [{ messages: [{ role: 'user', content: 'q' }] }],
    user: { name: 'Ann' },
    name: 'Ann',
    line: 'case c, key k, seed 3, {"name":"Ann"}',
    fixed: true,
  });
});

test('the session is inserted wherever the request contains it', async () => {
  const body = { conversation: '{{session.id}}', turn: '{{session.turn}}', label: 'turn {{session.turn}}' };
  const headers = { 'X-Session': '{{session.id}}' };
  const parts = { session: sessionOf(2, 'a b/c') };
  const echoed = await askEcho({ url: '/chats/{{session.id}}', body, headers }, { parts });
  expect(JSON.parse(echoed.text)).toEqual({ conversation: 'a b/c', turn: 2, label: 'turn 2' });
  expect(echoed).toMatchObject({ url: '/chats/a%20b%2Fc', headers: { 'x-session': 'a b/c' } });
});

test('an unknown part of the session is refused with the nearest one that exists', async () => {
  const failure = await failureOf({ url: 'http://127.0.0.1/', body: '{{session.idd}}' });
  expect(failure.message).toContain('Did you mean {{session.id}}?');
});

test('a question cannot break the body, whatever it contains', async () => {
  const input = '", "admin": true, "x": "{{env.TOKEN}} {{attempt}} $& \\';
  const asJson = await askEcho({ body: '{"q": "{{input}}"}' }, { input });
  expect(JSON.parse(asJson.text)).toEqual({ q: input });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const asForm = await askEcho({ body: 'a=1&q={{input}}', headers }, { input });
  expect(Object.fromEntries(new URLSearchParams(asForm.text))).toEqual({ a: '1', q: input });
});

test('a body that is a text is sent as one', async () => {
  const { headers, text } = await askEcho({ body: '{{input}}?' }, { input: 'é' });
  expect([headers['content-type'], text]).toEqual(['text/plain; charset=utf-8', 'é?']);
});

test('a question is percent-encoded in a URL and cannot change the address', async () => {
  const { url, method, text } = await askEcho(
    { method: 'GET', url: '/ask/{{caseId}}?q={{input}}' },
    { input: 'a&b=c/../ü #\ud800', parts: { caseId: '../x' } },
  );
  expect(url).toBe('/ask/..%2Fx?q=a%26b%3Dc%2F..%2F%C3%BC%20%23%EF%BF%BD');
  expect([method, text]).toEqual(['GET', '']);
});

test('a host that depends on the question is refused', async () => {
  const failure = await failureOf(
    { url: 'http://{{metadata.host}}/' },
    { parts: { metadata: { host: 'evil.test' } } },
  );
  expect(failure).toMatchObject({ code: 'invalid-request', message: expect.stringContaining('evil.test') });
});

test('the address itself may come from the environment', async () => {
  const reply = await ask({ url: '{{env.BOT_URL}}/chat' }, { environment: { BOT_URL: await serveEcho() } });
  expect(JSON.parse(reply.answer ?? '').url).toBe('/chat');
});

test('metadata that a case does not have fails that case alone', async () => {
  expect(await failureOf({ url: await serveEcho(), body: '{{metadata.user.name}}' })).toMatchObject({
    code: 'metadata-missing',
    message: expect.stringContaining('user.name'),
  });
});

test.each([
  [
    { body: { q: '{{inptu}}' } },
    'target-invalid',
    '`body` contains the unknown placeholder {{inptu}}. Did you mean {{input}}?',
  ],
  [
    { headers: { 'x-a': '{{foo}}' } },
    'target-invalid',
    '`headers` contains the unknown placeholder {{foo}}.',
  ],
  [{ url: 'ftp://x/' }, 'target-invalid', 'not an http or https address: ftp://x/'],
  [{ url: 'localhost:8000/ask' }, 'target-invalid', 'not an http or https address'],
  [
    { headers: { 'x-a': '{{env.ONE}} {{env.TWO}}' } },
    'environment-missing',
    'needs ONE, TWO, which are not set',
  ],
  [{ url: 'http://127.0.0.1/{{env.EMPTY}}' }, 'environment-missing', 'needs EMPTY'],
])('%j is refused when the target is opened', async (options, code, message) => {
  const target = create({ url: 'http://127.0.0.1/', ...options }, { EMPTY: '' });
  await expect(target.open?.()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  await target.close?.();
});

test.each([
  [{ headers: { Authorization: 'Bearer sk-live-123456' } }, '`headers.Authorization`'],
  [{ headers: { 'X-API-Key': 'abc' } }, '`headers.X-API-Key`'],
  [{ headers: { 'x-auth-token': 'abc{{attempt}}' } }, '`headers.x-auth-token`'],
  [{ url: 'http://x/?api_key=abc' }, '`url (api_key)`'],
  [{ url: 'http://ann:secret@x/' }, '`url`'],
  [{ body: { auth: { client_secret: 'abc' } } }, '`body.auth.client_secret`'],
])('the secret in %j is refused, and not repeated', (options, setting) => {
  const all = { url: 'http://x/', ...options };
  expect(() => create(all)).toThrow(
    expect.objectContaining({ code: 'target-invalid', message: expect.stringContaining(setting) }),
  );
  expect(() => create(all)).not.toThrow(/abc|sk-live|:secret/);
});

test.each([
  { headers: { Authorization: 'Bearer {{env.TOKEN}}', 'Idempotency-Key': '{{key}}' } },
  { body: { max_tokens: '100', stop_token: '', messages: '{{messages}}' } },
])('%j contains no secret', (options) => {
  expect(() => create({ url: 'http://x/', ...options })).not.toThrow();
});

test('a secret reaches the server, but neither the reply nor a message', async () => {
  const environment = { BOT_TOKEN: 'tok/en "1234"', PORT: '80' };
  const headers = { Authorization: 'Bearer {{env.BOT_TOKEN}}', 'x-port': '{{env.PORT}}' };
  const seen: (string | undefined)[] = [];
  const url = await serve((received, response) => {
    seen.push(received.headers.authorization);
    const bearer = received.headers.authorization;
    if (received.url === '/fail') response.writeHead(500).end(`${'.'.repeat(287)}${bearer} is no good`);
    else if (received.url === '/html') response.end(`<html>${'.'.repeat(282)}${bearer}`);
    else if (received.url === '/keys')
      response.end(JSON.stringify({ [`${'.'.repeat(45)}${bearer}`]: 1, answer: [] }));
    else response.end(JSON.stringify({ answer: `80 ${bearer}`, state: { [`${bearer}`]: [bearer] } }));
  });
  expect(await ask({ url, headers }, { environment })).toMatchObject({
    answer: '80 Bearer [BOT_TOKEN]',
    state: { 'Bearer [BOT_TOKEN]': ['Bearer [BOT_TOKEN]'] },
  });
  const failure = await failureOf({ url: `${url}/fail`, headers }, { environment });
  expect(failure.message).toContain('Bearer');
  expect(failure.message).not.toContain('tok');
  for (const path of ['/html', '/keys']) {
    const { message } = await failureOf({ url: `${url}${path}`, headers }, { environment });
    expect(message).not.toContain('tok');
  }
  expect(seen).toEqual(Array(4).fill('Bearer tok/en "1234"'));
});

test.each([
  [401, 'application/json', '{"detail":"KEY"}'],
  [500, 'text/html', '<p>KEY</p>'],
  [200, 'application/json', '{"detail":"KEY"'],
  [200, 'text/plain', 'KEY'],
  [200, 'application/json', '{"answer":"KEY"}'],
])('a secret that a reply (status %d, %s: %s) escapes is kept by name only', async (status, type, body) => {
  const key = 'ab/cd+0123456789';
  for (const form of [
    key.replace('/', '\\/'),
    key.replace('+', '\\u002B'),
    'ab%2fcd+0123456789',
    'ab&#47;cd+0123456789',
  ]) {
    const url = await serveReply(body.replace('KEY', form), { 'content-type': type }, status);
    const headers = { authorization: '{{env.KEY}}' };
    const text = await ask({ url, headers }, { environment: { KEY: key } }).then(
      ({ answer }) => answer,
      (error: Error) => error.message,
    );
    expect(text).toContain('[KEY]');
    expect(text).not.toContain('0123456789');
  }
});

test('an address that is a secret is in no message', async () => {
  const environment = { SECRET_HOST: 'no-such-host.invalid' };
  expect(await failureOf({ url: 'http://{{env.SECRET_HOST}}/' }, { environment })).toMatchObject({
    code: 'connection-failed',
    message: expect.stringMatching(/^\[SECRET_HOST\]: /),
  });
});

test('paths locate the parts of a reply', async () => {
  const body = {
    choices: [
      {
        message: { content: 'hi', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{"a":1}' } }] },
        finish_reason: 'tool_calls',
      },
    ],
    docs: { found: ['d1'] },
    usage: { prompt_tokens: 3 },
    message: 'not this',
  };
  const url = await serveReply(JSON.stringify(body));
  const paths = {
    answer: 'choices[0].message.content',
    toolCalls: 'choices[0].message.tool_calls',
    documents: 'docs.found',
    finishReason: 'choices[0].finish_reason',
  };
  expect(await ask({ url, ...paths })).toEqual({
    answer: 'hi',
    toolCalls: [{ id: '1', name: 'f', arguments: { a: 1 } }],
    documents: [{ id: 'd1' }],
    usage: { inputTokens: 3 },
    finishReason: 'tool_calls',
  });
});

test('a path may step into every item of a list, and collects what it finds in one list', async () => {
  const turns = [
    { calls: [{ fn: 'search' }, { fn: 'read' }] },
    { calls: [] },
    {},
    { calls: [{ fn: 'sum' }] },
  ];
  const url = await serveReply(JSON.stringify({ data: { reply: 'hi', turns } }));
  const at = async (toolCalls: string) => (await ask({ url, answer: 'data.reply', toolCalls })).toolCalls;
  expect(await at('data.turns[*].calls[*].fn')).toEqual([
    { name: 'search' },
    { name: 'read' },
    { name: 'sum' },
  ]);
  expect(await at('data.turns[1].calls[*].fn')).toEqual([]);
  expect(await at('data.turns[*].calls')).toEqual(await at('data.turns[*].calls[*].fn'));
  const unnamed = await serveReply('{"reply": "hi", "calls": [{"op": "search"}]}');
  expect(await failureOf({ url: unnamed, answer: 'reply', toolCalls: 'calls' })).toMatchObject({
    code: 'invalid-answer',
    message: expect.stringMatching(/`toolCalls\[0\]` is an object with the key op; .* under name, tool,/),
  });
});

test('a reply of several messages is one answer, with a line for each text', async () => {
  const url = await serveReply('[{"text": "Hello."}, {"image": "cat.png"}, {"text": "Which order?"}]');
  expect((await ask({ url, answer: '[*].text' })).answer).toBe('Hello.\nWhich order?');
  expect((await ask({ url: await serveReply('[]'), answer: '[*].text' })).answer).toBeNull();
  expect(await failureOf({ url: await serveReply('[{"text": {}}]'), answer: '[*].text' })).toMatchObject({
    code: 'invalid-answer',
  });
});

test('the metadata of a case can be sent whole', async () => {
  const { text } = await askEcho({ body: { about: '{{metadata}}' } }, { parts: { metadata: { shelf: 3 } } });
  expect(JSON.parse(text)).toEqual({ about: { shelf: 3 } });
});

test('a path that leads nowhere says nothing of the tools used, and is noted', async () => {
  const url = await serveReply('{"data": {"reply": "hi"}}');
  expect(await ask({ url, answer: 'data.reply', toolCalls: 'data.cals', usage: 'usage' })).toEqual({
    answer: 'hi',
    toolCalls: [],
    toolsUnknown: true,
    logs:
      'The reply has nothing at `data.cals`, the path of `toolCalls`.\n' +
      'The reply has nothing at `usage`, the path of `usage`.',
  });
});

test('a bot may say that nothing at the path means that no tool was used, or that it has none', async () => {
  const url = await serveReply('{"data": {"reply": "hi"}}');
  const askWith = async (toolCalls: Options['toolCalls']) =>
    await ask({ url, answer: 'data.reply', toolCalls });
  expect((await askWith({ path: 'data.calls', missing: 'none' })).toolsUnknown).toBeUndefined();
  expect((await askWith('none')).toolsUnknown).toBeUndefined();
  expect((await askWith(undefined)).toolsUnknown).toBe(true);
});

test('for a path that leads nowhere, the message says how far it leads', async () => {
  const url = await serveReply('{"choices": [{"text": "hi"}]}', { 'content-type': 'application/json' });
  expect(await failureOf({ url, answer: 'choices[0].message.content' })).toMatchObject({
    code: 'invalid-reply',
    message: expect.stringMatching(
      /`choices\[0\].message.content`.*`choices.0` is an object with the key text/,
    ),
  });
});

test('a plain text is the answer, and so is JSON that is not an object', async () => {
  const replies: [string, string, string | null][] = [
    ['It is open.\n', 'text/plain', 'It is open.'],
    ['It is open.', '', 'It is open.'],
    ['{"answer": "yes"}', 'text/plain', 'yes'],
    ['{curly} words', 'text/plain', '{curly} words'],
    ['"quoted"', 'application/json', 'quoted'],
    ['7', 'application/problem+json; charset=utf-8', '7'],
    ['', 'application/json', null],
    ['', 'text/plain', null],
  ];
  for (const [body, type, answer] of replies) {
    const url = await serveReply(body, type === '' ? {} : { 'content-type': type });
    expect((await ask({ url })).answer).toBe(answer);
  }
});

test.each([
  ['<html>Please sign in</html>', 'text/html', {}, /text\/html, is a web page: <html>Please sign in/],
  ['<!DOCTYPE html><p>x', 'text/plain', {}, /is a web page/],
  ['Bad gateway', 'application/json', {}, /application\/json, is not JSON: Bad gateway/],
  ['just text', 'text/plain', { answer: 'data.answer' }, /text\/plain, is not JSON: just text/],
  ['x', 'text/plain; charset=klingon', {}, /klingon/],
])('the reply %j of the type %s is refused', async (body, type, options, message) => {
  const url = await serveReply(body, { 'content-type': type });
  expect(await failureOf({ url, ...options })).toMatchObject({
    code: 'invalid-reply',
    message: expect.stringMatching(message),
  });
});

test('a reply is read in the charset that it declares', async () => {
  const latin = Buffer.from('caf\xe9', 'latin1');
  const url = await serveReply(latin, { 'content-type': 'text/plain; charset=ISO-8859-1' });
  expect((await ask({ url })).answer).toBe('café');
  const mute = await serveReply(latin, { 'content-type': 'text/plain' });
  expect(await failureOf({ url: mute })).toMatchObject({ code: 'invalid-utf8' });
});

test.each([
  [400, 'bad-request', false],
  [401, 'unauthorized', false],
  [404, 'http-status', false],
  [408, 'http-status', true],
  [422, 'bad-request', false],
  [425, 'http-status', true],
  [429, 'rate-limited', true],
  [500, 'http-status', true],
  [503, 'overloaded', true],
])('the status %i is the failure %s, and its retryable flag is %s', async (status, code, retryable) => {
  const url = await serveReply('<html>\n  <b>Sorry</b> </html>', {}, status);
  expect(await failureOf({ url })).toMatchObject({
    code,
    message: `The server answered ${status}: <html> <b>Sorry</b> </html>`,
    retryable,
  });
});

test('at most the first 300 characters of a body are quoted', async () => {
  const { message } = await failureOf({ url: await serveReply('y'.repeat(5000), {}, 500) });
  expect(message.length).toBeLessThan(340);
});

test('a body that cannot be read does not hide the status', async () => {
  const url = await serveReply(Buffer.from([0xff, 0xfe, 0xff]), {}, 502);
  expect(await failureOf({ url })).toMatchObject({ code: 'http-status', retryable: true });
});

test('Retry-After is read in seconds or as a date', async () => {
  const inSeconds = await serveReply('', { 'retry-after': '7' }, 429);
  expect(await failureOf({ url: inSeconds })).toMatchObject({ retryAfterMs: 7000 });
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const { retryAfterMs } = await failureOf({ url: await serveReply('', { 'retry-after': date }, 503) });
  expect(retryAfterMs).toBeGreaterThan(3_000_000);
  expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  const past = await serveReply('', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 503);
  expect(await failureOf({ url: past })).toMatchObject({ retryAfterMs: 0 });
  const odd = await serveReply('', { 'retry-after': 'soon' }, 503);
  expect(await failureOf({ url: odd })).toMatchObject({ retryAfterMs: undefined });
});

test('an error status may be an answer if the config allows it', async () => {
  const url = await serveReply('{"answer": "I cannot help with that."}', {}, 422);
  expect((await ask({ url, allowErrorStatus: true })).answer).toBe('I cannot help with that.');
});

test('a redirect is not followed, so no secret reaches another server', async () => {
  const visits: string[] = [];
  const other = await serve(({ url = '' }, response) => {
    visits.push(url);
    response.end('stolen');
  });
  const url = await serveReply('', { location: other }, 307);
  const headers = { Authorization: '{{env.TOKEN}}' };
  expect(await failureOf({ url, headers }, { environment: { TOKEN: 'abc' } })).toMatchObject({
    code: 'http-status',
    message: expect.stringContaining(`307 to ${other}; correct \`url\``),
  });
  expect(visits).toEqual([]);
});

test('a body over 16 MiB is too large, whatever length it declares', async () => {
  const url = await serve((_request, response) => {
    response.on('error', () => {});
    response.write('{"answer": "short", "rest": "');
    for (let part = 0; part < 17; part += 1) response.write('x'.repeat(1024 * 1024));
    response.end('"}');
  });
  expect(await failureOf({ url })).toMatchObject({ code: 'answer-too-large' });
});

test('a connection that is refused, reset or cut off is retryable', async () => {
  const closing = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(closing, 'listening');
  const { port } = closing.address() as AddressInfo;
  expect(await failureOf({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
    code: 'connection-failed',
    retryable: true,
  });
  closing.close();
  await once(closing, 'close');
  expect(await failureOf({ url: `http://127.0.0.1:${port}/` })).toMatchObject({
    code: 'connection-failed',
    message: expect.stringMatching(/127\.0\.0\.1:\d+: the connection was refused/),
    retryable: true,
  });
  const cut = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.destroy(), 20);
  });
  expect(await failureOf({ url: cut })).toMatchObject({ code: 'connection-failed', retryable: true });
});

test('a response that is not HTTP is not a reply', async () => {
  const odd = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')).listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/`;
  expect(await failureOf({ url })).toMatchObject({ code: 'invalid-reply' });
  odd.close();
});

test('a header that cannot be sent fails its question, not the run', async () => {
  const url = await serveEcho();
  expect(
    await failureOf({ url, headers: { 'x-question': '{{input}}' } }, { input: 'a\r\nX-Evil: 1' }),
  ).toMatchObject({
    code: 'invalid-request',
    retryable: false,
  });
});

test('opening asks nothing, and names host, port and reason when nothing listens', async () => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests += 1;
    response.end('x');
  });
  const target = create({ url });
  await target.open?.();
  await target.close?.();
  expect(requests).toBe(0);
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  await expect(create({ url: `http://127.0.0.1:${port}/ask` }).open?.()).rejects.toMatchObject({
    code: 'target-unreachable',
    message: `Nothing can be reached at 127.0.0.1:${port}: the connection was refused (ECONNREFUSED).`,
  });
  await expect(create({ url: 'http://no-such-host.invalid/' }).open?.()).rejects.toMatchObject({
    code: 'target-unreachable',
    message: expect.stringContaining('no-such-host.invalid:80'),
  });
});

test('connections are reused, and are no more than the questions in flight', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve(({ socket }, response) => {
    ports.add(socket.remotePort);
    response.end('x');
  });
  const target = create({ url, maxConcurrency: 1 });
  for (let call = 0; call < 5; call += 1) {
    await target.call(request('q'), { signal: new AbortController().signal });
  }
  await target.close?.();
  expect([ports.size, target.maxConcurrency]).toEqual([1, 1]);
});

test('a GET request has no body, and a path must be a valid path', () => {
  const { options } = http.definition;
  expect(options.safeParse({ url: 'http://x', method: 'GET', body: {} }).error?.issues[0]?.path).toEqual([
    'body',
  ]);
  expect(options.safeParse({ url: 'http://x', answer: '[]' }).error?.issues[0]?.path).toEqual(['answer']);
});

test('the identity changes with the request and the reading of the reply, not with the limits', async () => {
  const identify = async (more: Partial<Options>) =>
    JSON.stringify(await create({ url: 'http://127.0.0.1:1', ...more }).identity?.());
  const plain = await identify({});
  const limits = { maxConcurrency: 3, requestsPerMinute: 60, tokensPerMinute: 1000, maxWaitMs: 5 };
  expect(await identify(limits)).toBe(plain);
  for (const more of [{ method: 'PUT' }, { version: '2' }, { answer: 'data.text' }, { body: 'x' }] as const) {
    expect(await identify(more)).not.toBe(plain);
  }
});

test("a call that is under way when its target is closed is Touchstone's own fault, not a failure of the bot", async () => {
  let hasArrived = () => {};
  const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
  const target = create({ url: await serve(() => hasArrived()) });
  const call = target.call(request('q'), { signal: new AbortController().signal });
  await arrived;
  await Promise.all([expect(call).rejects.toMatchObject({ code: 'target-closed' }), target.close?.()]);
});
