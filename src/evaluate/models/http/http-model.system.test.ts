import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { contractReply, silentQuestion, testModelContract } from '../../../library/testing/model-contract.ts';
import {
  ask,
  createAt,
  createWarm,
  failureOf,
  type HttpKind,
  httpKinds,
  keyHeaders,
  modelKey,
  serve,
  weatherTool,
} from '../../../../test/support/model-harness.ts';
import { type ModelServer, startModelServer } from '../../../library/testing/model-server/model-server.ts';
import type { ScriptedToolCall } from '../../../library/testing/model-server/script.ts';

const servers = new Set<Server>();

afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
});

/** Starts a server that answers with these bytes. */
async function serveBytes(body: Buffer, headers: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, headers).end(body);
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Starts a server that passes requests on to another and compresses its replies. */
async function servePacked(
  { url }: ModelServer,
  { packing, pack }: { readonly packing: string; readonly pack: () => Transform },
): Promise<string> {
  const server = createServer((incoming, response) => {
    const { method, headers, url: path = '/' } = incoming;
    const onward = request(new URL(path, url), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, {
        'content-type': reply.headers['content-type'],
        'content-encoding': packing,
      });
      reply.pipe(pack()).pipe(response);
    });
    incoming.pipe(onward);
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe.each(httpKinds)('%s', (kind) => {
  let contractServer: ModelServer | undefined;
  testModelContract(
    kind,
    async () => {
      contractServer ??= await startModelServer(({ prompt }) =>
        prompt === silentQuestion ? { fault: 'hang' } : contractReply(prompt),
      );
      return createAt(kind, contractServer.url);
    },
    { test, expect, leftovers: () => contractServer?.openRequests ?? 0 },
  );

  test('the key goes where the API wants it, and nowhere else', async () => {
    const server = await serve('yes');
    const reply = await ask(createAt(kind, server.url, { headers: { 'X-Title': 'mine' } }));
    const header = keyHeaders[kind];
    const [received] = server.requests;
    expect(received?.headers[header]).toBe(header === 'authorization' ? `Bearer ${modelKey}` : modelKey);
    expect(received?.headers['x-title']).toBe('mine');
    expect(reply.exchange.request).toMatchObject({ headers: { [header]: '[redacted]', 'x-title': 'mine' } });
    expect(JSON.stringify(reply)).not.toContain(modelKey);
  });

  test('parameters reach the provider under its own names', async () => {
    const server = await serve('yes');
    const parameters = { temperature: 0.5, topP: 0.9, seed: 7, stop: ['END'], maxTokens: 99 };
    await ask(createAt(kind, server.url, { extra: { custom: 1 } }), parameters);
    const wanted: Record<HttpKind, object> = {
      'openai-chat': {
        model: 'test-model',
        temperature: 0.5,
        top_p: 0.9,
        seed: 7,
        stop: ['END'],
        max_tokens: 99,
        custom: 1,
      },
      'openai-responses': {
        model: 'test-model',
        temperature: 0.5,
        top_p: 0.9,
        max_output_tokens: 99,
        store: false,
        custom: 1,
      },
      anthropic: {
        model: 'test-model',
        temperature: 0.5,
        top_p: 0.9,
        stop_sequences: ['END'],
        max_tokens: 99,
        custom: 1,
      },
      gemini: {
        generationConfig: {
          temperature: 0.5,
          topP: 0.9,
          seed: 7,
          stopSequences: ['END'],
          maxOutputTokens: 99,
        },
        custom: 1,
      },
    };
    expect(server.requests[0]?.body).toMatchObject(wanted[kind]);
  });

  test("the model's options fill in what a request leaves out", async () => {
    const server = await serve('yes');
    const model = createAt(kind, server.url, { temperature: 0.1, maxTokens: 5 });
    await ask(model, { maxTokens: 6 });
    expect(JSON.stringify(server.requests[0]?.body)).toMatch(/"temperature":0\.1/);
    expect(JSON.stringify(server.requests[0]?.body)).toMatch(
      /"(max_tokens|max_output_tokens|maxOutputTokens)":6/,
    );
  });

  test.each([false, true])('reasoning stays apart from the answer (streamed: %s)', async (stream) => {
    const server = await serve({ text: 'The rent is 900.', reasoning: 'Let me look it up first.' });
    const reply = await ask(createAt(kind, server.url), { stream });
    expect(reply.text).toBe('The rent is 900.');
    expect(reply.reasoning).toBe('Let me look it up first.');
    expect(server.requests[0]?.isStreamed).toBe(stream);
  });

  test.each([false, true])('several tool calls at once (streamed: %s)', async (stream) => {
    const toolCalls: ScriptedToolCall[] = [
      { name: 'weather', arguments: { city: 'Köln' } },
      { name: 'weather', arguments: { city: 'Bonn', days: [1, 2] } },
    ];
    const server = await serve({ toolCalls });
    const reply = await ask(createAt(kind, server.url), { stream, tools: [weatherTool] });
    expect(reply.finishReason).toBe('tool-calls');
    expect(reply.text).toBeNull();
    expect(reply.toolCalls.map((call) => call.arguments)).toEqual(toolCalls.map((call) => call.arguments));
    expect(new Set(reply.toolCalls.map(({ id }) => id)).size).toBe(2);
  });

  test('a conversation continues with the results of its tools, and the parts that the provider signed', async () => {
    const server = await serve([
      { reasoning: 'hm', toolCalls: [{ name: 'weather', arguments: { city: 'Köln' } }] },
      'Rain.',
    ]);
    const model = createAt(kind, server.url);
    const question = { role: 'user' as const, content: 'Weather?' };
    const first = await ask(model, { messages: [question], tools: [weatherTool] });
    const result = { role: 'tool' as const, content: '12 °C', toolCallId: first.toolCalls[0]?.id ?? '' };
    const second = await ask(model, {
      messages: [question, first.message, result],
      tools: [weatherTool],
    });
    expect(second.text).toBe('Rain.');
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain('12 °C');
    expect(sent).toContain(
      {
        'openai-chat': '"reasoning_content":"hm"',
        'openai-responses': '"encrypted_content":"c2lnbmVk"',
        anthropic: '"signature"',
        gemini: '"thoughtSignature"',
      }[kind],
    );
  });

  test('a conversation from a dataset, with results in the calls and without ids, is completed', async () => {
    const server = await serve('ok');
    await ask(createAt(kind, server.url), {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: null,
          toolCalls: [{ name: 'weather', arguments: { city: 'Köln' }, result: { t: 12 } }],
        },
        { role: 'assistant', content: 'Cold.' },
        { role: 'user', content: 'And Bonn?' },
      ],
    });
    expect(server.requests[0]).toMatchObject({ system: 'Be brief.', prompt: 'And Bonn?' });
    expect(JSON.stringify(server.requests[0]?.body)).toMatch(/\{\\"t\\":12\}/);
  });

  test('an answer in JSON is asked for with its schema', async () => {
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const server = await serve('{"ok":true}');
    const reply = await ask(createAt(kind, server.url), { responseSchema: { name: 'verdict', schema } });
    expect(reply.text).toBe('{"ok":true}');
    const wanted: Record<HttpKind, object> = {
      'openai-chat': {
        response_format: { type: 'json_schema', json_schema: { name: 'verdict', strict: true, schema } },
      },
      'openai-responses': {
        text: { format: { type: 'json_schema', name: 'verdict', strict: true, schema } },
      },
      anthropic: { output_config: { format: { type: 'json_schema', schema } } },
      gemini: { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
    };
    expect(server.requests[0]?.body).toMatchObject(wanted[kind]);
  });

  test.each([false, true])(
    'tokens are counted alike: cached ones as input, reasoning as output (streamed: %s)',
    async (stream) => {
      const reasoning = kind === 'anthropic' ? {} : { reasoningTokens: 12 };
      const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 40, ...reasoning };
      const server = await serve({ text: 'yes', usage });
      expect((await ask(createAt(kind, server.url), { stream })).usage).toEqual(usage);
    },
  );

  test('tokens that the provider does not count are unknown, and so is the cost', async () => {
    const server = await serve({ text: 'yes', usage: null });
    const reply = await ask(createAt(kind, server.url, { prices: { input: 1, output: 2 } }));
    expect(reply.usage).toBeUndefined();
    expect(reply.cost).toBeUndefined();
  });

  test('a model without a known price costs an unknown amount; with one, the cached tokens count as such', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedTokens: 400_000 };
    const server = await serve({ text: 'yes', usage });
    expect((await ask(createAt(kind, server.url, { model: 'gpt-4o' }))).cost).toBeUndefined();
    const prices = { input: 2, output: 10, cachedInput: 0.5 };
    expect((await ask(createAt(kind, server.url, { prices }))).cost).toBeCloseTo(
      0.6 * 2 + 0.4 * 0.5 + 0.1 * 10,
      12,
    );
  });

  test.each(['stop', 'length', 'content-filter'] as const)(
    'the reply ended because of %s',
    async (finishReason) => {
      const server = await serve({ text: 'part', finishReason });
      for (const stream of [false, true]) {
        expect((await ask(createAt(kind, server.url), { stream })).finishReason).toBe(finishReason);
      }
    },
  );

  test('the first token of a slow stream comes long before the last', async () => {
    const server = await serve({ text: 'one two three four five six seven eight', pieceDelayMs: 20 });
    const { firstTokenMs = Number.NaN, latencyMs } = await ask(createAt(kind, server.url), { stream: true });
    expect(latencyMs - firstTokenMs).toBeGreaterThan(80);
  });

  test('refusals and server errors are repeated, and every attempt is recorded', async () => {
    const { model } = await createWarm(kind, [
      { fault: 'error', status: 429, headers: { 'retry-after': '0' } },
      { fault: 'error', status: 500 },
      { fault: 'error', status: 529 },
      'at last',
    ]);
    const reply = await ask(model);
    expect(reply.text).toBe('at last');
    expect(reply.attempts.map(({ status, error }) => [status, error?.code])).toEqual([
      [429, 'rate-limited'],
      [500, 'server-error'],
      [529, 'overloaded'],
      [200, undefined],
    ]);
    expect(reply.attempts.slice(1).every(({ waitedMs }) => waitedMs > 0)).toBe(true);
    expect(reply.latencyMs).toBe(reply.attempts.at(-1)?.latencyMs);
  });

  test.each([
    [400, 'bad-request'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not-found'],
    [301, 'http-status'],
  ])('status %d is permanent: %s, asked once', async (status, code) => {
    const server = await serve({
      fault: 'error',
      status,
      headers: status === 301 ? { location: '/elsewhere' } : {},
    });
    const failure = await failureOf(ask(createAt(kind, server.url)));
    expect(failure).toMatchObject({ code, status, retryable: false });
    expect(failure.attempts).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  test.each([false, true])(
    'lost connections are repeated, before and in the middle of a reply (streamed: %s)',
    async (stream) => {
      const { model } = await createWarm(kind, [{ fault: 'drop' }, { fault: 'cut' }, 'whole']);
      const reply = await ask(model, { stream });
      expect(reply.text).toBe('whole');
      expect(reply.attempts.map(({ error }) => error?.code)).toEqual([
        'connection-failed',
        'connection-failed',
        undefined,
      ]);
    },
  );

  test.each([
    ['broken JSON', '{"choices": [{"mess', 'application/json'],
    ['a web page', '<html><body>502 Bad Gateway</body></html>', 'text/html'],
    ['another shape', '{"hello":"world"}', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['nothing', '', 'application/json'],
  ])('%s is no reply: asked again once, then a failure that shows it', async (_what, body, type) => {
    const { model, server } = await createWarm(kind, {
      fault: 'raw',
      body,
      headers: { 'content-type': type },
    });
    const failure = await failureOf(ask(model));
    expect(failure.code).toBe('invalid-reply');
    expect(server.requests).toHaveLength(2);
  });

  test('a good reply under a wrong content type is a good reply', async () => {
    const server = await serve({ text: 'fine', headers: { 'content-type': 'text/plain' } });
    expect((await ask(createAt(kind, server.url))).text).toBe('fine');
  });

  test('broken JSON inside a stream is an invalid reply', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const script = { fault: 'raw', body: 'data: {"choices": [\n\n', headers } as const;
    const { model } = await createWarm(kind, script);
    expect((await failureOf(ask(model, { stream: true }))).code).toBe('invalid-reply');
  });

  test('an error reported with a success status is an error', async () => {
    const body = JSON.stringify({ error: { message: 'upstream is overloaded', code: 503 } });
    const { model } = await createWarm(kind, [{ fault: 'raw', body }, 'then well']);
    const reply = await ask(model);
    expect(reply.text).toBe('then well');
    expect(reply.attempts[0]?.error?.code).toBe('overloaded');
  });

  test('an object of the kind error is an error', async () => {
    const body = JSON.stringify({ object: 'error', message: 'context is too long', code: 400 });
    const server = await serve({ fault: 'raw', body });
    const failure = await failureOf(ask(createAt(kind, server.url)));
    expect(failure).toMatchObject({ code: 'bad-request', retryable: false });
    expect(failure.message).toContain('context is too long');
  });

  test.each([false, true])('text that is not UTF-8 is reported as such (streamed: %s)', async (stream) => {
    const body = Buffer.from('data: "Z\xfcrich"\n\n', 'latin1');
    const url = await serveBytes(body, stream ? { 'content-type': 'text/event-stream' } : {});
    const failure = await failureOf(ask(createAt(kind, url), { stream }));
    expect(failure).toMatchObject({ code: 'invalid-reply', message: 'The reply is not valid UTF-8 text.' });
  });

  test.each([
    { packing: 'gzip', pack: () => createGzip({ flush: constants.Z_SYNC_FLUSH }) },
    { packing: 'br', pack: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }) },
  ])('a reply in $packing is read as a plain one, whole and streamed', async ({ packing, pack }) => {
    const server = await serve('Bring a swimsuit.');
    const packed = await servePacked(server, { packing, pack });
    for (const stream of [false, true]) {
      const { text, usage } = await ask(createAt(kind, server.url), { stream });
      expect(await ask(createAt(kind, packed), { stream })).toMatchObject({ text, usage });
    }
  });

  test.each([
    {
      body: gzipSync('{"choices":[]}').subarray(0, 20),
      message: /^The reply cannot be unpacked: its gzip data are broken: /,
    },
    { body: gzipSync(Buffer.alloc(50_000_000)), message: /^The reply is longer than 32 MiB\.$/ },
  ])('a reply that cannot be unpacked is an invalid reply: $message', async ({ body, message }) => {
    for (const type of ['application/json', 'text/event-stream']) {
      const url = await serveBytes(body, { 'content-type': type, 'content-encoding': 'gzip' });
      const failure = await failureOf(ask(createAt(kind, url), { stream: type.startsWith('text/') }));
      expect(failure).toMatchObject({ code: 'invalid-reply', message: expect.stringMatching(message) });
    }
  });

  test('a reply that never comes ends at the time limit', async () => {
    const { model, server } = await createWarm(kind, { fault: 'hang' }, { timeLimitMs: 400 });
    const failure = await failureOf(ask(model));
    expect(failure.code).toBe('timeout');
    expect(failure.attempts).toHaveLength(2);
    await expect.poll(() => server.openRequests).toBe(0);
  });

  test('a stream that is aborted half-way closes its connection', async () => {
    const server = await serve({ text: 'word '.repeat(200), pieceDelayMs: 10 });
    const controller = new AbortController();
    const call = ask(createAt(kind, server.url), { stream: true }, controller.signal);
    setTimeout(() => controller.abort(), 60);
    expect((await failureOf(call)).code).toBe('cancelled');
    await expect.poll(() => server.openRequests).toBe(0);
  });

  test('secrets in prompts and replies are kept by name only', async () => {
    const server = await serve(({ prompt }) => `You said ${prompt}`);
    const messages = [{ role: 'user' as const, content: `key ${modelKey} and another-secret-value-0123` }];
    const reply = await ask(createAt(kind, server.url), { messages });
    expect(server.requests[0]?.prompt).toContain(modelKey);
    expect(reply.text).toBe('You said key [TEST_MODEL_KEY] and [OTHER_TOKEN]');
    expect(JSON.stringify(reply)).not.toMatch(/sk-test|another-secret/);
  });

  test('secrets in errors are kept by name only', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${modelKey}` } });
    const server = await serve({ fault: 'error', status: 401, body });
    const failure = await failureOf(ask(createAt(kind, server.url)));
    expect(failure.message).toContain('[TEST_MODEL_KEY]');
    expect(JSON.stringify([failure.message, failure.attempts, failure.exchange])).not.toContain(modelKey);
  });

  test('connections are used again', async () => {
    const server = await serve('yes');
    const model = createAt(kind, server.url);
    for (let call = 0; call < 10; call += 1) await ask(model);
    // A connection may still be closing its last reply when the next call begins.
    expect(server.totalConnections).toBeLessThanOrEqual(2);
  });
});
