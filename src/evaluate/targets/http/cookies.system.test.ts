import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sessionOf } from '../../../library/testing/target-contract.ts';
import { http } from '../http.ts';
import type { Target, TargetSession } from '../target.ts';
import { createCookies } from './bot-session.ts';

type Options = Parameters<typeof http>[0];

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
  servers.clear();
});

/** Starts a bot and returns its address. */
async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => handle(request, response));
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Answers with the cookies that were sent, and sets the cookies of a list, one list a request. */
function setInTurn(...lists: readonly (readonly string[])[]) {
  let requests = 0;
  return (request: IncomingMessage, response: ServerResponse): void => {
    const list = lists[requests];
    requests += 1;
    if (list !== undefined) response.setHeader('set-cookie', list);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ answer: request.headers.cookie ?? 'none', requests }));
  };
}

function create(options: Options): Target {
  const { definition } = http;
  return definition.create(definition.options.parse(options), {
    folder: '.',
    environment: { ID: 'from-the-environment' },
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  });
}

async function say(target: Target, session: TargetSession, input = 'q') {
  const messages = [{ role: 'user' as const, content: input }];
  const asked = { key: 'k', caseId: 'c', input, messages, session, metadata: {}, attempt: 1, seed: 3 };
  return await target.call(asked, { signal: new AbortController().signal });
}

/** Asks that often in one conversation, and returns the answers. */
async function converse(options: Options, turns: number): Promise<(string | null)[]> {
  const target = create(options);
  const session = sessionOf(1);
  const answers: (string | null)[] = [];
  for (let turn = 0; turn < turns; turn += 1) answers.push((await say(target, session)).answer);
  await target.close?.();
  return answers;
}

test('what a bot sets is sent back in the next turns, also when it changes on each turn, and is gone when it expires', async () => {
  const url = await serve(setInTurn(['n=1; HttpOnly', 'lang=en'], ['n=2'], ['n=; Max-Age=0']));
  expect(await converse({ url }, 4)).toEqual(['none', 'n=1; lang=en', 'n=2; lang=en', 'lang=en']);
});

test('a conversation never has the cookie of another: 32 in flight ask who they are', async () => {
  const names = new Map<string, string>();
  let waiting: (() => void)[] = [];
  const url = await serve((request, response) => {
    const id = /\bid=(\d+)/.exec(request.headers.cookie ?? '')?.[1];
    const answer = id === undefined ? 'hello' : `You are ${names.get(id)}.`;
    if (id === undefined) {
      names.set(`${names.size}`, String(request.headers['x-name']));
      response.setHeader('set-cookie', `id=${names.size - 1}; Path=/`);
    }
    waiting.push(() => response.end(answer));
    if (waiting.length < 32) return;
    for (const reply of waiting.toReversed()) reply(); // All of them were in flight at once.
    waiting = [];
  });
  const target = create({ url, headers: { 'x-name': '{{input}}' } });
  const sessions = Array.from({ length: 32 }, () => sessionOf(1));
  await Promise.all(sessions.map(async (session, index) => await say(target, session, `Ann ${index}`)));
  const replies = await Promise.all(
    sessions.map(async (session) => await say(target, session, 'Who are you?')),
  );
  expect(replies.map(({ answer }) => answer)).toEqual(
    sessions.map((_each, index) => `You are Ann ${index}.`),
  );
  await target.close?.();
});

test('`cookies: false` sends none back', async () => {
  const url = await serve(setInTurn(['n=1']));
  expect(await converse({ url, cookies: false }, 2)).toEqual(['none', 'none']);
});

test('a cookie of the config is sent, too, until the bot sets one of its name', async () => {
  const url = await serve(setInTurn(['b=2', 'id=of-the-bot']));
  const headers = { Cookie: 'id={{env.ID}}; own=1' };
  expect(await converse({ url, headers }, 2)).toEqual(['id=[ID]; own=1', 'own=1; b=2; id=[cookie id]']);
});

test('what is set with a refusal is kept for the repeat of the same call', async () => {
  let requests = 0;
  const url = await serve((request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503, { 'set-cookie': 'node=7', 'retry-after': '0' }).end();
    else response.end(request.headers.cookie ?? 'none');
  });
  const target = create({ url });
  const messages = [{ role: 'user' as const, content: 'q' }];
  const asked = {
    key: 'k',
    caseId: 'c',
    input: 'q',
    messages,
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 3,
  };
  const repeats = { most: 1, take: () => Promise.resolve(true) };
  const { answer } = await target.call(asked, { signal: new AbortController().signal, repeats });
  expect(answer).toBe('node=7');
  await target.close?.();
});

test('the values of cookies are in no answer, error, log or tool call, old ones included; short ones are words', async () => {
  const [old, next] = ['3f1c0a9b-first', '77aa%20b-second'];
  const sets = [`sid=${old}`, `sid=${next}`, undefined];
  let requests = 0;
  const url = await serve((_request, response) => {
    const set = sets[requests];
    requests += 1;
    if (set !== undefined) response.setHeader('set-cookie', [set, 'lang=en-GB']);
    const said = `en-GB ${old} ${Buffer.from(old).toString('base64')} ${next} ${decodeURIComponent(next)}`;
    if (requests === 3) return response.writeHead(400).end(said);
    response.setHeader('content-type', 'application/json');
    return response.end(
      JSON.stringify({ answer: said, tool_calls: [{ name: 'look', arguments: { said } }] }),
    );
  });
  const target = create({ url });
  const session = sessionOf(1);
  const first = await say(target, session);
  expect(first.answer).toMatch(/^en-GB \[cookie sid\] \[cookie sid\] /);
  const second = await say(target, session);
  const failure = await say(target, session).catch((error: Error) => error);
  const shown = JSON.stringify([second, String(failure)]);
  for (const secret of [old, next, decodeURIComponent(next)]) expect(shown).not.toContain(secret);
  expect(second.answer).toBe('en-GB [cookie sid] [cookie sid] [cookie sid] [cookie sid]');
  expect(String(failure)).toContain('The server answered 400: en-GB [cookie sid] [cookie sid]');
  await target.close?.();
});

test('the id of the conversation is sent back as it came, also where it is the value of a cookie', async () => {
  const id = 'conversation-4711-a';
  const received: string[] = [];
  const url = await serve((request, response) => {
    received.push(request.url ?? '');
    response.setHeader('set-cookie', `id=${id}`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: {"conversation_id":"${id}","text":"yes ${id}"}\n\n`);
  });
  const answers = await converse(
    { url: `${url}?id={{conversation}}`, body: {}, conversation: 'conversation_id' },
    2,
  );
  expect(received).toEqual(['/?id=', `/?id=${id}`]);
  expect(answers).toEqual(['yes [cookie id]', 'yes [cookie id]']);
});

const at = (url: string) => new URL(url);

test.each([
  ['its own host', 'https://a.example.com/', 'n=1', 'https://a.example.com/x', 'n=1'],
  ['another host', 'https://a.example.com/', 'n=1', 'https://b.example.com/', undefined],
  ['a domain', 'https://a.example.com/', 'n=1; Domain=example.com', 'https://b.example.com/', 'n=1'],
  [
    'a domain of others',
    'https://a.example.com/',
    'n=1; Domain=example.org',
    'https://example.org/',
    undefined,
  ],
  ['a public suffix', 'https://shop.co.uk/', 'n=1; Domain=co.uk', 'https://bank.co.uk/', undefined],
  ['another path', 'https://a.example.com/', 'n=1; Path=/chat', 'https://a.example.com/log', undefined],
  ['a secure one over http', 'https://a.example.com/', 'n=1; Secure', 'http://a.example.com/', undefined],
  ['a secure one on this machine', 'http://127.0.0.1:8000/', 'n=1; Secure', 'http://127.0.0.1:8000/', 'n=1'],
  ['localhost', 'http://localhost:8000/', 'n=1', 'http://localhost:8000/', 'n=1'],
])('a cookie reaches only where it belongs: %s', async (_what, from, set, to, expected) => {
  const cookies = createCookies(new Map());
  await cookies.keep(set, at(from));
  expect(cookies.headerFor(at(to), undefined)).toBe(expected);
});

test('no more than 50 cookies of 4 KiB are kept, and what is not is named', async () => {
  const cookies = createCookies(new Map());
  const url = at('http://127.0.0.1/');
  const large = `large=${'x'.repeat(4096)}`;
  const many = Array.from({ length: 51 }, (_each, index) => `c${index}=${index}`);
  expect(await cookies.keep(['', large, ...many], url)).toBe(
    'Cookies that were refused:  (Cookie failed to parse), large (over 4096 bytes), c50 (over 50 cookies).',
  );
  expect(await cookies.keep('c7=again', url)).toBe('');
  expect(cookies.headerFor(url, undefined)?.split('; ')).toHaveLength(50);
  expect(cookies.headerFor(url, undefined)).toContain('c7=again');
  expect(await cookies.keep('n=1; Domain=co.uk', at('https://shop.co.uk/'))).toContain('n (');
});
