import { beforeAll, expect, test } from 'vitest';
import { type AskedCase, buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import {
  comparisonViewSchema,
  differenceListSchema,
  pairListSchema,
} from '../../../core/schema/api/comparison/comparison-view.ts';
import { pairedCaseSchema } from '../../../core/schema/api/comparison/paired-case.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { makeBaseline } from '../../../decide/gate/make-baseline.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { createApp } from '../../create-app.ts';
import { createAccess } from '../../local-access.ts';
import { baselineKind } from '../../../stores/kinds/baseline.ts';
import { putDocuments } from '../../../stores/documents/document-store.ts';

const store = createMemoryStore();
const access = createAccess(4321);
const app = createApp({
  openStore: async () => await Promise.resolve(store),
  assets: { document: '', files: new Map() },
  access,
});

const totals = { before: [1, 1, 0, 0, 1, 0.5], after: [1, 0, 1, 0, 1, 1] };
const asked = (values: readonly number[]): AskedCase[] =>
  values.map((total, index) => ({ asks: `q${index}`, attempts: [{ total }] }));
const target = (name: string) => ({ name, use: { use: 'module' }, fingerprint: name.padEnd(32, '0') });

beforeAll(async () => {
  await buildKeptRun(asked(totals.before), { id: 'before', createdAt: '2026-01-01T00:00:00.000Z' }, store);
  await buildKeptRun(asked(totals.after), { id: 'after', createdAt: '2026-01-02T00:00:00.000Z' }, store);
  await buildKeptRun(
    asked(totals.after),
    { id: 'renamed', createdAt: '2026-01-03T00:00:00.000Z', targets: [target('one'), target('two')] },
    store,
  );
});

async function get(path: string, route = '/api/compare'): Promise<{ status: number; body: unknown }> {
  const response = await app.request(`http://127.0.0.1:4321${route}${path}`, {
    headers: { host: '127.0.0.1:4321', cookie: `touchstone-4321=${access.secret}` },
  });
  return { status: response.status, body: await response.json() };
}

test('the comparison is that of the command line, with both runs', async () => {
  const { body } = await get('?a=before&b=after');
  const view = comparisonViewSchema.parse(body);
  const [a, b] = [await store.readRun('before'), await store.readRun('after')];
  if (a === undefined || b === undefined) throw new Error('The store has both runs.');
  const expected = await compareRuns([
    { run: a, store },
    { run: b, store },
  ]);
  expect(view.comparison).toEqual(JSON.parse(JSON.stringify(expected)));
  expect([view.a.id, view.b.id]).toEqual(['before', 'after']);
});

test('runs are named as on the command line, in every route: by latest~N, by a baseline, by a part of an id', async () => {
  const before = await findRun(store, 'before');
  await putDocuments(store.documents, baselineKind, [await makeBaseline('main', before, store)]);
  for (const [a, b] of [
    ['latest~2', 'latest~1'],
    ['main', 'after'],
    ['bef', 'aft'],
  ]) {
    const { body } = await get(`?a=${a}&b=${b}`);
    const view = comparisonViewSchema.parse(body);
    expect([view.a.id, view.b.id]).toEqual(['before', 'after']);
  }
  const { body } = await get('main', '/api/runs/');
  expect(body).toMatchObject({ run: { id: 'before' } });
});

test('without names, the last two runs are compared; here they have no target in common', async () => {
  const { status, body } = await get('');
  expect([status, body]).toEqual([
    400,
    {
      code: 'usage-invalid',
      message: expect.stringContaining('after has bot; renamed has one, two') as string,
      remedy: expect.any(String) as string,
    },
  ]);
});

test('two targets are compared where they are named, also those of one run', async () => {
  const view = comparisonViewSchema.parse((await get('?a=renamed&b=renamed&targetA=one&targetB=two')).body);
  expect(view.comparison.comparisons.map(({ a, b }) => [a.target, b.target])).toEqual([['one', 'two']]);
  const across = comparisonViewSchema.parse((await get('?a=before&b=renamed&targetA=bot&targetB=one')).body);
  expect(across.comparison.comparisons.map(({ a, b }) => [a.target, b.target])).toEqual([['bot', 'one']]);
  expect((await get('?a=before&b=after&targetA=bot&targetB=none')).status).toBe(400);
});

test('the differences of a measure are sent in their order', async () => {
  const list = differenceListSchema.parse((await get('/differences?a=before&b=after&measure=score')).body);
  expect(list.steps).toEqual([
    { difference: -1, pairs: 1 },
    { difference: 0, pairs: 3 },
    { difference: 0.5, pairs: 1 },
    { difference: 1, pairs: 1 },
  ]);
  expect((await get('/differences?a=before&b=after')).status).toBe(400);
});

test('pairs are filtered, sorted and sent in parts, and one is sent with its answers', async () => {
  const path = '/cases?a=before&b=after&where=change!=0&sort=-change&limit=2';
  const first = pairListSchema.parse((await get(path)).body);
  expect([first.count, first.rows.map(({ caseId }) => caseId)]).toEqual([3, ['q2', 'q5']]);
  const rest = pairListSchema.parse((await get(`${path}&after=${first.next ?? ''}`)).body);
  expect([rest.next, rest.rows.map(({ caseId }) => caseId)]).toEqual([null, ['q1']]);
  const paired = pairedCaseSchema.parse((await get('/case?a=before&b=after&case=q2')).body);
  expect([paired.a, paired.b].map(({ attempts }) => attempts[0]?.total)).toEqual([0, 1]);
  expect((await get('/case?a=before&b=after&case=none')).status).toBe(404);
});
