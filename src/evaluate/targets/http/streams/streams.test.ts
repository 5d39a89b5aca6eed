import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type BotStream, eventTexts, hasEnded } from '../../../../../test/support/bot-streams/bot-stream.ts';
import { botStreams } from '../../../../../test/support/bot-streams/bot-streams.ts';
import { TargetFailure } from '../../target.ts';
import { streamForms } from './forms.ts';
import { createRedactor, readHttpReply, type ReplyPaths } from '../read-http-reply.ts';
import { receiveBody } from '../receive-body.ts';

const redactor = createRedactor(new Map());
const bytes = (text: string) => new TextEncoder().encode(text);

async function* inChunks(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function receive(chunks: Iterable<Uint8Array>, headers: BotStream['headers'], stream = 'auto') {
  const { signal } = new AbortController();
  return await receiveBody(inChunks(chunks), { headers, stream, sentAt: 0, signal, redact: redactor.text });
}

/** Reads a reply as a run does, without its time. */
async function read(chunks: Iterable<Uint8Array>, headers: BotStream['headers'], paths: ReplyPaths = {}) {
  const received = await receive(chunks, headers);
  if ('value' in received && received.failure !== undefined) throw received.failure;
  const { firstTokenMs: _time, ...reply } = readHttpReply(received, paths, redactor);
  return reply;
}

/** Reads a reply that the same server sends whole. */
async function readWhole({ whole }: BotStream) {
  const type = typeof whole === 'string' ? 'text/plain' : 'application/json';
  const text = typeof whole === 'string' ? whole : JSON.stringify(whole);
  return await read([bytes(text)], { 'content-type': type });
}

describe.each(botStreams)('$form, $what', (stream) => {
  const { headers, framing } = stream;
  const text = eventTexts(stream).join('');

  test('is read, and the reply is that of the same server when it does not stream', async () => {
    const reply = await read([bytes(text)], headers);
    expect(reply).toMatchObject(stream.reply);
    const { logs: _logs, unread: _unread, ...parts } = reply;
    const { logs: _wholeLogs, unread: _wholeUnread, ...whole } = await readWhole(stream);
    expect(parts).toEqual(whole);
  });

  test('says when the bot wrote its first word', async () => {
    const received = await receive([bytes(text)], headers);
    expect('firstTokenMs' in received && received.firstTokenMs).toBeGreaterThan(0);
  });

  test('is the same however its bytes are split', async () => {
    const whole = bytes(text);
    const reply = await read([whole], headers);
    const single = Array.from(whole, (_byte, at) => whole.subarray(at, at + 1));
    expect(await read(single, headers)).toEqual(reply);
    // Byte by byte, it is split everywhere; in two parts, at one byte of sixty-one.
    for (let at = 1; at < whole.length; at += 61) {
      const split = await read([whole.subarray(0, at), whole.subarray(at)], headers);
      if (JSON.stringify(split) !== JSON.stringify(reply)) expect(split, `split at ${at}`).toEqual(reply);
    }
  });

  test.each([
    ['with CRLF', eventTexts(stream, '\r\n').join('')],
    ['with CR', eventTexts(stream, '\r').join('')],
    ['with a byte order mark', `\uFEFF${text}`],
    ['without an end of its last line', text.replace(/\n+$/, '')],
    ...(framing === 'lines' ? [] : [['with comments', `: hi\n\n${eventTexts(stream).join(': ping\n\n')}`]]),
  ])('is the same %s', async (_what, variant) => {
    expect(await read([bytes(variant ?? '')], headers)).toEqual(await read([bytes(text)], headers));
  });

  test('is the same with data over several lines', async () => {
    if (framing === 'lines') return;
    const events = stream.events.map((event) => {
      const [name, data] = event.length === 1 ? [undefined, event[0]] : event;
      const lines = typeof data === 'object' ? JSON.stringify(data, null, 1).split('\n') : [data];
      const fields = lines.map((line) => (line === undefined ? '' : `data: ${String(line)}\n`));
      return `${name === undefined ? '' : `event: ${name}\n`}${fields.join('')}\n`;
    });
    expect(await read([bytes(events.join(''))], headers)).toEqual(await read([bytes(text)], headers));
  });

  test('is the same where the server gives another content type', async () => {
    // What announces these is their type alone.
    if (headers['x-vercel-ai-ui-message-stream'] !== undefined) return;
    const plain = { 'content-type': 'text/plain' };
    expect(await read([bytes(text)], plain)).toEqual(await read([bytes(text)], headers));
  });

  test('is no answer when it ends too early', async () => {
    const texts = eventTexts(stream);
    const codes = new Set<string>();
    for (let count = 1; count < texts.length; count += 1) {
      const received = await receive([bytes(texts.slice(0, count).join(''))], headers);
      if (!hasEnded(stream, count)) codes.add(('value' in received && received.failure?.code) || 'answered');
    }
    // Nothing but the end of the body ends these: before that, every stream of them may be whole.
    if (stream.endsByItself === true) codes.add('stream-broken').delete('answered');
    expect([...codes]).toEqual(['stream-broken']);
  });

  test.each(errorsOf(stream))('is no answer when it reports an error in its middle: %s', async (event) => {
    const texts = eventTexts(stream);
    texts.splice(2, 0, event);
    const failure = await read([bytes(texts.join(''))], headers).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TargetFailure);
    expect(failure).toMatchObject({
      code: 'target-reported-error',
      message: expect.stringContaining('no more tokens'),
    });
  });

  test('bytes that are no UTF-8 are reported as such', async () => {
    const texts = eventTexts(stream);
    const broken = [
      bytes(texts.slice(0, 2).join('')),
      Uint8Array.of(0xc3, 0x28, 10, 10),
      bytes(texts.slice(2).join('')),
    ];
    const failure = await read(broken, headers).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid-utf8' });
  });
});

test('every form is in the table', () => {
  expect(new Set(botStreams.map(({ form }) => form))).toEqual(new Set(streamForms.map(({ name }) => name)));
});

test('10 MB in pieces of a byte cost little more than reading them', async () => {
  const stream = botStreams[0] as BotStream;
  const [first = '', second = '', ...rest] = eventTexts(stream);
  const count = Math.ceil(10_000_000 / second.length);
  const whole = bytes(`${first}${second.repeat(count)}${rest.slice(-3).join('')}`);
  const pushed = () => {
    let at = 0;
    return new Readable({
      read() {
        while (at < whole.length) {
          at += 1;
          if (!this.push(whole.subarray(at - 1, at))) return;
        }
        this.push(null);
      },
    });
  };
  const costOf = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const alone = await costOf(async () => {
    for await (const _piece of pushed());
  });
  const all = await costOf(async () => {
    const received = await receiveBody(pushed(), {
      headers: stream.headers,
      stream: 'auto',
      sentAt: 0,
      signal: new AbortController().signal,
      redact: redactor.text,
    });
    expect(readHttpReply(received, {}, redactor).answer).toBe('Grüße '.repeat(count));
  });
  expect(all).toBeLessThan(4 * alone);
});

/** Returns the events with which servers of a form report an error. */
function errorsOf({ form, framing }: BotStream): string[] {
  const error = { message: 'no more tokens', type: 'overloaded_error', code: 529 };
  const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const known: Readonly<Record<string, string[]>> = {
    'openai-responses': [
      `event: error\n${data({ type: 'error', code: 'x', message: 'no more tokens' })}`,
      `event: response.failed\n${data({ type: 'response.failed', response: { error: { code: 'server_error', message: 'no more tokens' } } })}`,
    ],
    anthropic: [`event: error\n${data({ type: 'error', error })}`],
    'ai-sdk': [
      data({ type: 'error', errorText: 'no more tokens' }),
      data({ type: 'abort', reason: 'no more tokens' }),
    ],
    'ai-sdk-v4': ['3:"no more tokens"\n'],
    dify: [
      data({ event: 'error', task_id: 't', status: 400, code: 'x', message: 'no more tokens' }),
      data({ event: 'workflow_finished', task_id: 't', data: { status: 'failed', error: 'no more tokens' } }),
    ],
    langserve: [`event: error\n${data({ status_code: 500, message: 'no more tokens' })}`],
    langgraph: [`event: error\n${data({ error: 'ValueError', message: 'no more tokens' })}`],
  };
  return (
    known[form] ?? [
      framing === 'lines' ? `${JSON.stringify({ error: 'no more tokens' })}\n` : data({ error }),
    ]
  );
}

test('an error is worth another try when the server is overloaded, and not when the question is at fault', async () => {
  const isRetryable = async (error: object) => {
    const received = await receive([bytes(`data: ${JSON.stringify({ error })}\n\n`)], sse);
    return 'value' in received && received.failure?.retryable;
  };
  expect(await isRetryable({ message: 'x', code: 503 })).toBe(true);
  expect(await isRetryable({ message: 'x', type: 'overloaded_error' })).toBe(true);
  expect(await isRetryable({ message: 'x', status: 429 })).toBe(true);
  expect(await isRetryable({ message: 'x', code: 400 })).toBe(false);
});

const sse = { 'content-type': 'text/event-stream' };

test.each([
  ['data over three lines', 'data: {"text":\ndata: "hi"\ndata: }\n\n', 'hi'],
  ['a newline in a plain piece', 'data: one\ndata: two\n\ndata: !\n\n', 'one\ntwo!'],
  ['spaces at the edges of pieces', 'data:  one\n\ndata:  two\n\n', ' one two'],
  ['the usual end', 'data: hi\n\ndata: [DONE]\n\ndata: more\n\n', 'hi'],
  ['an event that ends it', 'data: hi\n\nevent: done\ndata: bye\n\n', 'hi'],
  [
    'the last event repeats the whole',
    'data: {"text":"a"}\n\ndata: {"text":"b"}\n\nevent: end\ndata: {"text":"ab"}\n\n',
    'ab',
  ],
  ['code in plain pieces', 'data: const a = \n\ndata: {}\n\ndata: ;\n\n', 'const a = {};'],
  ['numbers in plain pieces', 'data: It is \n\ndata: 49\n\n', 'It is 49'],
  ['no text at all', 'event: end\ndata: {}\n\n', null],
])('a stream without a form: %s', async (_what, text, answer) => {
  expect(await read([bytes(text)], sse)).toMatchObject({ answer });
});

test('what a bot streams about its work is no part of the answer, and is noted', async () => {
  const text = [
    'event: status\ndata: {"message":"Searching"}\n\n',
    'event: token\ndata: {"content":"Yes"}\n\n',
    'event: token\ndata: {"content":", open."}\n\n',
  ].join('');
  const reply = await read([bytes(text)], sse);
  expect(reply.answer).toBe('Yes, open.');
  expect(reply.logs).toBe('`message` of 1 events named `status` is not part of the answer: Searching');
});

test('events of a kind that nothing reads are counted', async () => {
  const extra = 'data: {"type":"content_block_glow"}\n\n';
  const stream = botStreams.find(({ form }) => form === 'anthropic') as BotStream;
  const reply = await read([bytes(eventTexts(stream).join(extra))], stream.headers);
  expect(reply).toMatchObject(stream.reply);
  expect(reply.logs).toContain('Events of the stream that nothing reads: content_block_glow (13).');
});

test.each([
  [
    'openai-chat',
    'data: oops\n\n',
    'The stream has the form `openai-chat`, but one of its events is not JSON: oops',
  ],
  ['langserve', 'event: data\ndata: oops\n\n', 'form `langserve`'],
  ['ollama', 'oops\n', 'form `ollama`'],
])('an event of %s that is not JSON is quoted, with what to write', async (form, event, words) => {
  const stream = botStreams.find((each) => each.form === form) as BotStream;
  const texts = eventTexts(stream).with(2, event);
  const failure = await read([bytes(texts.join(''))], stream.headers).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'invalid-reply', message: expect.stringContaining(words) });
  expect(failure).toMatchObject({ message: expect.stringContaining('`stream: text`') });
});

test('a stream in which no event has a text says what its events had', async () => {
  const failure = await read([bytes('data: {"kind":"x","value":{"t":"y"}}\n\n')], sse).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 'invalid-answer',
    message: expect.stringContaining('events had the keys kind, value. Write where it is'),
  });
});

test.each([
  ['id: 5', 'text/plain'],
  ['data: 5 rows\nand more', 'text/plain'],
  [':) thanks', 'text/plain'],
  ['0:30 is the time', 'text/plain'],
  ['1:"quoted" and more', 'text/plain'],
  ['event: Christmas', 'text/plain'],
  ['{"a":1}\n{"b":2}', 'text/plain'],
  ['{"response":"x"} is what I got\n{"x":1}', 'text/plain'],
])('an answer that only begins like a stream is an answer: %j', async (text, type) => {
  expect(await read([bytes(text)], { 'content-type': type })).toMatchObject({ answer: text });
});

test('a path of the answer leads into what the stream was put together to', async () => {
  const stream = botStreams.find(({ form }) => form === 'openai-chat') as BotStream;
  const chunks = [bytes(eventTexts(stream).join(''))];
  const paths = { answer: 'choices[0].message.content' };
  expect(await read(chunks, stream.headers, paths)).toMatchObject({ answer: stream.reply['answer'] });
  const own = [bytes('data: {"token":"a"}\n\ndata: {"token":"b"}\n\n')];
  expect(await read(own, sse, { answer: 'token' })).toMatchObject({ answer: 'ab' });
});

test('a list of the pieces of Gemini is the reply that they are a stream of', async () => {
  const stream = botStreams.find(({ form }) => form === 'gemini') as BotStream;
  const pieces = stream.events.map((event) => event.at(-1));
  const json = { 'content-type': 'application/json; charset=UTF-8' };
  const readList = async (list: readonly unknown[]) =>
    await read([bytes(`[${list.map((each) => JSON.stringify(each)).join('\n,\r\n')}\n]`)], json);
  expect(await readList(pieces)).toMatchObject(stream.reply);
  expect(await readList(pieces)).toEqual(await readWhole(stream));
  await expect(readList(pieces.slice(0, -1))).rejects.toMatchObject({ code: 'stream-broken' });
  const failed = [...pieces.slice(0, 2), { error: { code: 503, message: 'no more tokens' } }];
  await expect(readList(failed)).rejects.toMatchObject({ code: 'target-reported-error', retryable: true });
  await expect(readList([{ error: { message: 'no key' } }])).rejects.toBeInstanceOf(TargetFailure);
});

test('a stream of another form is read by the name of its form', async () => {
  const received = await receive([bytes('data: {"choices":[{"delta":{}}]}\n\n')], sse, 'text');
  expect(received).toMatchObject({ failure: { code: 'invalid-answer' } });
});

test('without streams, a body is read as it is', async () => {
  expect(await receive([bytes('data: x\n\n')], sse, 'none')).toEqual({
    contentType: sse['content-type'],
    text: 'data: x\n\n',
  });
});

test('a stream over 16 MiB is too large, and one just under it is not', async () => {
  const event = bytes(`data: ${'x'.repeat(1024 * 1024 - 8)}\n\n`);
  expect(event).toHaveLength(1024 * 1024);
  const most = Array.from({ length: 16 }, () => event);
  expect((await read(most, sse)).answer).toHaveLength(16 * (1024 * 1024 - 8));
  const failure = await read([...most, bytes('\n')], sse).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'answer-too-large' });
});
