import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { describeConnectionError } from './connection-error.ts';

const faultOf = async (url: string, init: RequestInit = {}): Promise<string> =>
  await fetch(url, init).then(
    () => 'none',
    (error: unknown) => describeConnectionError(error),
  );

async function openPort(): Promise<{ url: string; close: () => void }> {
  const server = createServer((_, response) => response.writeHead(302, { location: '/there' }).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => void server.close();
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

test('a connection to a closed port is described as refused', async () => {
  const { url, close } = await openPort();
  close();
  expect(await faultOf(url)).toBe('the connection was refused (ECONNREFUSED)');
});

test('a failed `fetch` is described by its cause', async () => {
  expect(await faultOf('http://127.0.0.1:9')).toBe('bad port');
  const { url } = await openPort();
  expect(await faultOf(url, { redirect: 'error' })).toBe('unexpected redirect');
});

test('any thrown value is described', () => {
  expect(describeConnectionError(new Error('so'))).toBe('so');
  expect(describeConnectionError('so')).toBe('so');
  expect(describeConnectionError(new AggregateError([Object.assign(new Error(), { code: 'EPIPE' })]))).toBe(
    'the connection was closed (EPIPE)',
  );
});
