import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as ai from 'ai';
import * as ai6 from 'ai-6';
import { afterEach, expect, test } from 'vitest';
import { type BotStream, eventTexts, hasEnded } from '../../../../../test/support/bot-streams/bot-stream.ts';
import { botStreams } from '../../../../../test/support/bot-streams/bot-streams.ts';
import { type ModelServer, startModelServer } from '../../../../library/testing/model-server/model-server.ts';
import { sessionOf } from '../../../../library/testing/target-contract.ts';
import { http } from '../../http.ts';
import { type Reply, type Target, TargetFailure, type TargetRequest } from '../../target.ts';

type Options = Parameters<typeof http>[0];

const servers = new Set<Server>();
const modelServers = new Set<ModelServer>();

afterEach(async () => {
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
  servers.clear();
  for (const server of modelServers) await server.close();
  modelServers.clear();
});

/** Starts a bot, and returns its address and the number of connections to it. */
async function serve(handle: (response: ServerResponse) => void | Promise<void>) {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    void handle(response);
  }).on('connection', () => {
    connections += 1;
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, connections: () => connections };
}

const messages = [{ role: 'user' as const, content: 'q' }];

function create(options: Options): Target {
  const needs = {
    folder: '.',
    environment: {},
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  };
  return http.definition.create(http.definition.options.parse(options), needs);
}

function request(session: TargetRequest['session'] = sessionOf(1)): TargetRequest {
  return { key: 'k', caseId: 'c', input: 'q', messages, session, metadata: {}, attempt: 1, seed: 3 };
}

async function ask(options: Options, signal: AbortSignal = new AbortController().signal): Promise<Reply> {
  const target = create(options);
  try {
    return await target.call(request(), { signal });
  } finally {
    await target.close?.();
  }
}

async function failureOf(url: string, signal?: AbortSignal): Promise<TargetFailure> {
  const failure = await ask({ url }, signal).then(
    (reply) => expect.fail(`it answered ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(TargetFailure);
  return failure as TargetFailure;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function write(response: ServerResponse, text: string): Promise<void> {
  await new Promise<void>((resolve) => response.write(text, () => resolve()));
}

test.each(botStreams)('$form, $what: a real server that pauses before its last event', async (stream) => {
  const texts = eventTexts(stream);
  const { url } = await serve(async (response) => {
    response.writeHead(200, stream.headers);
    await write(response, texts.slice(0, -1).join(''));
    await pause(100);
    response.end(texts.at(-1));
  });
  const { latency, ...reply } = await ask({ url });
  expect(reply).toMatchObject(stream.reply);
  expect(latency?.totalMs).toBeGreaterThan(90);
  expect(latency?.firstTokenMs).toBeLessThan(latency?.totalMs ?? 0);
});

test.each(botStreams)(
  '$form, $what: a connection that is reset is no answer, but what came is kept',
  async (stream) => {
    const texts = eventTexts(stream);
    for (let count = 1; count < texts.length; count += 1) {
      const { url } = await serve(async (response) => {
        response.writeHead(200, stream.headers);
        await write(response, texts.slice(0, count).join(''));
        response.socket?.resetAndDestroy();
      });
      const outcome = await ask({ url }).catch((error: unknown) => error);
      const sent = texts.slice(0, count).join('');
      if (hasEnded(stream, count)) continue;
      expect(outcome, `after ${count} events`).toMatchObject({ code: 'stream-broken', retryable: true });
      const { transcript } = (outcome as TargetFailure).partial ?? {};
      const isSaid = sent.includes('Grüße ') && !sent.includes('something else');
      if (isSaid && stream.form !== 'langgraph')
        expect(transcript?.at(-1)).toMatchObject({
          role: 'assistant',
          content: expect.stringContaining('Grüße '),
        });
    }
  },
);

test('keep-alives do not extend the time limit, and what the bot wrote before it is kept', async () => {
  const { url } = await serve(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await write(response, 'data: {"text":"half"}\n\n');
    const timer = setInterval(() => response.write(': ping\n\n'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new TargetFailure('timeout', 'no answer within 300 ms')), 300);
  const failure = await failureOf(url, controller.signal);
  expect(failure.code).toBe('timeout');
  expect(failure.partial?.transcript).toEqual([...messages, { role: 'assistant', content: 'half' }]);
});

test('keep-alives are not the first word of an answer', async () => {
  const { url } = await serve(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await write(response, ': hi\n\nevent: ping\ndata: {}\n\ndata: {"type":"ping"}\n\n');
    await pause(150);
    response.end('data: {"text":"late"}\n\n');
  });
  const { latency, answer } = await ask({ url });
  expect(answer).toBe('late');
  expect(latency?.firstTokenMs).toBeGreaterThan(140);
});

test('an answer is over with the event that ends it, even when the server keeps the connection open', async () => {
  const { url } = await serve(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await write(response, 'data: yes\n\ndata: [DONE]\n\n');
  });
  expect(await ask({ url })).toMatchObject({ answer: 'yes' });
});

test.each(['openai-chat', 'anthropic', 'gemini'] as const)(
  '%s: a streamed reply is that of the same model when it is sent whole',
  async (kind) => {
    const server = await startModelServer({
      text: 'It is $49.',
      reasoning: 'hm',
      toolCalls: [{ name: 'get_price', arguments: { item: 'chair' }, id: 'call_1' }],
      usage: { inputTokens: 7, outputTokens: 5 },
    });
    modelServers.add(server);
    const paths = {
      'openai-chat': ['/chat/completions', '/chat/completions'],
      anthropic: ['/messages', '/messages'],
      gemini: ['/models/m:generateContent', '/models/m:streamGenerateContent?alt=sse'],
    };
    const [whole, streamed] = paths[kind];
    const body =
      kind === 'gemini'
        ? { contents: [{ role: 'user', parts: [{ text: '{{input}}' }] }] }
        : { model: 'm', messages: [{ role: 'user', content: '{{input}}' }] };
    // What nothing reads differs: a stream names its time of creation in each piece.
    const withoutTimes = ({ latency: _latency, firstTokenMs: _first, unread: _unread, ...reply }: Reply) =>
      reply;
    const inPieces = await ask({
      url: `${server.url}${streamed}`,
      body: { ...body, ...(kind !== 'gemini' && { stream: true }) },
    });
    expect(inPieces).toMatchObject({ answer: 'It is $49.', toolCalls: [{ name: 'get_price' }] });
    expect(inPieces.latency?.firstTokenMs).toBeGreaterThan(0);
    expect(withoutTimes(inPieces)).toEqual(withoutTimes(await ask({ url: `${server.url}${whole}`, body })));
  },
);

/** The two versions of the AI SDK write their streams with functions of the same names. */
const versions = [
  ['7', ai],
  ['6', ai6 as unknown as typeof ai],
] as const;

function uiStream({ createUIMessageStream }: typeof ai) {
  return createUIMessageStream({
    execute: ({ writer }) => {
      writer.write({ type: 'start', messageId: 'm1' });
      writer.write({
        type: 'tool-input-available',
        toolCallId: 'c1',
        toolName: 'get_price',
        input: { item: 'chair' },
      });
      writer.write({ type: 'tool-output-available', toolCallId: 'c1', output: { price: 49 } });
      writer.write({ type: 'source-url', sourceId: 's', url: 'https://example.org/p', title: 'Prices' });
      writer.write({ type: 'text-start', id: 't' });
      writer.write({ type: 'text-delta', id: 't', delta: 'It is ' });
      writer.write({ type: 'text-delta', id: 't', delta: '$49.' });
      writer.write({ type: 'text-end', id: 't' });
      writer.write({ type: 'finish', finishReason: 'stop' });
    },
  });
}

const uiReply = {
  answer: 'It is $49.',
  toolCalls: [{ id: 'c1', name: 'get_price', arguments: { item: 'chair' }, result: { price: 49 } }],
  finishReason: 'stop',
};

test.each(versions)('a route of the AI SDK %s is read as it streams', async (_version, sdk) => {
  const piped = await serve((response) =>
    sdk.pipeUIMessageStreamToResponse({ response, stream: uiStream(sdk) }),
  );
  expect(await ask({ url: piped.url })).toMatchObject(uiReply);
  const returned = await serve(async (response) => {
    const { headers, body } = sdk.createUIMessageStreamResponse({ stream: uiStream(sdk) });
    response.writeHead(200, Object.fromEntries(headers));
    for await (const chunk of body ?? []) response.write(chunk);
    response.end();
  });
  expect(await ask({ url: returned.url })).toMatchObject(uiReply);
});

test.each(versions)('a route of the AI SDK %s that fails on the way is no answer', async (_version, sdk) => {
  const { url } = await serve((response) => {
    const stream = sdk.createUIMessageStream({
      execute: ({ writer }) => {
        writer.write({ type: 'text-start', id: 't' });
        writer.write({ type: 'text-delta', id: 't', delta: 'It is ' });
        throw new Error('the model is gone');
      },
      onError: (error) => (error as Error).message,
    });
    void sdk.pipeUIMessageStreamToResponse({ response, stream });
  });
  expect(await failureOf(url)).toMatchObject({
    code: 'target-reported-error',
    message: 'The target reported in its stream: the model is gone',
    partial: { transcript: [...messages, { role: 'assistant', content: 'It is ' }] },
  });
});

test('a stream of 10 MB in small pieces is read', async () => {
  const stream = botStreams[0] as BotStream;
  const [first = '', second = '', ...rest] = eventTexts(stream);
  const count = Math.ceil(10_000_000 / second.length);
  const { url } = await serve((response) => {
    response.writeHead(200, stream.headers);
    response.write(first);
    for (let index = 0; index < count; index += 1) response.write(second);
    response.end(rest.slice(-3).join(''));
  });
  const { answer } = await ask({ url });
  expect(answer).toBe('Grüße '.repeat(count));
});

test('the id that a bot gives the conversation is sent back in its next turns, and to no other conversation', async () => {
  const received: string[] = [];
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (data: Buffer) => {
      text += data.toString();
    });
    incoming.on('end', () => {
      received.push(`${incoming.url} ${text}`);
      const id = `conv-${received.length}`;
      if (received.length % 2 === 0)
        return response.end(JSON.stringify({ answer: 'yes', conversation_id: id }));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(`data: {"conversation_id":"${id}"}\n\ndata: {"text":"yes"}\n\n`);
    });
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?c={{conversation}}`;
  const target = create({ url, body: { id: '{{conversation}}' }, conversation: 'conversation_id' });
  const [first, second] = [sessionOf(1), sessionOf(1)];
  for (const session of [first, first, first, second])
    await target.call(request(session), { signal: new AbortController().signal });
  await target.close?.();
  expect(received).toEqual([
    '/?c= {"id":null}',
    '/?c=conv-1 {"id":"conv-1"}',
    '/?c=conv-2 {"id":"conv-2"}',
    '/?c= {"id":null}',
  ]);
});
