import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { buildCaseStore } from '../../test/support/build-case-store.ts';
import { buildKeptRun } from '../../test/support/build-kept-run.ts';
import { hostileTexts } from '../../test/support/hostile-texts.ts';
import { searchLineSchema } from '../core/schema/api/search-hit.ts';
import type { Store } from '../stores/store.ts';
import { serveDashboard } from './serve.ts';

/** Serves a store, and searches in its last run as a page does. */
async function begin(store: Store) {
  const server = await serveDashboard({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    port: 0,
  });
  const opened = await fetch(server.addressOf('/'), { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const search = async (query: Readonly<Record<string, string>>, signal?: AbortSignal) => {
    const parameters = new URLSearchParams(query).toString();
    const address = `http://127.0.0.1:${server.port}/api/runs/latest/search?${parameters}`;
    return await fetch(address, { headers: { cookie }, ...(signal && { signal }) });
  };
  return { server, search };
}

/** Reads all lines of an answer. */
async function linesOf(response: Response) {
  const lines = (await response.text()).trimEnd().split('\n');
  return lines.map((line) => searchLineSchema.parse(JSON.parse(line)));
}

test('hits are lines of JSON that are not stored, at most 50, with the place where the search continues', async () => {
  const { server, search } = await begin(await buildCaseStore());
  const response = await search({ text: 'PROPERTY', where: 'target=bot' });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const lines = await linesOf(response);
  expect(lines).toHaveLength(51);
  expect(lines[0]).toMatchObject({ ordinal: 0, caseId: 'case-0', place: 'question', match: 'property' });
  const last = lines.at(-1) as { next: number };
  const [further] = await linesOf(
    await search({ text: 'property', where: 'target=bot', after: String(last.next) }),
  );
  expect(further).toMatchObject({ target: 'bot' });
  expect((further as { ordinal: number }).ordinal).toBeGreaterThan(last.next);
  await server.close();
});

test('hostile texts are searched as they are, and what is no search is refused', async () => {
  const { server, search } = await begin(await buildCaseStore(hostileTexts));
  for (const [index, text] of hostileTexts.entries()) {
    // An address cannot contain half of a surrogate pair.
    if (text.trim() === '' || !text.isWellFormed()) continue;
    const after: Record<string, string> = index === 0 ? {} : { after: String(index * 2 - 1) };
    const lines = await linesOf(await search({ text: text.slice(0, 500), ...after }));
    expect({ text, ...lines[0] }).toMatchObject({ text, ordinal: index * 2, place: 'question' });
  }
  for (const text of [
    '(a+)+$'.repeat(50),
    '[',
    '\\',
    '\u0000',
    '%00',
    '{"$ne":1}',
    "' OR 1=1 --",
    'no'.repeat(3000),
  ]) {
    const lines = await linesOf(await search({ text, where: 'id=none' }));
    expect([text, ...lines]).toEqual([text, { next: null, searched: 0 }]);
  }
  for (const query of [{}, { text: ' ' }, { text: 'a', after: '-1' }, { text: 'a', where: 'totl<1' }]) {
    const { status } = await search(query as Record<string, string>);
    expect([query, status]).toEqual([query, 400]);
  }
  await server.close();
});

test('a search ends when its page leaves, whether it has found something or not', async () => {
  const cases = Array.from({ length: 1000 }, (_, index) => ({
    asks: `question ${index}`,
    attempts: [{ total: 1 }],
  }));
  const { store: memory } = await buildKeptRun(cases);
  for (const [text, heads] of [
    ['nowhere', 0],
    ['question 1', 1],
  ] as const) {
    let [read, isOver] = [0, false];
    const slow: Store = {
      ...memory,
      readResults: async function* (...query) {
        try {
          for await (const result of memory.readResults(...query)) {
            read += 1;
            await wait(2);
            yield result;
          }
        } finally {
          isOver = true;
        }
      },
    };
    const { server, search } = await begin(slow);
    const leaving = new AbortController();
    const answer = search({ text }, leaving.signal);
    if (heads > 0) await answer;
    await expect.poll(() => read).toBeGreaterThan(5);
    leaving.abort();
    if (heads === 0) await expect(answer).rejects.toThrow('aborted');
    await expect.poll(() => isOver).toBe(true);
    expect(read).toBeLessThan(cases.length / 2);
    await server.close();
  }
});
