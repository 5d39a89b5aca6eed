import { expect, test } from 'vitest';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { buildRun } from '../library/testing/build-records.ts';
import { serveDashboard } from './serve.ts';

/** Serves a store in memory, and opens streams of its events as a page does. */
async function begin() {
  const store = createMemoryStore();
  const server = await serveDashboard({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    port: 0,
  });
  const opened = await fetch(server.addressOf('/'), { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const listen = async (query = '') => {
    const leaving = new AbortController();
    const address = `http://127.0.0.1:${server.port}/api/events${query}`;
    const response = await fetch(address, { headers: { cookie }, signal: leaving.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const until = async (text: string): Promise<string> => {
      while (!seen.includes(text)) seen += (await reader?.read())?.value ?? '';
      return seen;
    };
    return { response, until, reader, leave: () => leaving.abort() };
  };
  return { store, server, listen };
}

test('a page gets events of the run that it asks for, and the stream ends with the server', async () => {
  const { store, server, listen } = await begin();
  const { response, until, reader } = await listen('?run=r1');
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  await until('id: ');
  for (const id of ['r0', 'r1']) {
    await store.createRun(buildRun({ id, status: 'running' }));
    await store.claimRun(id);
  }
  const seen = await until('event: run-changed');
  expect(seen).toContain('"run":"r1"');
  expect(seen).not.toContain('"run":"r0"');
  expect(seen).not.toContain('runs-changed');
  await server.close();
  await expect(reader?.read()).rejects.toThrow();
});

test('a page that leaves makes room for another one', async () => {
  const { server, listen } = await begin();
  const pages = await Promise.all(Array.from({ length: 64 }, async () => await listen()));
  const refused = await listen();
  expect(refused.response.status).toBe(503);
  for (const page of pages) page.leave();
  await expect.poll(async () => (await listen()).response.status).toBe(200);
  await server.close();
});
