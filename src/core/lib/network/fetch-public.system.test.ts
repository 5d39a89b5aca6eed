import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { fetchPublic, isPrivate } from './fetch-public.ts';

const servers = new Set<Server>();
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const limits = { mostBytes: 1024 * 1024, timeLimitMs: 600_000 };

async function refusal(url: string, allowPrivate = false): Promise<string> {
  const fetched = await fetchPublic(url, { ...limits, allowPrivate }).catch((error: unknown) => error);
  return fetched instanceof Error ? fetched.message : 'it was fetched';
}

test('an address of the own network is asked only where that is allowed', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.end('bytes');
  });
  expect(await refusal(url)).toBe('is not fetched: only https addresses are');
  expect(await refusal(url.replace('http:', 'https:'))).toBe('is an address of your own network');
  expect(await refusal(`https://localhost:${new URL(url).port}/`)).toBe('is an address of your own network');
  expect(asked).toBe(0);
  expect(Buffer.from(await fetchPublic(url, { ...limits, allowPrivate: true })).toString()).toBe('bytes');
});

test('a redirect is followed three times, and a file that is too large is given up', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(limits.mostBytes + 1));
    else if (request.url === '/none') response.writeHead(404).end();
    else if (request.url === '/') response.end('here');
    else response.writeHead(302, { location: request.url === '/round' ? '/round' : '/' }).end();
  });
  expect(Buffer.from(await fetchPublic(`${url}/moved`, { ...limits, allowPrivate: true })).toString()).toBe(
    'here',
  );
  expect(await refusal(`${url}/round`, true)).toBe('redirects too often');
  expect(await refusal(`${url}/large`, true)).toBe('is larger than 1 MiB');
  expect(await refusal(`${url}/none`, true)).toBe('answered with the status 404');
  expect(await refusal('https://user:secret@example.org/a.png')).toBe('has a user name or a password in it');
});

test.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['::1', true],
  ['::ffff:192.168.0.1', true],
  ['fd00::1', true],
  ['fe80::1%eth0', true],
  ['64:ff9b::a00:1', true],
  ['93.184.216.34', false],
  ['2606:2800:220:1::1', false],
])('%s is private: %s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});
