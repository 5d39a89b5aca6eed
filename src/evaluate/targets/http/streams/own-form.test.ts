import { expect, test } from 'vitest';
import { http } from '../../http.ts';
import type { TargetFailure } from '../../target.ts';
import { createRedactor, readHttpReply } from '../read-http-reply.ts';
import { receiveBody } from '../receive-body.ts';
import type { OwnForm } from './own-form.ts';

const redactor = createRedactor(new Map());
const sse = { 'content-type': 'text/event-stream' };

async function receive(events: readonly (object | string)[], stream: OwnForm, headers = sse) {
  const texts = events.map((event) =>
    headers === sse
      ? typeof event === 'string'
        ? `${event}\n\n`
        : `data: ${JSON.stringify(event)}\n\n`
      : `${JSON.stringify(event)}\n`,
  );
  const chunks = (async function* () {
    yield new TextEncoder().encode(texts.join(''));
  })();
  const { signal } = new AbortController();
  return await receiveBody(chunks, { headers, stream, sentAt: 0, signal, redact: redactor.text });
}

async function read(events: readonly (object | string)[], stream: OwnForm, headers = sse) {
  const received = await receive(events, stream, headers);
  return 'value' in received && received.failure !== undefined
    ? received.failure
    : readHttpReply(received, {}, redactor);
}

async function failureOf(events: readonly (object | string)[], stream: OwnForm): Promise<TargetFailure> {
  const read = await receive(events, stream).catch((error: unknown) => ({ value: null, failure: error }));
  return ('value' in read ? read.failure : undefined) as TargetFailure;
}

const done = "$[?@=='done']";

test('pieces, calls, token counts and documents are found by their paths', async () => {
  const events = [
    { kind: 'tool', step: { fn: 'search', uid: 1, args: { q: 'chair' } } },
    { kind: 'tool', step: { uid: 1, out: 'found' } },
    { kind: 'piece', data: { delta: 'It is ' } },
    { kind: 'piece', data: { delta: '$49.' } },
    { kind: 'sources', docs: [{ id: 'prices' }] },
    { kind: 'done', tokens: { input_tokens: 7, output_tokens: 5 } },
    { kind: 'piece', data: { delta: ' not read' } },
  ];
  const reply = await read(events, {
    text: '$.data.delta',
    toolCalls: { path: '$.step', name: 'fn', arguments: 'args', result: 'out', id: 'uid' },
    usage: 'tokens',
    documents: 'docs',
    end: done,
  });
  expect(reply).toMatchObject({
    answer: 'It is $49.',
    toolCalls: [{ name: 'search', id: '1', arguments: { q: 'chair' }, result: 'found' }],
    usage: { inputTokens: 7, outputTokens: 5 },
    documents: [{ id: 'prices' }],
    firstTokenMs: expect.any(Number),
  });
});

test('each event may repeat the text so far', async () => {
  expect(
    await read([{ text: 'It' }, { text: 'It is' }, { text: 'It is $49.' }], { whole: '$.text' }),
  ).toMatchObject({ answer: 'It is $49.' });
});

test('only the events of the given names are read, and lines of JSON are read whatever their type', async () => {
  const events = ['event: status\ndata: {"t":"Searching"}', 'event: token\ndata: {"t":"It is $49."}'];
  expect(await read(events, { text: 't', events: ['token'] })).toMatchObject({ answer: 'It is $49.' });
  expect(
    await read([{ t: 'It is ' }, { t: '$49.' }], { text: 't' }, { 'content-type': 'text/plain' }),
  ).toMatchObject({ answer: 'It is $49.' });
});

test('a bot that used no tool says so only where the config says that it would have said it', async () => {
  expect(await read([{ t: 'x' }], { text: 't', toolCalls: 'tool' })).toHaveProperty('toolsUnknown', true);
  expect(
    await read([{ t: 'x' }], { text: 't', toolCalls: { path: 'tool', missing: 'none' } }),
  ).not.toHaveProperty('toolsUnknown');
});

test('an error, a missing end and an event cut in two are no answers', async () => {
  expect(
    await failureOf([{ t: 'It is' }, { problem: { text: 'no more tokens', code: 429 } }], {
      text: 't',
      error: '$.problem.text',
    }),
  ).toMatchObject({
    code: 'target-reported-error',
    message: 'The target reported in its stream: no more tokens',
  });
  expect(await failureOf([{ t: 'It is' }], { text: 't', end: done })).toMatchObject({
    code: 'stream-broken',
    message: expect.stringContaining("an event with `$[?@=='done']` never came"),
  });
  expect(await failureOf([{ t: 'It is' }, 'data: {"t":"$4'], { text: 't' })).toMatchObject({
    code: 'invalid-reply',
  });
});

test('a path that finds nothing in the whole stream is refused with the keys of the events', async () => {
  expect(await failureOf([{ kind: 'piece', t: 'x' }], { text: '$.delta' })).toMatchObject({
    code: 'invalid-answer',
    message: 'No event of the stream had `$.delta`; events had the keys kind, t.',
  });
});

test.each([
  [{}, 'needs `text` (the pieces of the answer) or `whole`'],
  [{ text: 't', whole: 'w' }, 'and not both'],
  [{ text: '$.[' }, 'is not a path of RFC 9535'],
])('the form %j is refused', (stream, words) => {
  const parsed = http.definition.options.safeParse({ url: 'http://x/', stream });
  expect(JSON.stringify(parsed.error?.issues)).toContain(words);
});
