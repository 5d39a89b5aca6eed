import { expect, test } from 'vitest';
import { addFeedback } from '../stores/feedback/feedback-records.ts';
import { buildKeptRun } from '../../test/support/build-kept-run.ts';
import { buildFeedback } from '../../test/support/store-contract/feedback-contract.ts';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import type { Store } from '../stores/store.ts';
import { createApp } from './create-app.ts';
import { keepAnswers } from './keep-answers.ts';

test('an answer is found once while it is among the last ones, and a failed one is found again', async () => {
  const keep = keepAnswers<number>(2);
  const found: string[] = [];
  const ask = async (question: string, answer: number) =>
    await keep(question, async () => {
      found.push(question);
      return await Promise.resolve(answer);
    });
  expect([await ask('a', 1), await ask('b', 2), await ask('a', 3)]).toEqual([1, 2, 1]);
  expect([await ask('c', 4), await ask('b', 5), await ask('c', 6)]).toEqual([4, 5, 4]);
  expect(found).toEqual(['a', 'b', 'c', 'b']);
  await expect(keep('d', async () => await Promise.reject(new Error('late')))).rejects.toThrow('late');
  expect(await ask('d', 7)).toBe(7);
});

test('an answer that is too large is found every time', async () => {
  const keep = keepAnswers<string>(2, ({ length }) => length < 3);
  const found: string[] = [];
  const ask = async (answer: string) =>
    await keep(answer, async () => (found.push(answer), await Promise.resolve(answer)));
  expect([await ask('long'), await ask('s'), await ask('long'), await ask('s')]).toEqual([
    'long',
    's',
    'long',
    's',
  ]);
  expect(found).toEqual(['long', 's', 'long']);
});

test.each([
  ['finished runs are read once for each question', { finishedAt: '2026-01-02T04:04:05.678Z' }, 1],
  ['runs that may still change are read every time', {}, 2],
])('%s', async (_, parts, times) => {
  const memory = createMemoryStore();
  const cases = [0.5, 1, 0].map((total) => ({ asks: `q${total}`, attempts: [{ total }] }));
  for (const id of ['a', 'b']) await buildKeptRun(cases, { id, ...parts }, memory);
  const counts = { facets: 0, outcomes: 0 };
  const store: Store = {
    ...memory,
    countTrials: async (run, query) => {
      if (query?.by?.includes('category') === true) counts.facets += 1;
      return await memory.countTrials(run, query);
    },
    readOutcomes: (id) => ((counts.outcomes += 1), memory.readOutcomes(id)),
  };
  const get = getterOf(store);
  expect(await get('runs/a/facets')).toBe(await get('runs/a/facets'));
  expect(counts.facets).toBe(times);
  const [before, again] = [await get('runs/a/facets'), await get('runs/a/facets?where=result=failed')];
  expect(again).not.toBe(before);
  // Its counts follow from the counts of all trials.
  expect(counts.facets).toBe(times === 1 ? 1 : 4);
  expect(await get('runs/b/facets?where=passed=true')).not.toBe(await get('runs/a/facets'));
  const ask = async (measure: string) => await get(`compare/differences?a=a&b=b&measure=${measure}`);
  expect(await ask('score')).toBe(await ask('score'));
  expect(counts.outcomes).toBe(2 * times);
  expect(await ask('passed')).not.toBe(await ask('score'));
});

test('what needs all feedback, preferences or proposals is read once until something in the store changes', async () => {
  const memory = createMemoryStore();
  for (const id of ['a', 'b']) await buildKeptRun([{ asks: 'q', attempts: [{ total: 1 }] }], { id }, memory);
  await addFeedback(memory, [buildFeedback('f1')]);
  const reads: string[] = [];
  const store: Store = {
    ...memory,
    documents: {
      ...memory.documents,
      list: (kind, query, onLost) => {
        if (query === undefined) reads.push(kind.name);
        return memory.documents.list(kind, query, onLost);
      },
      count: async (kind, query) => {
        reads.push(`number of ${kind.name}`);
        return await memory.documents.count(kind, query);
      },
    },
  };
  const get = getterOf(store);
  const paths = ['feedback/summary', 'feedback/answers', 'proposals/size', 'preferences?a=a&b=b'];
  const getAll = async () => await Promise.all(paths.map(get));
  const first = await getAll();
  // What was shown is noted, which is a change itself.
  await getAll();
  const once = reads.length;
  expect(new Set(reads)).toEqual(
    new Set(['feedback', 'number of feedback', 'number of proposal', 'number of trace', 'review-task']),
  );
  expect([await getAll(), await getAll()]).toEqual([first, first]);
  expect(reads).toHaveLength(once);
  await addFeedback(memory, [buildFeedback('f2')]);
  expect(await get('feedback/summary')).not.toBe(first[0]);
});

/** Returns a function that asks the server of a store, and expects an answer. */
function getterOf(store: Store): (path: string) => Promise<string> {
  const app = createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port: 4321, secret: 'secret', tokens: new Set() },
  });
  return async (path) => {
    const headers = { host: '127.0.0.1:4321', cookie: 'touchstone-4321=secret' };
    const response = await app.request(`http://127.0.0.1:4321/api/${path}`, { headers });
    expect(response.status).toBe(200);
    return await response.text();
  };
}
