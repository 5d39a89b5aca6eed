import { expect, test } from 'vitest';
import { Hono } from 'hono';
import { TouchstoneError } from '../core/errors.ts';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { createApp } from './create-app.ts';
import { createIngestToken, guardIngest } from './ingest-access.ts';
import { feedbackKind } from '../stores/kinds/feedback.ts';
import { countFeedback } from '../stores/feedback/feedback-records.ts';

const port = 4321;
const token = createIngestToken();
const feedback = {
  id: 'f1',
  at: '2026-01-02T10:00:00.000Z',
  source: 'web',
  signal: 'thumb',
  value: 'down',
  user: 'ann@example.com',
  subject: { traceId: 't1' },
};

function begin({ ingestToken }: { ingestToken?: string } = { ingestToken: token }) {
  const store = createMemoryStore();
  const app = createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port, secret: 'a-secret-of-a-test', tokens: new Set() },
    ...(ingestToken !== undefined && { ingestToken }),
  });
  const send = async (body: unknown, headers: Record<string, string> = {}) =>
    await app.request(`http://127.0.0.1:${port}/api/feedback`, {
      method: 'POST',
      headers: {
        host: `127.0.0.1:${port}`,
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { store, send };
}

test('feedback is stored once, however often it is sent, and without the name of the user', async () => {
  const { store, send } = begin();
  const first = await send(feedback);
  expect([first.status, await first.json()]).toEqual([200, { added: 1, known: 0, matched: 0, refused: [] }]);
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(await (await send([feedback, { ...feedback, id: 'f2' }])).json()).toMatchObject({
    added: 1,
    known: 1,
  });
  const kept = await Array.fromAsync(store.documents.list(feedbackKind));
  expect(kept.map((each) => each.feedback.id)).toEqual(['f1', 'f2']);
  expect(JSON.stringify(kept)).not.toContain('ann@');
});

test('an id that is stored with another content is refused with the reason', async () => {
  const { send } = begin();
  await send(feedback);
  const response = await send({ ...feedback, value: 'up' });
  expect([response.status, await response.json()]).toEqual([
    409,
    expect.objectContaining({
      code: 'feedback-refused',
      message: expect.stringContaining('another content'),
    }),
  ]);
  const list = await send([
    { ...feedback, value: 'up' },
    { ...feedback, id: 'f2' },
  ]);
  expect(await list.json()).toMatchObject({ added: 1, refused: [{ id: 'f1' }] });
});

test.each([
  ['no token', { authorization: '' }],
  ['a wrong token', { authorization: 'Bearer ts_other' }],
  [
    "the page's cookie in place of the token",
    { authorization: '', cookie: `touchstone-${port}=a-secret-of-a-test` },
  ],
  ["the page's secret as the token", { authorization: 'Bearer a-secret-of-a-test' }],
  ['another host name', { host: `evil.example.com:${port}` }],
  ['a page of another site', { origin: 'https://example.com' }],
  ['a page of this server', { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }],
])('%s is refused', async (_, headers) => {
  const { store, send } = begin();
  expect((await send(feedback, headers)).status).toBe(403);
  expect((await countFeedback(store.documents)).all).toBe(0);
});

test('without a token, the server takes no feedback', async () => {
  const { send } = begin({});
  expect((await send(feedback)).status).toBe(403);
});

test('the token opens nothing else', async () => {
  const store = createMemoryStore();
  const app = createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port, secret: 'a-secret-of-a-test', tokens: new Set() },
    ingestToken: token,
  });
  const headers = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    cookie: `touchstone-${port}=${token}`,
  };
  expect((await app.request(`http://127.0.0.1:${port}/api/runs`, { headers })).status).toBe(403);
});

test.each([
  ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
  ['broken JSON', '{"id":', {}, 400],
  ['a body that is too long', `"${'x'.repeat(4_100_000)}"`, {}, 413],
  [
    'too many records',
    Array.from({ length: 1001 }, (_, index) => ({ ...feedback, id: `f${index}` })),
    {},
    413,
  ],
])('%s is refused', async (_, body, headers, status) => {
  const { store, send } = begin();
  expect((await send(body, headers)).status).toBe(status);
  expect((await countFeedback(store.documents)).all).toBe(0);
});

test('requests beyond the rate are refused until time has passed', async () => {
  let now = 0;
  const app = new Hono();
  app.use(guardIngest({ token, port }, () => now));
  app.post('/', ({ text }) => text('stored'));
  app.onError((error, { text }) => text(error instanceof TouchstoneError ? error.code : 'bug'));
  const send = async () => {
    const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
    return await (await app.request(`http://127.0.0.1:${port}/`, { method: 'POST', headers })).text();
  };
  const sendMany = async (count: number) => {
    const answers: string[] = [];
    for (let sent = 0; sent < count; sent += 1) answers.push(await send());
    return answers.filter((answer) => answer === 'stored').length;
  };
  expect(await sendMany(500)).toBe(400);
  expect(await send()).toBe('rate-limited');
  now += 1000;
  expect(await sendMany(300)).toBe(200);
});
