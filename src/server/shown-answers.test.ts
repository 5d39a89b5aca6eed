import { expect, test } from 'vitest';
import { storeReviewedRun } from '../../test/support/reviewed-run.ts';
import { createReview, planReview } from '../people/reviews/plan-review.ts';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import type { Store } from '../stores/store.ts';
import { buildRubric } from '../../test/support/build-labels.ts';
import { createApp } from './create-app.ts';
import { createShownAnswers } from './shown-answers.ts';
import { readItems } from '../stores/reviews/review-records.ts';
import { labelKind } from '../stores/kinds/label.ts';

const port = 4321;
const secret = 'a-secret-of-a-test';
const origin = `http://127.0.0.1:${port}`;
const own = {
  host: `127.0.0.1:${port}`,
  cookie: `touchstone-${port}=${secret}`,
  origin,
  'sec-fetch-site': 'same-origin',
};

/** Serves a store as a process does that has just been started. */
function serve(store: Store) {
  return createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port, secret, tokens: new Set() },
  });
}

async function prepare() {
  const store = createMemoryStore();
  const run = await storeReviewedRun(store, { passed: 4, failed: 4 });
  const settings = { id: 'task-1', createdAt: '2026-01-03T00:00:00.000Z', seed: 7, labels: 8, repeats: 0 };
  await createReview(store, await planReview(store, run, { rubrics: [buildRubric()], ...settings }));
  const app = serve(store);
  const [item] = await readItems(store.documents, 'task-1', [0]);
  return { app, store, run, subject: item?.subject };
}

/** The routes whose answers say how single answers turned out, with parameters under which they name the first item. */
const telling: Readonly<Record<string, string>> = {
  '/api/runs/:run/trials': '',
  '/api/runs/:run/trials/:ordinal': '',
  '/api/runs/:run/trials/:ordinal/judgements': '',
  '/api/runs/:run/trials/:ordinal/part': '?path=/result/verdicts/politeness/explanation',
  '/api/compare/cases': '?a=RUN&b=RUN',
  '/api/compare/case': '?a=RUN&b=RUN&case=CASE',
  '/api/datasets/:name/cases/:id': '',
  '/api/matrix': '?columns=RUN',
  '/api/matrix/table': '?columns=RUN&format=csv',
  '/api/runs/:run/report': '?format=jsonl',
};

/** The routes that a store of this test gives no single answer, that name none with its outcome, or belong to the review. */
const silent = [
  '/api/baselines',
  '/api/compare',
  '/api/compare/differences',
  '/api/datasets',
  '/api/datasets/:name',
  '/api/datasets/:name/lint',
  // A file of a question, which says nothing of its answers.
  '/api/blobs/:hash',
  '/api/events',
  '/api/feedback/answers',
  '/api/feedback/size',
  '/api/feedback/summary',
  '/api/judges',
  '/api/judges/:judge',
  // One bit about a version from questions that are in no run.
  '/api/looks/:look',
  // Counts of rows.
  '/api/matrix/counts',
  // It marks the answers that it quotes; the store of this test has no notes.
  '/api/modes',
  '/api/modes/compare',
  // A conversation as reviewers see it before the label.
  '/api/modes/conversations/:task/:item',
  '/api/modes/open',
  '/api/preferences',
  // It marks both answers to the cases that it lists; a run of one target has none.
  '/api/preferences/cases',
  '/api/proposals',
  '/api/proposals/:proposal',
  '/api/proposals/size',
  '/api/reviews',
  '/api/reviews/:task',
  '/api/reviews/:task/items/:item/part',
  '/api/reviews/:task/items/:item/:turn/part',
  '/api/rights',
  '/api/run-table',
  '/api/run-values',
  '/api/runs',
  '/api/runs/:run',
  '/api/runs/:run/facets',
  '/api/runs/:run/gate',
  '/api/runs/:run/grid',
  '/api/runs/:run/plan',
  // The question as it is in its file.
  '/api/runs/:run/rows/:id',
  '/api/runs/:run/search',
  '/api/runs/:run/tools',
  '/api/runs/:run/trials/:ordinal/messages',
  '/api/runs/:run/trials/:ordinal/place',
  '/api/runs/:run/values',
  // It marks answers of other runs; the answer itself is not part of it.
  '/api/runs/:run/trials/:ordinal/history',
  '/api/traces',
  '/api/traces/:trace',
  '/api/trends',
];

test('every route that is read says whether it shows how an answer turned out', async () => {
  const { app } = await prepare();
  const read = app.routes.flatMap(({ method, path }) =>
    method === 'GET' && path.startsWith('/api/') ? [path] : [],
  );
  const known = [...Object.keys(telling), ...silent];
  expect([...new Set(read)].filter((path) => !known.includes(path) && !path.includes('*'))).toEqual([]);
});

test.each(
  Object.entries(telling).flatMap(([route, query]) => [
    { route, query, isRestarted: false },
    { route, query, isRestarted: true },
  ]),
)('a label after $route is not blind (restarted between them: $isRestarted)', async (tried) => {
  const { route, query, isRestarted } = tried;
  const { app, store, run, subject } = await prepare();
  const names = {
    run: run.id,
    ordinal: String(subject?.ordinal),
    name: 'golden.jsonl',
    id: subject?.caseId ?? '',
  };
  const filled = route.replaceAll(/:(\w+)/g, (_, name: keyof typeof names) =>
    encodeURIComponent(names[name]),
  );
  const address = filled + query.replaceAll('RUN', run.id).replaceAll('CASE', encodeURIComponent(names.id));
  const read = await app.request(origin + address, { headers: own });
  expect([read.status, await read.text()]).toMatchObject([200, expect.stringMatching(/./)]);
  const label = { person: 'ann', item: 0, purpose: 'new', id: 'one', seconds: 3, order: 1 };
  const body = JSON.stringify({ ...label, labels: [{ rubric: 'tone', value: true }] });
  const headers = {
    ...own,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const later = isRestarted ? serve(store) : app;
  const kept = await later.request(`${origin}/api/reviews/task-1/labels`, { method: 'POST', body, headers });
  expect(kept.status).toBe(200);
  const [stored] = await Array.fromAsync(store.documents.list(labelKind));
  expect(stored?.blind).toMatchObject({ verdict: 'shown', score: 'shown', target: 'shown' });
});

test('what a person has seen is not what others have seen, where the server knows who asks', async () => {
  const store = createMemoryStore();
  const openStore = async () => await Promise.resolve(store);
  let person = 'ann';
  const create = () => createShownAnswers(openStore, () => person);
  const shown = create();
  shown.add('r', 3);
  person = 'anna';
  shown.addCase('r', 'q1');
  await shown.settle();
  const seen = async () => [
    await create().has({ run: 'r', ordinal: 3 }),
    await shown.has({ run: 'r', caseId: 'q1' }),
  ];
  expect(await seen()).toEqual([false, true]);
  person = 'ann';
  expect(await seen()).toEqual([true, false]);
});
