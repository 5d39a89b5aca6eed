import { beforeAll, describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { buildRun } from '../library/testing/build-records.ts';
import type { Assets } from './assets.ts';
import { createApp } from './create-app.ts';
import { addressOf, createAccess } from './local-access.ts';

const port = 4321;
const access = createAccess(port);
const { secret } = access;
const origin = `http://127.0.0.1:${port}`;
const cookie = `touchstone-${port}=${secret}`;
const assets: Assets = {
  document: '<!doctype html><title>Touchstone</title>',
  files: new Map([['/assets/main-1a2b.js', { type: 'text/javascript', body: new Uint8Array([49]) }]]),
};

const store = createMemoryStore();
beforeAll(async () => await store.createRun(buildRun({ id: '20260102-030405-abcd' })));

const faults: unknown[] = [];
const app = createApp({
  openStore: async () => await Promise.resolve(store),
  assets,
  access,
  onFault: (fault) => faults.push(fault),
});

/** Returns the path of a new address that opens a page. */
function pathToOpen(path: string): string {
  return addressOf(access, path).slice(origin.length);
}

/** Sends a request as a browser on this machine does, with other headers where a test needs them. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const own = { host: `127.0.0.1:${port}`, cookie, ...headers };
  return await app.request(`${origin}${path}`, { method, headers: own });
}

describe('access', () => {
  test('the opened address is exchanged for a cookie by a redirect without the secret', async () => {
    const response = await send(pathToOpen('/runs/latest?tab=1'), { cookie: '' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/runs/latest?tab=1');
    expect(response.headers.get('set-cookie')).toBe(`${cookie}; Path=/; HttpOnly; SameSite=Strict`);
  });

  test('an address is exchanged once; later it opens the same page in the browser that has the cookie alone', async () => {
    const path = pathToOpen('/runs/latest?tab=1');
    expect(path).not.toContain(secret);
    expect((await send(path, { cookie: '' })).status).toBe(303);
    const again = await send(path);
    expect(again.status).toBe(303);
    expect(again.headers.get('location')).toBe('/runs/latest?tab=1');
    const other = await send(path, { cookie: '' });
    expect(other.status).toBe(403);
    expect(other.headers.get('set-cookie')).toBe(null);
    expect(await other.json()).toMatchObject({
      message: 'The address was opened before, or is of an earlier start. An address works once.',
      remedy: 'Run `touchstone view` again, and open the address that it prints; each works once.',
    });
  });

  test('a browser that may not open a page is told in words how to; data are refused as data', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const page = await send('/runs/latest?x=<script>', { cookie: '', accept });
    expect(page.status).toBe(403);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).toContain('run <code>touchstone view</code> again');
    expect(text).not.toContain('<script');
    expect(await (await send('/api/runs', { cookie: '', accept })).json()).toMatchObject({
      code: 'access-denied',
    });
  });

  test('an address that begins with two slashes does not lead to another host', async () => {
    const response = await send(`//example.com${pathToOpen('/')}`, { cookie: '' });
    expect(response.headers.get('location')).toBe('/example.com/');
  });

  test.each([
    ['no cookie', '/', { cookie: '' }],
    ['a wrong cookie', '/', { cookie: `touchstone-${port}=other` }],
    ['a wrong token in the address', '/?access=other', { cookie: '' }],
    ['no cookie, for data', '/api/runs', { cookie: '' }],
    ['no cookie, for a file of the page', '/assets/main-1a2b.js', { cookie: '' }],
    ['another host name', '/api/runs', { host: 'touchstone.example.com' }],
    ['another host name of the same port', '/api/runs', { host: `evil.example.com:${port}` }],
    ['another port', '/api/runs', { host: '127.0.0.1:80' }],
    ['another host name, even with a token', pathToOpen('/'), { host: 'evil.example.com', cookie: '' }],
    ['the secret of the cookie in an address', `/?access=${secret}`, { cookie: '' }],
    ['a token of another server', addressOf(createAccess(port)).slice(origin.length), { cookie: '' }],
    ['another origin', '/api/runs', { origin: 'https://example.com' }],
    ['the origin of a server on another port', '/api/runs', { origin: 'http://127.0.0.1:80' }],
    ['no origin at all', '/api/runs', { origin: 'null' }],
    ['a request from another site', '/api/runs', { 'sec-fetch-site': 'cross-site' }],
    ['a request from another port', '/api/runs', { 'sec-fetch-site': 'same-site' }],
  ])('refuses %s', async (_, path, headers) => {
    const response = await send(path, headers);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'access-denied' });
    expect(response.headers.get('set-cookie')).toBe(null);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'refuses %s unless the browser marks it as of this page',
    async (method) => {
      expect((await send('/api/runs', {}, method)).status).toBe(403);
      expect((await send('/api/runs', { 'sec-fetch-site': 'none' }, method)).status).toBe(403);
      expect((await send('/api/runs', { 'sec-fetch-site': 'same-origin', origin }, method)).status).toBe(404);
    },
  );

  test('lets the page through under both names of the machine', async () => {
    expect((await send('/api/runs')).status).toBe(200);
    expect((await send('/api/runs', { host: `localhost:${port}` })).status).toBe(200);
    expect((await send('/api/runs', { 'sec-fetch-site': 'same-origin', origin })).status).toBe(200);
  });
});

describe('headers', () => {
  test.each([
    ['a page', '/', {}],
    ['data', '/api/runs', {}],
    ['a refusal', '/api/runs', { cookie: '' }],
    ['an unknown address', '/api/none', {}],
  ])('%s has the security policy, and none that lets another site in', async (_, path, given) => {
    const { headers } = await send(path, given);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; media-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toBe(null);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a failure is a page for a person in a browser, and JSON for a program; its texts are escaped', async () => {
    const path = '/assets/none<b>.js';
    const page = await send(path, { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
    const text = await page.text();
    expect(text).toContain('<h1>There is no /assets/none');
    expect(text).not.toContain('<b>');
    expect(await (await send(path)).json()).toMatchObject({ code: 'address-unknown' });
  });

  test('a file of the page is kept by the browser', async () => {
    const response = await send('/assets/main-1a2b.js');
    expect(await response.text()).toBe('1');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});

test.each([
  '/assets/../package.json',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/assets/..\\..\\package.json',
  '/assets/..%5c..%5cpackage.json',
  '/assets//etc/passwd',
  '/assets/%00',
  '/assets/main-1a2b.js/../../../package.json',
  '/assets/.vite/manifest.json',
  '/.vite/manifest.json',
  '/package.json',
  '/%2e%2e/%2e%2e/etc/passwd',
])('%s reaches no file', async (path) => {
  const response = await send(path);
  const text = await response.text();
  expect(response.status === 404 || text === assets.document).toBe(true);
});

describe('data', () => {
  test('the list of runs is cut where the limit says, and names where it continues', async () => {
    const many = createMemoryStore();
    for (const day of [1, 2, 3]) {
      await many.createRun(buildRun({ id: `r${day}`, createdAt: `2026-01-0${day}T00:00:00.000Z` }));
    }
    const of = createApp({
      openStore: async () => await Promise.resolve(many),
      assets,
      access,
    });
    const headers = { host: `127.0.0.1:${port}`, cookie };
    const first = await (await of.request(`${origin}/api/runs?limit=2`, { headers })).json();
    expect(first).toMatchObject({ runs: [{ id: 'r3' }, { id: 'r2' }], next: 'r2' });
    const rest = await (await of.request(`${origin}/api/runs?before=r2`, { headers })).json();
    expect(rest).toMatchObject({ runs: [{ id: 'r1' }], next: null });
  });

  test('a limit that is none is refused with what is right', async () => {
    const response = await send('/api/runs?limit=1000');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      code: 'request-invalid',
      message: 'The request is not valid: limit: expected a number of at most 100.',
      remedy: 'Correct the address.',
    });
  });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'name=main&run=latest'],
    ['a text', 'text/plain', '{"name":"main","run":"latest"}'],
    ['broken JSON', 'application/json', '{"name":'],
    ['a name that is a path', 'application/json', '{"name":"../main","run":"latest"}'],
  ])('a change that sends %s is refused', async (_, type, body) => {
    const response = await app.request(`${origin}/api/baselines`, {
      method: 'POST',
      headers: {
        host: `127.0.0.1:${port}`,
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': type,
        'content-length': String(body.length),
      },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'request-invalid' });
  });

  test('only the whole id of a run deletes it', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await send('/api/runs/latest', headers, 'DELETE')).status).toBe(404);
    expect((await send('/api/runs/abcd', headers, 'DELETE')).status).toBe(404);
    expect((await send('/api/runs/20260102-030405-abcd')).status).toBe(200);
  });

  test('a run gets a name, a note and tags under its whole id, and is found by the name', async () => {
    const change = async (id: string, body: string, headers: Record<string, string> = {}) =>
      await app.request(`${origin}/api/runs/${id}`, {
        method: 'PATCH',
        headers: {
          host: `127.0.0.1:${port}`,
          cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        },
        body,
      });
    const id = '20260102-030405-abcd';
    const named = JSON.stringify({ name: 'prompt v7', note: '<b>shorter</b>', tags: { prompt: 'v7' } });
    expect((await change('latest', named)).status).toBe(404);
    expect((await change(id, named, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await change(id, named, { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await change(id, JSON.stringify({ name: 'latest' }))).status).toBe(400);
    expect((await change(id, JSON.stringify({ id: 'x' }))).status).toBe(400);
    expect(await (await change(id, named)).json()).toMatchObject({ run: id, name: 'prompt v7' });
    const shown = Object(await (await send('/api/runs/prompt%20v7')).json());
    expect(shown.run).toMatchObject({
      id,
      name: 'prompt v7',
      note: '<b>shorter</b>',
      tags: { prompt: 'v7' },
    });
    const listed = Object(await (await send('/api/runs')).json());
    expect(listed.runs.find((each: { id: string }) => each.id === id)).toMatchObject({ name: 'prompt v7' });
    expect((await change(id, JSON.stringify({ name: '', note: null, tags: { prompt: null } }))).status).toBe(
      200,
    );
    expect(Object(await (await send(`/api/runs/${id}`)).json()).run.name).toBeUndefined();
  });

  test('an unknown run is explained as on the command line', async () => {
    const response = await send('/api/runs/20260102-030405-abdc');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      code: 'run-not-found',
      message: 'There is no run "20260102-030405-abdc". Did you mean 20260102-030405-abcd?',
      remedy: 'List the runs with `touchstone runs`.',
    });
  });

  test('a bug is an answer with status 500, and is passed on with its stack', async () => {
    const broken = createApp({
      openStore: async () => await Promise.reject(new Error('broken')),
      assets,
      access,
      onFault: (fault) => faults.push(fault),
    });
    const response = await broken.request(`${origin}/api/runs`, {
      headers: { host: `127.0.0.1:${port}`, cookie },
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'internal', message: 'broken' });
    expect(faults).toEqual([expect.objectContaining({ message: 'broken' })]);
  });
});
