import { expect, test } from 'vitest';
import { exactNumber } from '../../core/lib/json/exact-number.ts';
import type { RecordedTrace } from '../../core/schema/message.ts';
import type { TextSource } from './dataset.ts';
import { otlp } from './otlp.ts';
import { looksLikeTraces } from './otlp/read-spans.ts';
import { piecesOf } from './json.ts';

const traceId = '5b8efff798038103d269b633813fc60c';
const spanId = 'eee19b7ec3c1b174';
const parentSpanId = 'eee19b7ec3c1b173';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

function sourceOf(text: string, length?: number, parts: Partial<TextSource> = {}): TextSource {
  return { name: 'traces.json', read: () => piecesOf(text, length), ...parts };
}

async function read(value: unknown, parts: Partial<TextSource> = {}): Promise<RecordedTrace[]> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const rows = await Array.fromAsync(otlp.read(sourceOf(text, 7, parts)));
  return rows.map((row) => row.value as RecordedTrace);
}

const attribute = (key: string, value: unknown) => ({ key, value: { stringValue: value } });
const request = (...spans: readonly object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [attribute('service.name', 'bot')] },
      scopeSpans: [{ scope: { name: 'lib' }, spans }],
    },
  ],
});
const plain = (parts: object = {}) => ({ traceId, spanId, name: 'chat', ...parts });

const full = {
  traceId,
  spanId,
  parentSpanId,
  name: 'chat m',
  kind: 3,
  startTimeUnixNano: '1700000000123456789',
  endTimeUnixNano: '1700000001000000000',
  attributes: [
    { key: 'text', value: { stringValue: 'a' } },
    { key: 'yes', value: { boolValue: true } },
    { key: 'whole', value: { intValue: '12' } },
    { key: 'large', value: { intValue: '9223372036854775807' } },
    { key: 'broken', value: { doubleValue: 0.5 } },
    { key: 'list', value: { arrayValue: { values: [{ stringValue: 'x' }, { intValue: 3 }] } } },
    {
      key: 'object',
      value: { kvlistValue: { values: [{ key: 'k', value: { arrayValue: {} } }] } },
    },
    { key: 'bytes', value: { bytesValue: 'AQI=' } },
    { key: 'nothing', value: {} },
  ],
  events: [
    {
      timeUnixNano: '1700000000500000000',
      name: 'gen_ai.choice',
      attributes: [{ key: 'index', value: { intValue: 0 } }],
    },
  ],
  status: { code: 'STATUS_CODE_ERROR', message: 'down' },
};

const expected = {
  place: { file: 'traces.json', line: 1, column: expect.any(Number) },
  traceId,
  spanId,
  parentId: parentSpanId,
  name: 'chat m',
  startMs: 1700000000123.456,
  endMs: 1700000001000,
  attributes: {
    text: 'a',
    yes: true,
    whole: 12,
    large: exactNumber('9223372036854775807'),
    broken: 0.5,
    list: ['x', 3],
    object: { k: [] },
    bytes: 'AQI=',
    nothing: {},
  },
  events: [{ name: 'gen_ai.choice', timeMs: 1700000000500, attributes: { index: 0 } }],
  error: 'down',
  resource: { 'service.name': 'bot' },
};

test('a span is read with its typed values, its times and its error', async () => {
  expect(await read(request(full))).toEqual([{ spans: [expected] }]);
});

test('keys in the other spelling, ids in base64 and numbers instead of texts give the same span', async () => {
  const snake = JSON.stringify(request(full)).replaceAll(
    /"([a-z]+[A-Z]\w*)":/g,
    (_match, key: string) => `"${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
  );
  expect(snake).toContain('"start_time_unix_nano"');
  expect(await read(snake)).toEqual([{ spans: [expected] }]);
  const other = {
    ...full,
    traceId: base64(traceId),
    spanId: base64(spanId),
    parentSpanId: base64(parentSpanId),
    startTimeUnixNano: 1700000000123456800,
    status: { code: 2, message: 'down' },
  };
  expect(await read(request(other))).toEqual([{ spans: [{ ...expected, startMs: 1700000000123.457 }] }]);
});

test.each([
  ['one request', request(plain())],
  ['a list of requests', [request(plain())]],
  [
    'requests line by line',
    `${JSON.stringify(request(plain()))}\n\n${JSON.stringify({ resourceSpans: [] })}\n`,
  ],
  ['a request over many lines', JSON.stringify(request(plain()), null, 2)],
  ['batches of an older version', { batches: [{ instrumentationLibrarySpans: [{ spans: [plain()] }] }] }],
  ['a trace of Tempo', { trace: request(plain()) }],
  ['spans line by line', `${JSON.stringify(plain({ startTimeUnixNano: '1', attributes: [] }))}\n`],
  ['a list of spans', [plain({ startTimeUnixNano: '1', attributes: [] })]],
  [
    'spans of a console',
    JSON.stringify(
      {
        name: 'chat',
        context: { trace_id: `0x${traceId}`, span_id: `0x${spanId}` },
        parent_id: null,
        start_time: '2024-01-11T16:45:17.982858Z',
        attributes: { 'gen_ai.system': 'x' },
        status: { status_code: 'UNSET' },
      },
      null,
      4,
    ),
  ],
])('%s are traces', async (_name, value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  expect(looksLikeTraces(text, 'f')).toBe(true);
  expect(await read(text)).toMatchObject([{ spans: [{ traceId, spanId, name: 'chat' }] }]);
});

test.each([
  '[{"question":"q","answer":"a"}]',
  '{"question":"q"}',
  '{"type":"run","run":{}}',
  'question,answer\nq,a',
  '- question: q',
  '',
  '{"messages":[{"role":"user","content":"{\\"resourceSpans\\":[]}"}]}',
])('%j are not traces', (text) => {
  expect(looksLikeTraces(text, 'f')).toBe(false);
});

test('traces of Jaeger are refused with a remedy', () => {
  expect(() => looksLikeTraces('{"data": [{"traceID": "1", "spans": []}]}', 'f.json')).toThrow(
    expect.objectContaining({
      code: 'dataset-format',
      message: 'f.json: these are traces in the format of Jaeger',
      remedy: expect.stringContaining('OTLP JSON'),
    }),
  );
});

test.each([
  ['1700000000123456789', 1700000000123.456],
  [1700000000123456800, 1700000000123.457],
  [1700000000123456, 1700000000123.456],
  [1700000000123, 1700000000123],
  [1700000000.123, 1700000000123],
  [[1700000000, 123456789], 1700000000123.457],
  ['2023-11-14T22:13:20.123Z', 1700000000123],
  ['0', undefined],
  [0, undefined],
  ['soon', undefined],
  [null, undefined],
])('a span that began at %j began at %j', async (startTime, startMs) => {
  const [trace] = await read(request(plain({ startTime })));
  expect(trace?.spans[0]?.startMs).toBe(startMs);
});

test('attributes may be an object, flat or nested', async () => {
  const nested = { gen_ai: { operation: { name: 'chat' }, usage: { input_tokens: 5 } } };
  const flat = { 'gen_ai.operation.name': 'chat', 'gen_ai.tool.call.arguments': { city: 'Paris' } };
  const found = await read(request(plain({ attributes: nested }), plain({ attributes: flat })));
  expect(found[0]?.spans.map(({ attributes }) => attributes)).toEqual([
    { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 5 },
    flat,
  ]);
});

test('a failed span without a message has that of its exception', async () => {
  const exception = {
    name: 'exception',
    attributes: [attribute('exception.type', 'KeyError'), attribute('exception.message', 'no city')],
  };
  const spans = [
    plain({ status: { code: 2 }, events: [exception] }),
    plain({ status: { code: 2 } }),
    plain({ status: { code: 1, message: 'fine' } }),
    plain({ status: {} }),
  ];
  const [trace] = await read(request(...spans));
  expect(trace?.spans.map(({ error }) => error)).toEqual(['KeyError: no city', '', undefined, undefined]);
});

const inTrace = (id: string, parts: object = {}) => plain({ traceId: id.repeat(32), ...parts });
const inConversation = (id: string) => ({ attributes: [attribute('gen_ai.conversation.id', id)] });
const idsOf = (traces: readonly RecordedTrace[]) =>
  traces.map(({ conversationId, spans }) => [
    conversationId,
    ...spans.map((span) => `${span.traceId[0]}${span.name}`),
  ]);

test('a trace is one row, wherever its spans are in the file', async () => {
  const lines = [
    request(inTrace('a', { name: '1' }), inTrace('b', { name: '1' })),
    request(inTrace('b', { name: '2' })),
    request(inTrace('c', { name: '1' }), inTrace('a', { name: '2' })),
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(idsOf(await read(text))).toEqual([
    [undefined, 'b1', 'b2'],
    [undefined, 'c1'],
    [undefined, 'a1', 'a2'],
  ]);
});

test('traces of one conversation are one row', async () => {
  const spans = [
    inTrace('a', { name: '1', ...inConversation('x') }),
    inTrace('b', { name: '1' }),
    inTrace('a', { name: '2', ...inConversation('x') }),
    inTrace('c', { name: '1', ...inConversation('x') }),
  ];
  expect(idsOf(await read(request(...spans)))).toEqual([
    [undefined, 'b1'],
    ['x', 'a1', 'a2', 'c1'],
  ]);
});

test('each conversation in one trace is a row', async () => {
  const spans = [
    inTrace('a', { name: 'inner', spanId: 'i', parentSpanId: 'x' }),
    inTrace('a', { name: 'one', spanId: 'x', parentSpanId: 'r', ...inConversation('x') }),
    inTrace('a', { name: 'two', spanId: 'y', parentSpanId: 'r', ...inConversation('y') }),
    inTrace('a', { name: 'root', spanId: 'r' }),
  ];
  expect(idsOf(await read(request(...spans)))).toEqual([
    ['x', 'ainner', 'aone'],
    ['y', 'atwo'],
    [undefined, 'aroot'],
  ]);
});

test('log records about models are events of their spans, other records are left out', async () => {
  const log = (parts: object) => ({ traceId, spanId, ...parts });
  const body = { kvlistValue: { values: [attribute('content', 'hi')] } };
  const logs = [
    log({ eventName: 'gen_ai.choice', timeUnixNano: '1700000000900000000', body }),
    log({ attributes: [attribute('event.name', 'gen_ai.user.message')], observedTimeUnixNano: '1', body }),
    log({ eventName: 'http.request' }),
    { eventName: 'gen_ai.choice' },
    log({ spanId: 'ffffffffffffffff', eventName: 'gen_ai.user.message', body }),
  ];
  const text = [{ resourceLogs: [{ scopeLogs: [{ logRecords: logs }] }] }, request(full)]
    .map((line) => JSON.stringify(line))
    .join('\n');
  const [trace] = await read(text);
  expect(trace?.spans.map(({ spanId: id, events }) => [id, ...events.map(({ name }) => name)])).toEqual([
    [spanId, 'gen_ai.user.message', 'gen_ai.choice', 'gen_ai.choice'],
    ['ffffffffffffffff', 'gen_ai.user.message'],
  ]);
  expect(trace?.spans[0]?.events[2]?.attributes).toEqual({ content: 'hi' });
});

test('spans added to the file after the first reading are not lost', async () => {
  let reads = 0;
  const texts = [request(plain()), request(plain(), plain({ spanId: 'b' }), inTrace('e'))];
  const read = () => piecesOf(JSON.stringify(texts[reads++]), 9);
  const rows = await Array.fromAsync(otlp.read({ name: 'f', read }));
  const ids = rows.flatMap(({ value }) => (value as RecordedTrace).spans.map((span) => span.spanId));
  expect(ids).toEqual([spanId, 'b', spanId]);
});

test('of 10,000 spans only those of unfinished traces are kept in memory', async () => {
  const traces = 2500;
  let lines = 0;
  async function* read() {
    lines = 0;
    for (let trace = 1; trace <= traces; trace += 1) {
      const spans = ['1', '2', '3', '4'].map((name) =>
        plain({ name, traceId: trace.toString(16).padStart(32, '0') }),
      );
      lines += 1;
      yield `${JSON.stringify(request(...spans))}\n`;
    }
  }
  let rows = 0;
  let mostAhead = 0;
  for await (const row of otlp.read({ name: 'f', read })) {
    rows += 1;
    mostAhead = Math.max(mostAhead, lines - rows);
    expect((row.value as RecordedTrace).spans).toHaveLength(4);
  }
  expect(rows).toBe(traces);
  // The beginning of the file is read in advance to recognize its format.
  expect(mostAhead).toBeLessThan(20);
});

test('a text that can be read only once is read once', async () => {
  let reads = 0;
  const text = JSON.stringify(request(plain()));
  const parts = {
    isReadOnce: true as const,
    read: () => {
      reads += 1;
      return piecesOf(text, 9);
    },
  };
  expect(await read('', parts)).toHaveLength(1);
  expect(reads).toBe(1);
});

const first = `traces.json:1:${JSON.stringify(request(plain())).indexOf('{"traceId') + 1}`;

test.each([
  [JSON.stringify(request(plain({ traceId: '' }))), `${first}: this span has no \`traceId\``],
  [JSON.stringify(request(plain())).slice(0, -3), 'the file ends'],
  [JSON.stringify(request(full)).slice(0, 400), `the file ends within the value that begins at ${first}`],
  [`${JSON.stringify(request(plain()))}\n{"resourceSpans": [{]}`, 'traces.json:2:21: expected'],
])('%j is refused with its place', async (text, message) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'dataset-invalid',
    message: expect.stringContaining(message),
    remedy: expect.any(String),
  });
});
