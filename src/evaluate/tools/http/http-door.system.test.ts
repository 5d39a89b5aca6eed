import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { bigBody, serveHttpTool } from '../../../../test/support/http-tool-server.ts';
import {
  createSession,
  type Decide,
  type KeptSession,
  listenFor,
} from '../../../../test/support/tool-session.ts';
import { passingHeaders } from '../carry/upstream.ts';
import { createHttpDoor } from './http-door.ts';
import type { HttpServerOptions } from './http-handling.ts';

const defaults = {
  headersFromEnv: {},
  paths: [],
  names: {},
  ignore: [],
  idempotency: false,
  maxBodyBytes: 10_000_000,
};
const needs = { folder: '.', environment: { ORDERS_TOKEN: 'Bearer s3cret' }, isOffline: false };

async function openDoor(
  session: KeptSession,
  url: string,
  options: Partial<HttpServerOptions> = {},
  more: Partial<typeof needs> = {},
) {
  const door = createHttpDoor('orders', { ...defaults, http: url, ...options }, { ...needs, ...more });
  await door.open();
  return await listenFor(door, session);
}

const outcomes = ({ calls }: KeptSession) =>
  calls.map(({ name, outcome }) => `${name} ${JSON.stringify(outcome)}`);

test('a request reaches the server as it was sent, but for its host and what the config adds', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  const headersFromEnv = { authorization: 'ORDERS_TOKEN' };
  await using door = await openDoor(session, server.url, { headersFromEnv, idempotency: true });
  const got = await fetch(`${door.url}/orders/4711?expand=items&expand=a%20b`, {
    headers: { 'x-own': 'é'.normalize('NFC') },
  });
  expect([got.status, got.headers.get('etag'), await got.text()]).toEqual([
    200,
    '"1"',
    '{"id": 1290461237612345678, "status": "shipped"}',
  ]);
  const body = '{"id": 1290461237612345678, "amount": 1.50}';
  const posted = await fetch(`${door.url}/orders`, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer bot', 'content-type': 'application/json' },
  });
  const { headers, body: seen } = (await posted.json()) as { headers: object; body: string };
  expect(seen).toBe(body);
  expect(headers).toMatchObject({
    authorization: 'Bearer s3cret',
    'idempotency-key': 'key-POST /orders-1',
    host: server.origin.slice(7),
  });
  expect(passingHeaders(['Connection', 'x-hop, close', 'X-Hop', '1', 'TE', 'a', 'Own', 'b'])).toEqual([
    ['Own', 'b'],
  ]);
  expect(
    session.calls.map(({ name, arguments: given, isReadOnly }) => JSON.stringify([name, given, isReadOnly])),
  ).toEqual([
    '["GET /orders/{id}",{"id":"4711","expand":["items","a b"]},true]',
    '["POST /orders",{"body":{"id":1290461237612345678,"amount":1.5}},false]',
  ]);
  expect(outcomes(session)[0]).toBe(
    'GET /orders/{id} {"result":{"id":1290461237612345678,"status":"shipped"}}',
  );
  expect(server.requests[0]).toBe('GET /v2/orders/4711?expand=items&expand=a%20b');
  expect(JSON.stringify(session.calls[0])).not.toContain('s3cret');
});

test('packed, binary, empty and failed answers pass as they are, and their record is plain', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url);
  for (const packing of ['gzip', 'br', 'zstd', 'deflate']) {
    const got = await fetch(`${door.url}/packed/${packing}`);
    expect(got.headers.get('content-encoding')).toBe(packing);
    expect(Object(await got.json()).status).toBe('shipped');
  }
  expect(await (await fetch(`${door.url}/picture`)).bytes()).toEqual(new Uint8Array([137, 80, 0, 255]));
  expect((await fetch(`${door.url}/nothing`)).status).toBe(204);
  const missing = await fetch(`${door.url}/missing`);
  expect([missing.status, await missing.text()]).toEqual([404, '{"detail":"no such order"}']);
  const kept = outcomes(session);
  for (const text of kept.slice(0, 4))
    expect(text).toContain('{"result":{"id":1290461237612345678,"status":"shipped"}');
  expect(kept[4]).toContain(
    '"result":"[image/png, 4 bytes]","wire":{"status":200,"contentType":"image/png","parts":{"base64"',
  );
  expect(kept[5]).toContain('{"result":null,"wire":{"status":204}}');
  expect(kept[6]).toContain(
    '"error":"HTTP 404: {\\"detail\\":\\"no such order\\"}","details":{"status":404}',
  );
});

test('large bodies pass in both directions, and their record is cut', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url, { maxBodyBytes: 1000 });
  expect(Buffer.from(await (await fetch(`${door.url}/big`)).bytes()).equals(bigBody)).toBe(true);
  const sent = await fetch(`${door.url}/length`, {
    method: 'PUT',
    body: bigBody,
    headers: { 'content-type': 'text/csv' },
  });
  expect(await sent.text()).toBe('20000000');
  expect(session.calls[0]?.outcome).toMatchObject({ wire: { truncated: true } });
  expect(String(Object(session.calls[0]?.outcome).result)).toHaveLength(1000);
  expect(JSON.stringify(session.calls[1]?.arguments)).toMatch(
    /^\{"body":"\[text\/csv, more than \d+ bytes\]"\}$/,
  );
});

test('what cannot be changed because it is too large is refused', async () => {
  using server = await serveHttpTool();
  const changing = createSession(
    async (_use, run) => ({ ...(await run()), result: 'x', fault: 'malformed' }),
    { mayChange: true },
  );
  await using changed = await openDoor(changing, server.url, { maxBodyBytes: 1000 });
  const got = await fetch(`${changed.url}/big`);
  expect([got.status, await got.text()]).toEqual([502, expect.stringContaining('tool-too-large')]);
  const mocking = createSession(async () => ({ result: 'x', from: 'mock' }));
  await using mocked = await openDoor(mocking, server.url, { maxBodyBytes: 1000 });
  const refused = await fetch(`${mocked.url}/length`, { method: 'PUT', body: Buffer.alloc(2000) });
  expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining('tool-too-large')]);
  expect(server.requests).toEqual(['GET /v2/big']);
});

test('events come while the server still writes, and the bot that leaves ends the request there', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url);
  const reader = (await fetch(`${door.url}/events`)).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: first\n\n');
  server.release();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: last\n\n');
  expect((await reader?.read())?.done).toBe(true);
  const stop = new AbortController();
  const hanging = fetch(`${door.url}/hang`, { signal: stop.signal }).catch(() => 'left');
  await expect.poll(() => server.requests.at(-1)).toBe('GET /v2/hang');
  stop.abort();
  await server.gone;
  expect(await hanging).toBe('left');
});

test('the end of a conversation ends what is under way', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url);
  const hanging = fetch(`${door.url}/hang`).catch(() => 'ended');
  await expect.poll(() => server.requests.at(-1)).toBe('GET /v2/hang');
  await session.end();
  await server.gone;
  expect(await hanging).toBe('ended');
});

test('redirects are not followed, lead through the door, and are counted when they lead past it', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url);
  const follow = async (to: string) => {
    const got = await fetch(`${door.url}/redirect?to=${encodeURIComponent(to)}`, { redirect: 'manual' });
    return got.headers.get('location');
  };
  expect(await follow('/v2/orders/1?a=1#b')).toBe(`${door.url}/orders/1?a=1#b`);
  expect(await follow('orders/2')).toBe(`${door.url}/orders/2`);
  expect(await follow(`${server.url}/orders/3`)).toBe(`${door.url}/orders/3`);
  expect(session.past).toEqual([]);
  expect(await follow('/login')).toBe(`${server.origin}/login`);
  expect(await follow('https://elsewhere.test/x')).toBe('https://elsewhere.test/x');
  expect(session.past).toEqual(['1 redirect', '1 redirect']);
  expect(server.requests.every((each) => each.startsWith('GET /v2/redirect'))).toBe(true);
});

test('cookies belong to one door, and addresses of the server in results are counted', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url);
  const got = await fetch(`${door.url}/cookie`, { headers: { cookie: 'sid=1' } });
  expect(got.headers.getSetCookie()).toEqual([
    'sid=1; Path=/t/token/shop/orders; HttpOnly',
    'all=2; Path=/t/token/shop/',
  ]);
  expect(Object(await got.json()).cookie).toBe('sid=1');
  expect(session.past).toEqual(['1 address']);
});

const prepared: Decide = async ({ name }, run) => {
  const faults: Readonly<Record<string, object>> = {
    timeout: { error: 'timed out', details: { code: 'ETIMEDOUT' } },
    reset: { error: 'reset', details: { code: 'ECONNRESET' } },
    busy: { error: 'busy', details: { status: 429 } },
    refused: { error: 'refused by this test', from: 'refused' },
    failed: { error: 'no luck', from: 'mock' },
    text: { result: 'plain', from: 'mock' },
    json: { result: { a: [1] }, from: 'mock' },
    recorded: { result: { a: 1 }, from: 'cassette', wire: { status: 201, contentType: 'application/json' } },
    gone: {
      error: 'HTTP 404: x',
      from: 'cassette',
      wire: { status: 404, contentType: 'text/plain', parts: { body: 'x' } },
    },
    none: { result: null, from: 'cassette', wire: { status: 204 } },
  };
  const [, , kind = ''] = name.split(/[ /]/);
  const made = faults[kind];
  if (made !== undefined) return made as never;
  const outcome = await run();
  return { ...outcome, result: { status: 'lost' }, fault: 'malformed' };
};

test('mocks, recordings, refusals and faults have their form on the wire', async () => {
  using server = await serveHttpTool();
  const session = createSession(prepared, { mayChange: true });
  await using door = await openDoor(session, server.url);
  const ask = async (path: string) => {
    const got = await fetch(`${door.url}/${path}`).catch(() => undefined);
    return got && [got.status, got.headers.get('content-type'), await got.text()].join(' ');
  };
  expect(await ask('timeout')).toBe('504 application/json {"error":"timed out"}');
  expect(await ask('reset')).toBeUndefined();
  expect(await ask('busy')).toBe('429 application/json {"error":"busy"}');
  expect(await ask('refused')).toBe('403 application/json {"error":"refused by this test"}');
  expect(await ask('failed')).toBe('500 application/json {"error":"no luck"}');
  expect(await ask('text')).toBe('200 text/plain; charset=utf-8 plain');
  expect(await ask('json')).toBe('200 application/json {"a":[1]}');
  expect(await ask('recorded')).toBe('201 application/json {"a":1}');
  expect(await ask('gone')).toBe('404 text/plain x');
  expect(await ask('none')).toBe('204  ');
  expect(server.requests).toEqual([]);
  const changed = await fetch(`${door.url}/packed/gzip`);
  expect([changed.headers.get('content-encoding'), await changed.text()]).toEqual([
    null,
    '{"status":"lost"}',
  ]);
});

test('paths that lead out of the server, upgrades and servers that are away are reported', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url);
  const { port } = new URL(door.url);
  const raw = async (path: string, headers: Record<string, string> = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const own = { host: '127.0.0.1', port, path, headers };
    httpRequest(own, (response) => resolve(response.resume().statusCode))
      .once('error', reject)
      .end();
    return await promise;
  };
  for (const path of [
    '/../admin',
    '/a/%2e%2e/%2E%2E/x',
    '/a/..%2f..%2fx',
    '/a\\..\\..\\x',
    '/a/%252e%252e/x',
    '/..;/x',
    '/.',
    '.evil.test/x',
    '@evil.test/',
  ]) {
    expect([path, await raw(`/t/token/shop${path}`)]).toEqual([path, 400]);
  }
  expect(await raw('/t/token/shop/orders/1', { connection: 'upgrade', upgrade: 'websocket' })).toBe(501);
  expect(await raw('/t/token/shop/orders/1', { 'content-type': 'application/grpc' })).toBe(501);
  expect([server.requests, session.calls]).toEqual([[], []]);
  expect(await raw('/t/token/shop//evil.test/x')).toBe(200);
  expect(server.requests).toEqual(['GET /v2//evil.test/x']);
  server[Symbol.dispose]();
  const got = await fetch(`${door.url}/orders/1`);
  expect([got.status, await got.text()]).toEqual([502, expect.stringContaining('refused')]);
});

test('an answer that breaks off breaks off for the bot too', async () => {
  using server = await serveHttpTool();
  const session = createSession();
  await using door = await openDoor(session, server.url);
  await expect(fetch(`${door.url}/broken`).then(async (got) => await got.text())).rejects.toThrow();
  expect(session.calls[0]?.outcome).toMatchObject({ error: expect.stringContaining('broke') });
});

test('no server is asked in a replay, and its address may hold no secret', async () => {
  using server = await serveHttpTool();
  const session = createSession(undefined, { isOffline: true });
  await using door = await openDoor(
    session,
    server.url,
    { headersFromEnv: { authorization: 'NOT_SET' }, ignore: ['GET /health'] },
    { isOffline: true },
  );
  expect((await fetch(`${door.url}/orders/1`)).status).toBe(500);
  expect((await fetch(`${door.url}/health`)).status).toBe(502);
  expect([server.requests, session.calls.length]).toEqual([[], 1]);
  for (const http of ['http://me:secret@orders.test/', 'http://orders.test/?api_key=1'])
    expect(() => createHttpDoor('orders', { ...defaults, http }, needs)).toThrow(/secret/);
});
