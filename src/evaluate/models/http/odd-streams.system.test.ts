import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ask, createAt, failureOf, type HttpKind } from '../../../../test/support/model-harness.ts';
import { assembleStream as assembleAnthropic } from '../anthropic/assemble-stream.ts';
import { assembleStream as assembleOpenai } from '../openai-chat/assemble-stream.ts';
import type { StreamAssembler } from './protocol.ts';

const servers = new Set<Server>();

afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
});

/** Starts a server that answers with the event stream that `write` writes. */
async function serveStream(write: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write(response);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const isIdle = async () =>
    await new Promise((resolve) => server.getConnections((_error, open) => resolve(open === 0)));
  return { url: `http://127.0.0.1:${port}/v1`, isIdle, connections: () => connections };
}

const wholeStreams = {
  'openai-chat': [
    { choices: [{ delta: { content: 'yes' }, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 7 } },
    '[DONE]',
  ],
  anthropic: [
    { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 7 } } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'yes' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
} satisfies Partial<Record<HttpKind, (object | string)[]>>;

const toEvents = (events: readonly (object | string)[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

test.each(['openai-chat', 'anthropic'] as const)(
  '%s: a stream ends at its final event, even when the server keeps the connection open',
  async (kind) => {
    const { url, isIdle } = await serveStream((response) => response.write(toEvents(wholeStreams[kind])));
    // Without its final event it would be a failure, at the time limit.
    const reply = await ask(createAt(kind, url), { stream: true });
    expect(reply).toMatchObject({ text: 'yes', usage: { inputTokens: 7 } });
    await expect.poll(isIdle).toBe(true);
  },
);

test('the connection of a stream that ends soon after its final event is reused', async () => {
  let ended = Promise.resolve();
  const { url, connections } = await serveStream((response) => {
    ended = new Promise((resolve) => response.once('close', resolve));
    response.write(toEvents(wholeStreams['openai-chat']));
    setTimeout(() => response.end(), 20);
  });
  const model = createAt('openai-chat', url);
  // On a busy machine the end of a stream may come so late that its connection is closed: one that is reused shows it.
  const isReused = async () => {
    const before = connections();
    await ask(model, { stream: true });
    await ended;
    return connections() === before;
  };
  await expect.poll(isReused).toBe(true);
});

test.each([
  ['{"message":"overloaded by others","code":529}', 'overloaded', 'overloaded by others'],
  ['{"error":{"message":"too many","type":"rate_limit_error"}}', 'rate-limited', 'too many'],
  ['{"error":"it broke"}', 'server-error', 'it broke'],
  ['{"detail":"no such model","status":404}', 'not-found', 'no such model'],
  ['something broke', 'server-error', 'something broke'],
])('an error event with %s gives the message of the server', async (data, code, words) => {
  const events = `${toEvents(wholeStreams['openai-chat'].slice(0, 1))}event: error\ndata: ${data}\n\n`;
  const { url } = await serveStream((response) => response.end(events));
  const failure = await failureOf(ask(createAt('openai-chat', url, { maxRetries: 0 }), { stream: true }));
  expect(failure).toMatchObject({ code, message: `The provider reported an error: ${words}` });
});

test('a chunk of the kind error is an error', async () => {
  const error = '{"object":"error","message":"context is too long","type":"BadRequestError","code":400}';
  const { url } = await serveStream((response) => response.end(`data: ${error}\n\n`));
  const failure = await failureOf(ask(createAt('openai-chat', url), { stream: true }));
  expect(failure).toMatchObject({ code: 'bad-request', retryable: false });
  expect(failure.message).toContain('context is too long');
});

const farOff = 4_294_967_294;

function assemble(assembler: StreamAssembler, events: readonly object[]): unknown {
  for (const event of events) assembler.add(event, 'message');
  return assembler.finish();
}

test.each([farOff, Number.MAX_SAFE_INTEGER])(
  'tool calls stand in the order of their numbers, up to %d',
  (far) => {
    const call = (index: number | undefined, id: string) => ({
      choices: [{ delta: { tool_calls: [{ index, id, function: { name: 'look', arguments: '{}' } }] } }],
    });
    const end = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] };
    const reply = assemble(assembleOpenai(), [call(far, 'last'), call(1, 'second'), call(0, 'first'), end]);
    const calls = ['first', 'second', 'last'].map((id) => expect.objectContaining({ id }));
    expect(reply).toMatchObject({ choices: [{ message: { tool_calls: calls } }] });
  },
);

test('tool calls without numbers stand in the order in which they came', () => {
  const piece = (id: string | null, written: string) => ({
    choices: [{ delta: { tool_calls: [{ id, function: { name: 'look', arguments: written } }] } }],
  });
  const end = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] };
  const pieces = [piece('a', '{"x"'), piece(null, ':1}'), piece('b', '{}'), end];
  expect(assemble(assembleOpenai(), pieces)).toMatchObject({
    choices: [
      {
        message: { tool_calls: [{ function: { arguments: '{"x":1}' } }, { function: { arguments: '{}' } }] },
      },
    ],
  });
});

test('blocks of a Messages reply stand in the order of their numbers, however large', () => {
  const text = (index: number, written: string) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: written } },
  ];
  const events = [...text(farOff, 'b'), ...text(0, 'a'), { type: 'message_stop' }];
  expect(assemble(assembleAnthropic(), events)).toMatchObject({
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  });
});
