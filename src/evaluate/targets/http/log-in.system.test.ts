import { createServer, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Provider } from 'oidc-provider';
import { expect, test } from 'vitest';
import {
  listenForBot as listen,
  type Received,
  serveBot as serve,
} from '../../../../test/support/bot-server.ts';
import { sessionOf } from '../../../library/testing/target-contract.ts';
import { http } from '../http.ts';
import type { Reply, Target, TargetContext, TargetSession } from '../target.ts';

type Options = Parameters<typeof http>[0];

const environment = { ID: 'touchstone', SECRET: 'a secret of the client: +/&%', PIN: 'pin-of-ann-4711' };

function create(options: Options, more: Record<string, string> = {}): Target {
  const { definition } = http;
  return definition.create(definition.options.parse(options), {
    folder: '.',
    environment: { ...environment, ...more },
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  });
}

async function say(
  target: Target,
  session: TargetSession = sessionOf(1),
  context: Partial<TargetContext> = {},
): Promise<Reply> {
  const messages = [{ role: 'user' as const, content: 'q' }];
  const metadata = { user: 'ann' };
  const asked = { key: 'k', caseId: 'c', input: 'q', messages, session, metadata, attempt: 1, seed: 3 };
  return await target.call(asked, { signal: new AbortController().signal, ...context });
}

const bearer = { Authorization: 'Bearer {{before.token}}' };
const client = { grant_type: 'client_credentials', client_id: '{{env.ID}}', client_secret: '{{env.SECRET}}' };

/** A server that gives tokens, and a bot that wants one of them. */
interface TokenServer {
  readonly login: string;
  readonly bot: string;
  /** The requests for tokens, and how many questions came with which token. */
  readonly logIns: Received[];
  readonly questions: string[];
  /** The tokens that the bot accepts; the newest one by default. */
  accepted: (token: string) => boolean;
  /** The reply to a log-in, in place of a token. */
  refuse: ((response: ServerResponse) => void) | undefined;
}

async function serveTokens(expiresIn?: number): Promise<TokenServer> {
  const logIns: Received[] = [];
  const questions: string[] = [];
  const newest = () => `token-number-${logIns.length}`;
  const login = await serve((request, response) => {
    logIns.push(request);
    if (state.refuse !== undefined) return state.refuse(response);
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ data: { access_token: newest() }, expires_in: expiresIn }));
  });
  const bot = await serve(({ headers }, response) => {
    const token = String(headers.authorization).replace('Bearer ', '');
    questions.push(token);
    if (!state.accepted(token)) return response.writeHead(401).end('{"error":"who are you?"}');
    return response.end(`You are ${token}`);
  });
  const state: TokenServer = {
    login: `${login}/oauth2/token`,
    bot,
    logIns,
    questions,
    accepted: (token) => token === newest(),
    refuse: undefined,
  };
  return state;
}

const keep = { token: '$.data.access_token' };

test('a log-in gives a token, once, before the first question; it is in no answer', async () => {
  const server = await serveTokens();
  const target = create({
    url: server.bot,
    headers: bearer,
    before: { url: server.login, form: client, keep },
  });
  await target.open?.();
  expect(server.questions).toEqual([]);
  expect(await say(target)).toMatchObject({ answer: 'You are [before.token]' });
  await Promise.all(Array.from({ length: 32 }, async () => await say(target)));
  expect(server.logIns).toHaveLength(1);
  expect(server.questions).toEqual(Array.from({ length: 33 }, () => 'token-number-1'));
  const [{ method, headers, text }] = server.logIns as [Received];
  expect([method, headers['content-type'], headers.accept]).toEqual([
    'POST',
    'application/x-www-form-urlencoded',
    'application/json',
  ]);
  expect(Object.fromEntries(new URLSearchParams(text))).toEqual({
    grant_type: 'client_credentials',
    client_id: environment.ID,
    client_secret: environment.SECRET,
  });
  await target.close?.();
});

test('after a 401 a call logs in again, once for all calls in flight, and counts no repeat and none of its time', async () => {
  const server = await serveTokens();
  const target = create({
    url: server.bot,
    headers: bearer,
    before: { url: server.login, form: client, keep },
  });
  await target.open?.();
  await say(target);
  // From now on the bot accepts only a token that is still to come, and a log-in takes its time.
  server.accepted = (token) => token === 'token-number-2';
  server.refuse = (response) => {
    setTimeout(() => response.end('{"data":{"access_token":"token-number-2"}}'), 300);
  };
  const waits: boolean[] = [];
  const onWaiting = (isWaiting: boolean) => void waits.push(isWaiting);
  const begun = performance.now();
  const replies = await Promise.all(
    Array.from({ length: 32 }, async () => await say(target, sessionOf(1), { onWaiting })),
  );
  const elapsedMs = performance.now() - begun;
  expect(server.logIns).toHaveLength(2);
  expect(server.questions).toHaveLength(1 + 32 + 32);
  for (const { answer, retries } of replies)
    expect([answer, retries]).toEqual(['You are [before.token]', undefined]);
  // The call that logged in waited for all of it.
  const leastMs = Math.min(...replies.map(({ latency }) => latency?.totalMs ?? Infinity));
  expect(elapsedMs - leastMs).toBeGreaterThan(295);
  expect(waits.filter(Boolean).length).toBe(waits.filter((isWaiting) => !isWaiting).length);
  await target.close?.();
});

test('a second 401 is the error `unauthorized`, after one new log-in', async () => {
  const server = await serveTokens();
  const target = create({
    url: server.bot,
    headers: bearer,
    before: { url: server.login, form: client, keep },
  });
  await target.open?.();
  server.accepted = () => false;
  const repeats = { most: 3, take: () => Promise.resolve(true) };
  await expect(say(target, sessionOf(1), { repeats })).rejects.toMatchObject({
    code: 'unauthorized',
    message: 'The server answered 401: {"error":"who are you?"}',
  });
  expect([server.logIns.length, server.questions.length]).toEqual([2, 2]);
  await target.close?.();
});

test('tokens that end are replaced before they end', async () => {
  const server = await serveTokens(0.2);
  const target = create({
    url: server.bot,
    headers: bearer,
    before: { url: server.login, form: client, keep: { ...keep, expiresIn: 'expires_in' } },
  });
  await target.open?.();
  await pause(150);
  await say(target);
  expect(server.logIns.length).toBe(2);
  expect(server.questions).toEqual(['token-number-2']);
  await target.close?.();
});

test('a real token server with tokens of 2 seconds over 200 calls: every call is answered, and no token is used after its end', async () => {
  const server = createServer();
  const issuer = await listen(server);
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: environment.ID,
        client_secret: environment.SECRET,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    scopes: ['bot.read'],
    ttl: { ClientCredentials: 2 },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  const used = new Set<string>();
  let refused = 0;
  const bot = await serve(({ headers }, response) => {
    const token = String(headers.authorization).replace('Bearer ', '');
    void provider.ClientCredentials.find(token).then(async (known) => {
      if (known === undefined || known.isExpired) refused += 1;
      else used.add(token);
      await pause(80);
      response.writeHead(known?.isExpired === false ? 200 : 401).end('yes');
    });
  });
  const target = create({
    url: bot,
    headers: bearer,
    before: {
      url: `${issuer}/token`,
      // By RFC 6749 §2.3.1 the secret is encoded twice.
      basic: { user: '{{env.ID}}', password: '{{env.SECRET}}' },
      form: { grant_type: 'client_credentials', scope: 'bot.read' },
      keep: { token: '$.access_token', expiresIn: '$.expires_in' },
    },
  });
  await target.open?.();
  const standstills = monitorEventLoopDelay();
  standstills.enable();
  const answers: (string | null)[] = [];
  const caller = async () => {
    while (answers.length < 200) answers.push((await say(target)).answer);
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  expect(new Set(answers)).toEqual(new Set(['yes']));
  // A token is replaced in the middle of its life: a process that stands still for a second may be late with it.
  if (standstills.max < 500_000_000) expect(refused).toBe(0);
  expect(used.size).toBeGreaterThan(2);
  await target.close?.();
});

test('a log-in for each conversation: its session is in the cookies and the headers of that conversation alone', async () => {
  let sessions = 0;
  const login = await serve(({ text }, response) => {
    sessions += 1;
    const { user, pin } = JSON.parse(text);
    expect([user, pin]).toEqual(['ann', environment.PIN]);
    response.setHeader('x-csrf', `csrf-of-session-${sessions}`);
    // An accepted form is answered with a redirect, which is not followed.
    response.writeHead(303, { location: '/home', 'set-cookie': `sid=session-number-${sessions}` }).end();
  });
  const seen: string[] = [];
  const bot = await serve(({ headers }, response) => {
    const said = `${headers.cookie} ${String(headers['x-csrf'])}`;
    seen.push(said);
    response.end(said);
  });
  const target = create({
    url: bot,
    headers: { 'x-csrf': '{{before.csrf}}' },
    before: {
      url: login,
      per: 'conversation',
      body: { user: '{{metadata.user}}', pin: '{{env.PIN}}' },
      keep: { csrf: 'header:X-CSRF' },
    },
  });
  await target.open?.();
  expect(sessions).toBe(0);
  const [one, other] = [sessionOf(1), sessionOf(1)];
  const replies = [await say(target, one), await say(target, other), await say(target, one)];
  expect(seen).toEqual([
    'sid=session-number-1 csrf-of-session-1',
    'sid=session-number-2 csrf-of-session-2',
    'sid=session-number-1 csrf-of-session-1',
  ]);
  for (const { answer } of replies) expect(answer).toBe('sid=[cookie sid] [before.csrf]');
  await target.close?.();
});

test('a log-in for each conversation that needs nothing of it is tried before the first question, and used for it', async () => {
  let logIns = 0;
  const login = await serve((_request, response) => {
    logIns += 1;
    response.setHeader('set-cookie', `sid=${logIns}`).end('welcome');
  });
  const bot = await serve(({ headers }, response) => response.end(headers.cookie));
  const target = create({
    url: bot,
    before: { url: login, per: 'conversation', form: { pin: '{{env.PIN}}' } },
  });
  await target.open?.();
  expect(logIns).toBe(1);
  const answers = [await say(target), await say(target)].map(({ answer }) => answer);
  expect([answers, logIns]).toEqual([['sid=1', 'sid=2'], 2]);
  await target.close?.();
});

test('cookies of a log-in are those of every conversation, and new ones take their place', async () => {
  let logIns = 0;
  const login = await serve((_request, response) => {
    logIns += 1;
    response.setHeader('set-cookie', `sid=${logIns}`).end('welcome');
  });
  const bot = await serve(({ headers }, response) => {
    if (headers.cookie?.includes('sid=1; own=') === true) return response.writeHead(401).end();
    return response.setHeader('set-cookie', 'own=yes').end(headers.cookie);
  });
  const target = create({ url: bot, before: { url: login, form: { pin: '{{env.PIN}}' } } });
  await target.open?.();
  const session = sessionOf(1);
  const answers = [await say(target, session), await say(target), await say(target, session)];
  expect(answers.map(({ answer }) => answer)).toEqual(['sid=1', 'sid=1', 'sid=2; own=yes']);
  expect(logIns).toBe(2);
  await target.close?.();
});

test('a token may come from a command, which runs again after a 401', async () => {
  const seen: string[] = [];
  const bot = await serve(({ headers }, response) => {
    seen.push(String(headers.authorization));
    response.writeHead(seen.length === 2 ? 401 : 200).end(headers.authorization);
  });
  const program = [process.execPath, '-e', 'console.log("printed-token-" + process.pid)'];
  const target = create({
    url: bot,
    headers: bearer,
    before: { token: { command: program, forMs: 60_000 } },
  });
  await target.open?.();
  expect(await say(target)).toMatchObject({ answer: 'Bearer [before.token]' });
  expect(await say(target)).toMatchObject({ answer: 'Bearer [before.token]' });
  expect(seen).toHaveLength(3);
  expect(seen[0]).toBe(seen[1]);
  expect(seen[2]).not.toBe(seen[1]);
  await target.close?.();
});

test.each<[string, number, Record<string, string>, string, RegExp]>([
  [
    'refuses the secret, which it repeats',
    401,
    {},
    `{"error":"invalid_client","you_sent":"${environment.SECRET}"}`,
    /^The log-in at http:\/\/127\.0\.0\.1:\d+\/ failed: the server answered 401: \{"error":"invalid_client","you_sent":"\[SECRET\]"\}$/,
  ],
  [
    'sends us elsewhere',
    302,
    { location: '/again' },
    '',
    /the server answered 302 to \/again; correct `url`$/,
  ],
  [
    'gives no token',
    200,
    {},
    '{"token_type":"bearer","expires_in":60}',
    /failed: the server accepted it, but the reply has no text at `\$\.data\.access_token` \(it has the keys token_type, expires_in\), which `keep` names as `token`\.$/,
  ],
  [
    'shows a web page',
    200,
    {},
    '<html>Log in</html>',
    /has no text at `\$\.data\.access_token` \(it is not JSON\)/,
  ],
  [
    'gives an end that is no number',
    200,
    {},
    '{"data":{"access_token":"x"},"expires_in":"soon"}',
    /failed: the server gave an `expiresIn` that is not a number of seconds\.$/,
  ],
])(
  'a log-in that %s is an error before the first question',
  async (_what, status, headers, body, message) => {
    const login = await serve((_request, response) => response.writeHead(status, headers).end(body));
    const bot = await serve(() => expect.fail('the bot was asked'));
    const kept = { ...keep, ...(body.includes('soon') && { expiresIn: 'expires_in' }) };
    const target = create({ url: bot, headers: bearer, before: { url: login, form: client, keep: kept } });
    await expect(target.open?.()).rejects.toMatchObject({
      code: 'login-failed',
      message: expect.stringMatching(message),
      remedy: expect.stringContaining('the value of ID, SECRET'),
    });
    await target.close?.();
  },
);

test('a log-in that gives nothing at all, and one at which nobody listens, are errors', async () => {
  const login = await serve((_request, response) => response.end('hello'));
  const nothing = create({ url: login, before: { url: login, form: client } });
  await expect(nothing.open?.()).rejects.toThrow(
    /200, but set no cookie, and `keep` names nothing of its reply/,
  );
  const down = create({
    url: login,
    headers: bearer,
    before: { url: 'http://127.0.0.1:9/', form: client, keep },
  });
  await expect(down.open?.()).rejects.toThrow(
    /^The log-in at http:\/\/127\.0\.0\.1:9\/ failed: 127\.0\.0\.1:9: the connection was refused/,
  );
  for (const target of [nothing, down]) await target.close?.();
});

test('a log-in that refuses for a moment is waited for', async () => {
  const server = await serveTokens();
  let refusals = 0;
  const give = server.refuse;
  server.refuse = (response) => {
    refusals += 1;
    if (refusals === 2) server.refuse = give;
    response.writeHead(refusals === 1 ? 503 : 429, { 'retry-after': '0' }).end();
  };
  const target = create({
    url: server.bot,
    headers: bearer,
    before: { url: server.login, form: client, keep },
  });
  await target.open?.();
  expect(server.logIns).toHaveLength(3);
  await target.close?.();
});

test('a log-in that fails in the middle is the error of the calls that need it', async () => {
  const server = await serveTokens();
  const target = create({
    url: server.bot,
    headers: bearer,
    before: { url: server.login, form: client, keep },
  });
  await target.open?.();
  server.accepted = () => false;
  server.refuse = (response) => void response.writeHead(403).end('{"error":"locked"}');
  const failures = await Promise.all(
    Array.from({ length: 8 }, async () => await say(target).catch((error: unknown) => error)),
  );
  for (const failure of failures) {
    expect(failure).toMatchObject({
      code: 'login-failed',
      retryable: false,
      message: expect.stringMatching(/failed: the server answered 403: \{"error":"locked"\}$/),
    });
  }
  expect(server.logIns).toHaveLength(2);
  await target.close?.();
});

const url = 'http://127.0.0.1:9/';

test.each<[string, Options, RegExp]>([
  ['a name that is not kept', { url, headers: bearer }, /unknown placeholder \{\{before\.token\}\}/],
  [
    'a slip in a name',
    { url, headers: { Authorization: 'Bearer {{before.tokn}}' }, before: { url, form: client, keep } },
    /Did you mean \{\{before\.token\}\}\?/,
  ],
  [
    'a variable that is not set',
    { url, before: { url, form: { pin: '{{env.NO}}' } } },
    /needs NO, which is not set/,
  ],
  [
    'a placeholder of nothing',
    { url, before: { url, body: '{{inputs}}' } },
    /`before\.body` contains the unknown/,
  ],
  ['no address', { url, before: { url: 'login' } }, /`before\.url` is not an http or https address: login/],
])('%s is said before anything is sent', async (_what, options, message) => {
  const target = create(options);
  await expect(target.open?.()).rejects.toThrow(message);
});

test.each<[Options['before'], string]>([
  [{ url, form: { client_secret: 'abcdef' } }, 'before.form.client_secret'],
  [{ url, basic: { user: 'ann', password: 'abcdef' } }, 'before.basic.password'],
  [{ url, headers: { 'x-api-key': 'abcdef' } }, 'before.headers.x-api-key'],
  [{ url, body: { password: 'abcdef' } }, 'before.body.password'],
  [{ url: `${url}?api_key=abcdef` }, 'before.url (api_key)'],
])('a secret that is written out is refused: %j', (before, setting) => {
  expect(() => create({ url, before })).toThrow(`\`${setting}\` looks like a secret that is written out`);
});

test.each<[object, string]>([
  [{}, 'needs `url` or `token`, and not both'],
  [{ url, token: { command: 'x', forMs: 1 } }, 'needs `url` or `token`, and not both'],
  [{ token: { command: 'x', forMs: 1 }, per: 'conversation' }, 'with which `per` has no meaning'],
  [{ url, form: {}, body: {} }, 'needs `form` or `body`, and not both'],
  [{ url, method: 'GET', form: {} }, 'with GET has no `body` and no `form`'],
  [{ url, keep: { token: '$.a[' } }, 'is not a path of RFC 9535'],
  [{ url, keep: { 'a b': 'a' } }, 'must be a name such as `token`'],
])('settings that have no meaning are refused: %j', (before, message) => {
  const checked = http.definition.options.safeParse({ url, before });
  expect(JSON.stringify(checked.error?.issues)).toContain(message);
});
