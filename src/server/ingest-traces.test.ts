import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { createApp } from './create-app.ts';
import { createIngestToken } from './ingest-access.ts';
import { readUserKey } from '../stores/kinds/feedback.ts';
import { traceKind } from '../stores/kinds/trace.ts';
import { eraseTraces, readTrace } from '../stores/traces/trace-records.ts';

const port = 4322;
const token = createIngestToken();
const folder = path.join(import.meta.dirname, '../../test/otlp');
const sent = (file: string) => readFileSync(path.join(folder, file));
const json = sent('exporter-http.json').toString();
const traceId = '5b8efff798038103d269b633813fc60c';

type Headers = Record<string, string>;

function begin() {
  const store = createMemoryStore();
  const app = createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port, secret: 'a-secret-of-a-test', tokens: new Set() },
    ingestToken: token,
  });
  const send = async (body: string | Uint8Array, headers: Headers = {}) =>
    await app.request(`http://127.0.0.1:${port}/v1/traces`, {
      method: 'POST',
      headers: {
        host: `127.0.0.1:${port}`,
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
  return { store, send };
}

const protobuf: Headers = { 'content-type': 'application/x-protobuf' };
const span = (parts: object) =>
  JSON.stringify({
    resourceSpans: [
      { scopeSpans: [{ spans: [{ traceId, spanId: 'ee00000000000009', name: 's', ...parts }] }] },
    ],
  });

test('what exporters send is stored once, in whichever format, and answered as OTLP has it', async () => {
  const { store, send } = begin();
  const first = await send(json);
  expect([first.status, await first.text()]).toEqual([200, '{}']);
  const again = await send(sent('exporter-proto.pb.gz'), { ...protobuf, 'content-encoding': 'gzip' });
  expect([again.status, again.headers.get('content-type'), await again.text()]).toEqual([
    200,
    'application/x-protobuf',
    '',
  ]);
  expect((await send(sent('python.pb.gz'), { ...protobuf, 'content-encoding': 'gzip' })).status).toBe(200);
  expect(await store.documents.count(traceKind)).toBe(2);
  const trace = await readTrace(store, traceId);
  expect(trace?.head).toMatchObject({ spans: 3, conversation: 'conv-7' });
  expect(trace?.spans.map(({ name }) => name)).toEqual([
    'invoke_agent library',
    'execute_tool opening_hours',
    'chat small-model',
  ]);
});

test('no name of the user and no personal data reach the store, and the same value has one token', async () => {
  const { store, send } = begin();
  await send(json);
  await send(sent('python.pb.gz'), { ...protobuf, 'content-encoding': 'gzip' });
  const heads = await Array.fromAsync(store.documents.list(traceKind));
  const all = JSON.stringify(await Promise.all(heads.map(({ traceId: id }) => readTrace(store, id))));
  expect(json).toContain('jo@example.org');
  for (const personal of ['jo@', 'example.org', '1234567', '"user.id"']) expect(all).not.toContain(personal);
  const tokens = new Set(all.match(/‹email-[0-9a-f]{6}›/g));
  expect(tokens.size).toBe(1);
  expect(all).toMatch(/‹phone-[0-9a-f]{6}›/);
  const trace = await readTrace(store, traceId);
  const { secret, id } = await readUserKey(store.documents);
  expect(trace?.head.user?.key).toBe(id);
  expect(all).not.toContain(secret);
});

test('spans that cannot be stored are counted, and the others are stored', async () => {
  const { store, send } = begin();
  const mixed = JSON.parse(json);
  const spans = mixed.resourceSpans[0].scopeSpans[0].spans;
  spans.push({ name: 'no ids' }, { traceId, spanId: 'ee000000000000aa', name: 'x'.repeat(1_000_001) });
  const answer = await (await send(JSON.stringify(mixed))).json();
  expect(answer).toEqual({
    partialSuccess: {
      rejectedSpans: '2',
      errorMessage:
        '1 span: it has no trace id or no span id; 1 span: a text has more than 1000000 characters',
    },
  });
  expect((await readTrace(store, traceId))?.spans).toHaveLength(3);
  await eraseTraces(store.documents, [traceId], new Date().toISOString());
  const inProtobuf = await send(gunzipSync(sent('exporter-proto.pb.gz')), protobuf);
  const body = Buffer.from(await inProtobuf.arrayBuffer());
  // partial_success (1) with rejected_spans (1) = 3 and an error_message (2).
  expect(body.subarray(2, 5).toString('hex')).toBe('080312');
  expect(body.toString()).toContain('3 spans: the trace was erased');
});

test.each([
  ['no token', json, { authorization: '' }, 403],
  ['a page', json, { origin: 'http://localhost:3000' }, 403],
  ['another type', json, { 'content-type': 'text/plain' }, 415],
  ['another encoding', json, { 'content-encoding': 'br' }, 415],
  ['bytes that are no gzip', json, { 'content-encoding': 'gzip' }, 400],
  ['broken JSON', '{"resourceSpans": [', {}, 400],
  ['JSON that is nested too deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, {}, 400],
  [
    'a value that is nested too deep',
    span({ attributes: JSON.parse(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`) }),
    {},
    400,
  ],
  ['broken protobuf', '{"resourceSpans": []}', protobuf, 400],
  ['a body that is too long', 'x'.repeat(4_000_001), {}, 413],
  ['a bomb', gzipSync(Buffer.alloc(200_000_000)), { 'content-encoding': 'gzip' }, 413],
  ['log records', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"body":{"stringValue":"x"}}]}]}]}', {}, 400],
])(
  'a request with %s is refused with a status of gRPC, and nothing is stored',
  async (_what, body, headers, status) => {
    const { store, send } = begin();
    const response = await send(body, headers);
    expect(response.status).toBe(status);
    if (new Map(Object.entries(headers)).get('content-type') === 'application/x-protobuf')
      expect(Buffer.from(await response.arrayBuffer())[0]).toBe(8);
    else expect(await response.json()).toEqual({ code: expect.any(Number), message: expect.any(String) });
    expect(await store.documents.count(traceKind)).toBe(0);
  },
);

test('the rate is limited with Retry-After', async () => {
  // All requests come at one moment, however busy the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { send } = begin();
  const statuses = await Promise.all(
    Array.from({ length: 460 }, async () => {
      const response = await send('{}');
      return [response.status, response.headers.get('retry-after')] as const;
    }),
  );
  const refused = statuses.filter(([status]) => status === 429);
  expect(refused).toHaveLength(60);
  expect(new Set(refused.map(([, after]) => after))).toEqual(new Set(['1']));
});

test('an empty request is fine, and an attribute named __proto__ stays an attribute', async () => {
  const { store, send } = begin();
  expect((await send('{}')).status).toBe(200);
  expect((await send(new Uint8Array(), protobuf)).status).toBe(200);
  const attributes = [{ key: '__proto__', value: { stringValue: 'x' } }];
  expect((await send(span({ attributes }))).status).toBe(200);
  const stored = (await readTrace(store, traceId))?.spans[0];
  expect(Object.getOwnPropertyNames(stored?.attributes)).toEqual(['__proto__']);
});
