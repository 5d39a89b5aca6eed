import { expect, test } from 'vitest';
import { ask, failureOf, serve } from '../../../../test/support/model-harness.ts';
import type { ModelServer } from '../../../library/testing/model-server/model-server.ts';
import type { ReceivedRequest } from '../../../library/testing/model-server/script.ts';
import { createRateLimiter, type RateLimiter } from '../account/rate-limiter.ts';
import type { ChatModel } from '../model.ts';
import { createOpenaiChat, openaiOptions } from '../openai-chat.ts';
import { providers } from './table.ts';

const responseSchema = { name: 'judgement', schema: { type: 'object', properties: {} } };

/** Creates the model of a provider at a server that refuses what that provider refuses. */
function createAs(
  name: string,
  { url }: ModelServer,
  { rateLimiter, ...options }: { rateLimiter?: RateLimiter; [option: string]: unknown } = {},
): ChatModel {
  const provider = providers.find((each) => each.name === name);
  if (provider === undefined) throw new Error(`no row ${name}`);
  const written = { model: `model-of-${name}`, baseUrl: url, maxRetries: 0, ...options };
  return createOpenaiChat(
    openaiOptions().parse(written),
    { folder: '.', environment: {}, ...(rateLimiter && { rateLimiter }) },
    provider,
  );
}

function formatOf({ body }: ReceivedRequest): unknown {
  const format = body['response_format'] as { type?: string } | undefined;
  return format?.type;
}

/** A reply that refuses whatever has this form of asking for JSON. */
function refuse(types: readonly unknown[], status: number, body: string) {
  return (request: ReceivedRequest) =>
    types.includes(formatOf(request)) ? ({ fault: 'error', status, body } as const) : '{"score":1}';
}

const schema = ['json_schema'];
const both = ['json_schema', 'json_object'];
const pydantic = `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'response_format', 'json_schema'), 'msg': 'Extra inputs are not permitted'}]","type":"BadRequestError","param":null,"code":400}`;

/** The refusals of each provider, as it or its users report them, and the formats of the requests until it answers. */
const refusals: readonly (readonly [
  name: string,
  refused: readonly string[],
  status: number,
  body: string,
  asked: readonly unknown[],
])[] = [
  [
    'openai',
    schema,
    400,
    `{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide.","type":"invalid_request_error","param":null,"code":null}}`,
    ['json_schema', 'json_object'],
  ],
  ['lmstudio', both, 400, `{"error":"'response_format.type' must be 'text'"}`, ['json_schema', undefined]],
  [
    'ollama',
    schema,
    400,
    '{"error":{"message":"invalid JSON schema in format","type":"invalid_request_error","param":null,"code":null}}',
    ['json_schema', 'json_object'],
  ],
  ['vllm', both, 400, pydantic, ['json_schema', 'json_object', undefined]],
  [
    'llama-server',
    schema,
    400,
    '{"error":{"code":400,"message":"Failed to parse json_schema: JSON schema conversion failed","type":"invalid_request_error"}}',
    ['json_schema', 'json_object'],
  ],
  [
    'groq',
    schema,
    400,
    '{"error":{"message":"This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models","type":"invalid_request_error","param":"response_format"}}',
    ['json_schema', 'json_object'],
  ],
  [
    'mistral',
    schema,
    422,
    '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","response_format","json_schema"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","param":null,"code":null}',
    ['json_schema', 'json_object'],
  ],
  [
    'openrouter',
    both,
    404,
    '{"error":{"message":"No endpoints found that can handle the requested parameters. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}',
    ['json_schema', 'json_object', undefined],
  ],
  [
    'together',
    schema,
    400,
    '{"error":{"message":"response_format of type json_schema is not supported for this model","type":"invalid_request_error","param":"response_format","code":null}}',
    ['json_schema', 'json_object'],
  ],
  [
    'deepseek',
    schema,
    400,
    '{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
    ['json_object'],
  ],
  [
    'fireworks',
    schema,
    400,
    `{"error":{"object":"error","type":"invalid_request_error","code":"invalid_request_error","message":"JSON Schema not supported: could not understand the instance \`{'required': ['criteria']}\`."}}`,
    ['json_schema', 'json_object'],
  ],
  [
    'xai',
    schema,
    400,
    '{"code":"Client specified an invalid argument","error":"Argument not supported on this model: response_format"}',
    ['json_schema', 'json_object'],
  ],
  [
    'cerebras',
    schema,
    400,
    `{"message":"response_format.json_schema: property 'response_format.json_schema' is unsupported","type":"invalid_request_error","param":"validation_error","code":"wrong_api_format"}`,
    ['json_schema', 'json_object'],
  ],
  [
    'perplexity',
    both,
    400,
    '{"error":{"message":"Structured output is not supported for this model","type":"invalid_request","param":"response_format","code":400}}',
    ['json_schema', 'json_object', undefined],
  ],
  [
    'nvidia',
    both,
    422,
    `{"detail":[{"type":"extra_forbidden","loc":["body","response_format"],"msg":"Extra inputs are not permitted","input":{"type":"json_schema"}}]}`,
    ['json_schema', 'json_object', undefined],
  ],
  [
    'sambanova',
    schema,
    400,
    '{"error":{"message":"json_schema response format is not supported for this model","type":"invalid_request_error","param":null,"code":null}}',
    ['json_schema', 'json_object'],
  ],
  [
    'moonshot',
    schema,
    400,
    '{"error":{"message":"Invalid request: unsupported response_format type: json_schema","type":"invalid_request_error"}}',
    ['json_schema', 'json_object'],
  ],
  [
    'github',
    schema,
    422,
    '{"error":{"code":"unprocessable_entity","message":"response_format: json_schema is not supported by this model","details":"response_format"}}',
    ['json_schema', 'json_object'],
  ],
  [
    'vercel',
    schema,
    400,
    '{"error":{"message":"response_format json_schema is not supported by any provider of this model","type":"invalid_request_error","param":"response_format","code":null}}',
    ['json_schema', 'json_object'],
  ],
  [
    'azure',
    schema,
    400,
    '{"error":{"message":"response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later","type":"invalid_request_error","param":null,"code":"BadRequest"}}',
    ['json_schema', 'json_object'],
  ],
  [
    'bedrock',
    both,
    400,
    '{"error":{"message":"response_format is not supported by this model","type":"invalid_request_error","param":"response_format","code":"validation_error"}}',
    ['json_schema', 'json_object', undefined],
  ],
  [
    'vertex',
    schema,
    400,
    '[{"error":{"code":400,"message":"Unsupported response_format type: json_schema","status":"INVALID_ARGUMENT"}}]',
    ['json_schema', 'json_object'],
  ],
];

test('each row of the table has a refusal', () => {
  expect(refusals.map(([name]) => name)).toEqual(providers.map(({ name }) => name));
});

test.each(refusals)(
  'a model of %s that refuses %j is asked in the next way, and from then on',
  async (name, refused, status, body, asked) => {
    const server = await serve(refuse(refused, status, body));
    const rateLimiter = createRateLimiter();
    const readAccounts = rateLimiter.watchAccounts();
    const model = createAs(name, server, { rateLimiter });
    const first = await ask(model, { responseSchema });
    expect(server.requests.map(formatOf)).toEqual(asked);
    expect(first.text).toBe('{"score":1}');
    const mode = { json_object: 'json-object', undefined: 'none' }[String(asked.at(-1))];
    expect(first.structuredOutput).toBe(mode);
    expect(first.attempts.map((attempt) => attempt.status)).toEqual(
      asked.map((_, at) => (at === asked.length - 1 ? 200 : status)),
    );
    await ask(createAs(name, server, { rateLimiter }), { responseSchema });
    expect(server.requests.slice(asked.length).map(formatOf)).toEqual([asked.at(-1)]);
    expect(readAccounts().flatMap(({ notices = [] }) => notices)).toEqual([
      `${name}, model-of-${name}: no JSON schema; asked in the prompt`,
    ]);
  },
);

test.each(refusals.filter(([name]) => name !== 'deepseek'))(
  'a mode that the user wrote is never changed for %s: the error says what to write',
  async (name, _refused, status, body) => {
    const server = await serve(refuse(['json_schema'], status, body));
    const model = createAs(name, server, { structuredOutput: 'json-schema' });
    const failure = await failureOf(ask(model, { responseSchema }));
    expect(failure.code).toBe(status === 404 ? 'not-found' : 'bad-request');
    expect(failure.message).toContain('`structuredOutput: auto`');
    expect(server.requests).toHaveLength(1);
  },
);

test('LM Studio refuses any object in the words of its server: `json-object` of the user is answered with the way out', async () => {
  const body = `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`;
  const server = await serve(refuse(['json_object'], 400, body));
  const failure = await failureOf(
    ask(createAs('lmstudio', server, { structuredOutput: 'json-object' }), { responseSchema }),
  );
  expect(failure.message).toContain("must be 'json_schema' or 'text'");
  expect(failure.message).toContain('write `structuredOutput: auto` in the settings of the model');
  expect(server.requests).toHaveLength(1);
});

test('a temperature that the user wrote is never dropped: the error of a reasoning model says how to leave it out', async () => {
  const body = `{"error":{"message":"Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`;
  const server = await serve({ fault: 'error', status: 400, body });
  const failure = await failureOf(ask(createAs('openai', server, { temperature: 0.2 })));
  expect(failure).toMatchObject({
    code: 'bad-request',
    message: expect.stringContaining('`omit: [temperature]`'),
  });
  expect(server.requests).toHaveLength(1);
});

/** The refusals of what we add: the request, the field refused, the text, and what comes in its place. */
const added = [
  [
    'max_tokens',
    'groq',
    { maxTokens: 9 },
    `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}`,
    { max_completion_tokens: 9 },
  ],
  [
    'max_completion_tokens',
    'openai',
    { maxTokens: 9 },
    '{"error":{"message":"Unrecognized request argument supplied: max_completion_tokens","type":"invalid_request_error"}}',
    { max_tokens: 9 },
  ],
  [
    'seed',
    'together',
    { seed: 5 },
    '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":5}]}}',
    {},
  ],
  [
    'random_seed',
    'mistral',
    { seed: 5 },
    '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","random_seed"],"msg":"Extra inputs are not permitted","input":5}]}}',
    {},
  ],
  [
    'stream_options',
    'vllm',
    { stream: true },
    `[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]`,
    { stream: true },
  ],
] as const;

test.each(added)(
  '%s, which we add, is left out or named otherwise once a server refuses it',
  async (field, name, request, body, instead) => {
    const server = await serve((given) =>
      field in given.body ? { fault: 'error', status: 422, body } : 'yes',
    );
    const model = createAs(name, server);
    const replies = [await ask(model, request), await ask(model, request)];
    expect(replies.map(({ text }) => text)).toEqual(['yes', 'yes']);
    expect(server.requests).toHaveLength(3);
    for (const { body: sent } of server.requests.slice(1)) {
      expect(sent).toMatchObject(instead);
      expect(sent).not.toHaveProperty(field);
    }
  },
);

test.each([
  ['seed', { seed: 5 }, {}, 'omit: [seed]'],
  ['max_tokens', { maxTokensField: 'max_tokens' }, { maxTokens: 9 }, 'omit: [maxTokens]'],
  ['stream_options', { extra: { stream_options: {} } }, { stream: true }, 'stream: false'],
  [
    'response_format',
    { extra: { response_format: { type: 'json_object' } } },
    { responseSchema },
    'Unsupported parameter: response_format',
  ],
])('%s that the user wrote is never left out', async (field, options, request, advice) => {
  const body = JSON.stringify({ error: { message: `Unsupported parameter: ${field}` } });
  const server = await serve((given) =>
    field in given.body ? { fault: 'error', status: 400, body } : 'yes',
  );
  const failure = await failureOf(ask(createAs('groq', server, options), request));
  expect(failure.message).toContain(advice);
  expect(server.requests).toHaveLength(1);
});

test('what a server refuses besides is refused in every way, said once with all attempts, and teaches nothing', async () => {
  const echo =
    '{"detail":[{"loc":["body","messages"],"msg":"too long","input":{"response_format":{"type":"json_schema"}}}]}';
  const server = await serve({ fault: 'error', status: 422, body: echo });
  const model = createAs('together', server, { model: 'echoing' });
  const failure = await failureOf(ask(model, { responseSchema }));
  expect([failure.code, failure.attempts.length]).toEqual(['bad-request', 3]);
  server.play('{"score":1}');
  const reply = await ask(model, { responseSchema });
  expect(reply.structuredOutput).toBe('json-schema');
  for (const [status, code] of [
    [401, 'unauthorized'],
    [500, 'server-error'],
    [429, 'rate-limited'],
  ] as const) {
    server.play({
      fault: 'error',
      status,
      body: '{"error":{"message":"response_format json_schema not supported"}}',
    });
    const other = await failureOf(
      ask(createAs('together', server, { model: 'm2', maxWaitMs: 0 }), { responseSchema }),
    );
    expect([other.code, server.requests.length]).toEqual([code, 1]);
  }
});

test('calls in flight that are all refused find the same way, and another model of the account begins anew', async () => {
  const [, , status, body] = refusals.find(([name]) => name === 'groq') ?? [];
  const server = await serve(refuse(schema, status ?? 400, body ?? ''));
  const model = createAs('groq', server, { model: 'many' });
  const replies = await Promise.all(
    Array.from({ length: 8 }, async () => await ask(model, { responseSchema })),
  );
  expect(new Set(replies.map(({ structuredOutput }) => structuredOutput))).toEqual(new Set(['json-object']));
  expect(server.requests.length).toBeLessThanOrEqual(16);
  server.play('{"score":1}');
  const other = await ask(createAs('groq', server, { model: 'newer' }), { responseSchema });
  expect(other.structuredOutput).toBe('json-schema');
});

test('the fingerprint is that of the first way, as before, so that what was judged in it stays valid', async () => {
  const server = await serve('{"score":1}');
  const written = createAs('groq', server, { structuredOutput: 'json-schema' });
  expect(createAs('groq', server).fingerprint).toBe(written.fingerprint);
  const object = createAs('deepseek', server, { structuredOutput: 'json-object' });
  expect(createAs('deepseek', server).fingerprint).toBe(object.fingerprint);
  expect(object.fingerprint).not.toBe(createAs('deepseek', server, { structuredOutput: 'none' }).fingerprint);
});
