import { expect, test } from 'vitest';
import { pictures } from '../../../test/support/pictures.ts';
import { hashBytes } from '../../core/lib/content-hash.ts';
import { buildRun } from '../../library/testing/build-records.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { createApp } from '../create-app.ts';
import { createAccess } from '../local-access.ts';

const access = createAccess(4321);

/** Creates a store with a run that has files. */
async function storeWith(...files: readonly Uint8Array[]): Promise<Store> {
  const store = createMemoryStore();
  const run = buildRun();
  await store.createRun(run);
  await store.blobs.keep(
    run.id,
    files.map((bytes) => ({ hash: hashBytes(bytes), read: async () => bytes })),
  );
  return store;
}

/** Asks the server over a store for a file. */
async function ask(
  store: Store,
  hash: string,
  { cookie = access.secret, ...asked }: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const app = createApp({
    openStore: async () => store,
    assets: { document: '', files: new Map() },
    access,
  });
  const own = { host: `127.0.0.1:${access.port}`, cookie: `touchstone-${access.port}=${cookie}` };
  const headers = { ...own, ...asked };
  return await app.request(`http://127.0.0.1:${access.port}/api/blobs/${hash}`, { headers });
}

test.each([
  ['image/png', pictures.png, null],
  ['image/jpeg', pictures.jpeg, null],
  ['image/gif', pictures.gif, null],
  ['image/webp', pictures.webp, null],
  ['audio/wav', pictures.wav, null],
  ['audio/mpeg', pictures.mp3, null],
  ['application/pdf', pictures.pdf, 'attachment'],
  // Never stored by a run; whatever a store has, no browser reads it as a program.
  ['application/octet-stream', pictures.svg, 'attachment'],
  ['application/octet-stream', Buffer.from('<!doctype html><script>alert(1)</script>'), 'attachment'],
  // A GIF that is a script as well.
  ['image/gif', Buffer.from('GIF89a=1;alert(1)'), null],
])('%s is sent as what its first bytes are, in a sandbox', async (type, bytes, disposition) => {
  const { status, headers, ...response } = await read(await storeWith(bytes), hashBytes(bytes));
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-disposition')).toBe(disposition);
  expect(response.bytes.equals(bytes)).toBe(true);
});

async function read(store: Store, hash: string, asked: Readonly<Record<string, string>> = {}) {
  const response = await ask(store, hash, asked);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

test.each([
  ['bytes=4-7', 206, 'bytes 4-7/40', [4, 8]],
  ['bytes=0-', 206, 'bytes 0-39/40', [0, 40]],
  ['bytes=36-99', 206, 'bytes 36-39/40', [36, 40]],
  ['bytes=-4', 206, 'bytes 36-39/40', [36, 40]],
  ['bytes=-99', 206, 'bytes 0-39/40', [0, 40]],
  ['bytes=40-', 416, 'bytes */40', [0, 0]],
  ['bytes=-0', 416, 'bytes */40', [0, 0]],
  // What is no single range is answered whole.
  ['bytes=0-1,3-4', 200, null, [0, 40]],
  ['bytes=7-4', 200, null, [0, 40]],
  ['bytes=-', 200, null, [0, 40]],
  ['items=0-1', 200, null, [0, 40]],
] as const)('a player that asks for %s gets the status %s', async (range, expected, place, [from, to]) => {
  const { status, headers, bytes } = await read(await storeWith(pictures.wav), hashBytes(pictures.wav), {
    range,
  });
  expect(status).toBe(expected);
  expect(headers.get('content-range')).toBe(place);
  expect(headers.get('accept-ranges')).toBe('bytes');
  expect(headers.get('content-type')).toBe('audio/wav');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(bytes.equals(pictures.wav.subarray(from, to))).toBe(true);
});

test('a range of a file that may have changed since is not cut: all of it comes', async () => {
  const asked = { range: 'bytes=4-7', 'if-range': '"old"' };
  const { status, bytes } = await read(await storeWith(pictures.wav), hashBytes(pictures.wav), asked);
  expect(status).toBe(200);
  expect(bytes.equals(pictures.wav)).toBe(true);
});

test('a hash that the store does not have is not found, nor is that of a file of another project', async () => {
  const other = await storeWith(pictures.gif);
  const hash = hashBytes(pictures.gif);
  expect((await ask(other, hash)).status).toBe(200);
  const response = await ask(await storeWith(pictures.png), hash);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    code: 'address-unknown',
    message: `There is no file with the hash ${hash}.`,
  });
});

test.each(['abc', '..%2f..%2fstore.db', 'A'.repeat(64)])('%s names no file', async (hash) => {
  const response = await ask(await storeWith(pictures.png), hash);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ message: 'A file is named by 64 hexadecimal digits.' });
});

test('a browser without access gets no file', async () => {
  expect(
    (await ask(await storeWith(pictures.png), hashBytes(pictures.png), { cookie: 'wrong' })).status,
  ).toBe(403);
});
