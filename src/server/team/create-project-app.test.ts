import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { createProjectApp, exportRoutes, requireDeclared } from './create-project-app.ts';

test('a server with a route that declares no permission does not start', () => {
  const app = new Hono();
  app.get('/api/runs', ({ text }) => text(''));
  expect(() => requireDeclared(app)).not.toThrow();
  app.post('/api/secrets', ({ text }) => text(''));
  expect(() => requireDeclared(app)).toThrow('The route POST /api/secrets declares no permission.');
});

/** The routes whose answers are parts of pages. A new route is added here, or to the exports, whose use is recorded. */
const views = [
  // What has become of a run that was asked for, and its plan.
  '/api/asked-runs/:asked',
  '/api/baselines',
  '/api/compare',
  '/api/compare/case',
  '/api/compare/cases',
  '/api/compare/differences',
  '/api/datasets',
  '/api/datasets/:name',
  '/api/datasets/:name/cases/:id',
  '/api/datasets/:name/lint',
  '/api/events',
  '/api/feedback/answers',
  '/api/feedback/size',
  '/api/feedback/summary',
  '/api/judges',
  '/api/judges/:judge',
  // The state of a look, for the agent that asked for it.
  '/api/looks/:look',
  '/api/matrix',
  '/api/matrix/counts',
  '/api/modes',
  '/api/modes/compare',
  '/api/modes/conversations/:task/:item',
  '/api/modes/open',
  '/api/preferences',
  '/api/preferences/cases',
  '/api/proposals',
  '/api/proposals/:proposal',
  '/api/proposals/size',
  '/api/reviews',
  '/api/reviews/:task',
  '/api/rights',
  '/api/run-values',
  '/api/runs',
  '/api/runs/:run',
  '/api/runs/:run/facets',
  '/api/runs/:run/gate',
  '/api/runs/:run/grid',
  '/api/runs/:run/plan',
  '/api/runs/:run/search',
  '/api/runs/:run/tools',
  '/api/runs/:run/trials',
  '/api/runs/:run/trials/:ordinal',
  '/api/runs/:run/trials/:ordinal/history',
  '/api/runs/:run/trials/:ordinal/judgements',
  '/api/runs/:run/trials/:ordinal/messages',
  '/api/runs/:run/trials/:ordinal/place',
  '/api/runs/:run/values',
  '/api/traces',
  '/api/traces/:trace',
  '/api/trends',
];

test('every route that reads is a part of a page, or an export that the audit log records', () => {
  const store = createMemoryStore();
  const { routes } = createProjectApp({
    assets: { document: '', files: new Map() },
    accounts: store.accounts,
    openStore: async () => store,
    isBehindProxy: false,
  });
  const reading = routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'));
  const found = [...new Set(reading.map(({ path }) => path))].toSorted();
  const exports = exportRoutes.map((route) => route.replace('GET ', ''));
  expect(found).toEqual([...views, ...exports].toSorted());
});

test('answers and files of the page are compressed for a browser that asks for it', async () => {
  const store = createMemoryStore();
  const parts = { accounts: store.accounts, openStore: () => Promise.resolve(store), isBehindProxy: false };
  const long = `/* ${'a'.repeat(5000)} */`;
  const files = new Map([
    ['/assets/page.js', { type: 'text/javascript', body: new TextEncoder().encode(long) }],
  ]);
  const app = createProjectApp({ ...parts, assets: { document: '', files } });
  const environment = { principal: { kind: 'person', name: 'ann', project: 'main', role: 'viewer' } };
  const ask = async (encoding: string) =>
    await app.request('/assets/page.js', { headers: { 'accept-encoding': encoding } }, environment);
  const sent = await ask('gzip');
  expect(sent.headers.get('content-encoding')).toBe('gzip');
  expect((await sent.arrayBuffer()).byteLength).toBeLessThan(500);
  const plain = await ask('identity');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.text()).toBe(long);
});
