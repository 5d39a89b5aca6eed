import { expect, test } from 'vitest';
import {
  ask,
  createAt,
  failureOf,
  modelKey,
  serve,
  weatherTool,
} from '../../../test/support/model-harness.ts';
import type { ScriptedAnswer } from '../../library/testing/model-server/script.ts';
import type { ChatModel } from './model.ts';
import { isStrictSchema, openaiChat } from './openai-chat.ts';

test('the published price of a model counts at its own provider, and only there', async () => {
  const { definition } = openaiChat;
  const priceAt = async (baseUrl: string, model: string) => {
    const created = definition.create(definition.options.parse({ model, baseUrl }), {
      folder: '.',
      environment: {},
    });
    return await created.priceOf({ inputTokens: 1_000_000, outputTokens: 1_000_000, cachedTokens: 500_000 });
  };
  expect(await priceAt('https://api.openai.com/v1', 'gpt-4o-mini')).toBeCloseTo(0.075 + 0.0375 + 0.6, 10);
  expect(await priceAt('http://localhost:11434/v1', 'gpt-4o-mini')).toBeUndefined();
  expect(await priceAt('https://api.openai.com/v1', 'gpt-unheard-of')).toBeUndefined();
});

test('a missing key, a key written out and an invalid address are refused', async () => {
  const { definition } = openaiChat;
  const open = (options: object, environment: Record<string, string> = {}) => {
    const parsed = definition.options.parse({ model: 'm', baseUrl: 'http://127.0.0.1:9/v1', ...options });
    return definition.create(parsed, { folder: '.', environment });
  };
  await expect(open({ apiKeyEnv: 'MISSING_KEY' }).open?.()).rejects.toMatchObject({
    code: 'environment-missing',
  });
  expect(() => open({ apiKeyEnv: 'sk-0123456789' })).toThrow(
    expect.objectContaining({ code: 'model-invalid' }),
  );
  expect(() => open({ headers: { Authorization: 'Bearer x' } })).toThrow(
    expect.objectContaining({ code: 'model-invalid' }),
  );
  expect(() => open({ baseUrl: 'http://u:p@127.0.0.1/v1' })).toThrow(
    expect.objectContaining({ code: 'model-invalid' }),
  );
  await expect(open({}).open?.()).rejects.toMatchObject({ code: 'model-unreachable' });
});

test("OpenAI's key is not sent to any other server", async () => {
  const server = await serve('yes');
  const { definition } = openaiChat;
  const options = definition.options.parse({ model: 'm', baseUrl: server.url });
  await ask(definition.create(options, { folder: '.', environment: { OPENAI_API_KEY: modelKey } }));
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test('Azure gets an api-key header, an api-version and its own token limit field', async () => {
  const server = await serve('yes');
  const options = { apiVersion: '2026-01-01', keyHeader: 'api-key', maxTokensField: 'max_completion_tokens' };
  await ask(createAt('openai-chat', server.url, options), { maxTokens: 3 });
  const [received] = server.requests;
  expect(received?.path).toBe('/v1/chat/completions?api-version=2026-01-01');
  expect(received?.headers['api-key']).toBe(modelKey);
  expect(received?.body).toMatchObject({ max_completion_tokens: 3 });
});

test.each(['reasoning_content', 'reasoning', 'reasoning_details', 'think'] as const)(
  'reasoning of OpenAI-compatible servers is read from %s',
  async (reasoningField) => {
    const answer: ScriptedAnswer = {
      text: 'The answer <think>is here</think>.',
      reasoning: 'step by step',
      reasoningField,
    };
    const server = await serve(answer);
    for (const stream of [false, true]) {
      const reply = await ask(createAt('openai-chat', server.url), { stream });
      expect([reply.text, reply.reasoning]).toEqual(['The answer <think>is here</think>.', 'step by step']);
    }
  },
);

test('a reply of only an unfinished thought has no answer', async () => {
  const server = await serve({ text: '<think>I wonder whether', finishReason: 'length' });
  for (const stream of [false, true]) {
    const reply = await ask(createAt('openai-chat', server.url), { stream });
    expect(reply).toMatchObject({ text: null, reasoning: 'I wonder whether', finishReason: 'length' });
  }
});

test.each(['openai-chat', 'anthropic'] as const)(
  '%s: unreadable arguments are kept unchanged',
  async (kind) => {
    const server = await serve({ toolCalls: [{ name: 'weather', arguments: '{"city": "Kö' }] });
    const reply = await ask(createAt(kind, server.url), { stream: true, tools: [weatherTool] });
    expect(reply.toolCalls).toEqual([
      { id: reply.toolCalls[0]?.id, name: 'weather', unreadableArguments: '{"city": "Kö' },
    ]);
  },
);

test('an exhausted quota is not waited for', async () => {
  const body = JSON.stringify({
    error: { message: 'You exceeded your current quota', code: 'insufficient_quota' },
  });
  const server = await serve({ fault: 'error', status: 429, body });
  const failure = await failureOf(ask(createAt('openai-chat', server.url)));
  expect(failure.code).toBe('quota-exhausted');
  expect(server.requests).toHaveLength(1);
});

test('a retry that the provider advises against is not made', async () => {
  const server = await serve({ fault: 'error', status: 500, headers: { 'x-should-retry': 'false' } });
  await failureOf(ask(createAt('openai-chat', server.url)));
  expect(server.requests).toHaveLength(1);
});

test('models of one account share its limits', async () => {
  const server = await serve({ text: 'yes', delayMs: 20 });
  const options = { maxConcurrency: 2 };
  const models = [
    createAt('openai-chat', server.url, options),
    createAt('openai-chat', server.url, { model: 'other' }),
  ];
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => await ask(models[index % 2] as ChatModel)),
  );
  expect(server.peakConcurrency).toBe(2);
});

test('limits, repeats and prices do not change the fingerprint; sampling options do', () => {
  const url = 'http://127.0.0.1:1/v1';
  const { fingerprint } = createAt('openai-chat', url);
  expect(
    createAt('openai-chat', url, { maxRetries: 1, requestsPerMinute: 5, prices: { input: 1, output: 1 } })
      .fingerprint,
  ).toBe(fingerprint);
  for (const other of [
    { model: 'x' },
    { temperature: 0 },
    { extra: { reasoning_effort: 'low' } },
    { structuredOutput: 'none' },
  ]) {
    expect(createAt('openai-chat', url, other).fingerprint).not.toBe(fingerprint);
  }
});

const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};

test.each([
  ['all required, nothing else allowed', closed, true],
  ['an optional property', { ...closed, required: [] }, false],
  ['others allowed', { ...closed, additionalProperties: true }, false],
  ['a loose object inside', { ...closed, properties: { a: { type: 'object' } } }, false],
  [
    'a loose object in a list',
    { ...closed, properties: { a: { type: 'array', items: { type: 'object' } } } },
    false,
  ],
  [
    'a property that is called properties',
    { ...closed, properties: { properties: closed }, required: ['properties'] },
    true,
  ],
])('%s', (_what, schema, strict) => {
  expect(isStrictSchema(schema)).toBe(strict);
});
