import OpenAI from 'openai';
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { expect, test } from 'vitest';
import { ask, createAt, failureOf, serve, weatherTool } from '../../../test/support/model-harness.ts';
import type { ScriptedAnswer } from '../../library/testing/model-server/script.ts';
import { openaiResponses } from './openai-responses.ts';

const schema = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
  additionalProperties: false,
};

test('a request is of the type that the package of OpenAI sends', async () => {
  const server = await serve('{"ok":true}');
  const model = createAt('openai-responses', server.url, {
    temperature: 0.2,
    topP: 0.9,
    maxTokens: 50,
    extra: { reasoning: { effort: 'low' } },
  });
  await ask(model, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'I look.',
        toolCalls: [{ id: 'call_9', name: 'weather', arguments: { city: 'Köln' }, result: '12 °C' }],
      },
      { role: 'user', content: 'Is that ok?' },
    ],
    tools: [weatherTool],
    toolChoice: { tool: 'weather' },
    responseSchema: { name: 'verdict', schema },
    seed: 5,
    stop: ['END'],
  });
  const input: ResponseInputItem[] = [
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: 'I look.' },
    { type: 'function_call', call_id: 'call_9', name: 'weather', arguments: '{"city":"Köln"}' },
    { type: 'function_call_output', call_id: 'call_9', output: '12 °C' },
    { role: 'user', content: 'Is that ok?' },
  ];
  const wanted: ResponseCreateParamsNonStreaming = {
    model: 'test-model',
    instructions: 'Be brief.',
    input,
    max_output_tokens: 50,
    temperature: 0.2,
    top_p: 0.9,
    tools: [
      {
        type: 'function',
        name: 'weather',
        description: 'The weather.',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ],
    tool_choice: { type: 'function', name: 'weather' },
    text: { format: { type: 'json_schema', name: 'verdict', schema, strict: true } },
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'low' },
  };
  expect(server.requests[0]?.path).toBe('/v1/responses');
  expect(server.requests[0]?.body).toEqual(wanted);
});

const answers: readonly ScriptedAnswer[] = [
  { text: 'The rent is 900 €.', reasoning: 'Let me look it up.' },
  {
    toolCalls: [
      { name: 'weather', arguments: { city: 'Köln' } },
      { name: 'weather', arguments: { days: [1] } },
    ],
  },
  { text: 'part', finishReason: 'length' },
  { text: '', finishReason: 'content-filter' },
];

test.each(answers)(
  'the package of OpenAI reads from the model server what we read from it: %j',
  async (answer) => {
    const server = await serve(answer);
    const client = new OpenAI({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    const asked = { model: 'test-model', input: 'What is the rent?' };
    const theirs = await client.responses.create(asked);
    const streamed = await client.responses.stream(asked).finalResponse();
    for (const stream of [false, true]) {
      const ours = await ask(createAt('openai-responses', server.url), { stream });
      for (const response of [theirs, streamed]) {
        expect(ours.text ?? '').toBe(response.output_text);
        expect(ours.finishWord).toBe(response.incomplete_details?.reason ?? response.status);
        expect(ours.usage?.outputTokens).toBe(response.usage?.output_tokens);
        const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
        expect(ours.toolCalls).toEqual(
          calls.map(({ call_id: id, name, arguments: args }) => ({ id, name, arguments: JSON.parse(args) })),
        );
      }
    }
  },
);

test('thoughts and calls go back unchanged, in the order in which they came', async () => {
  const server = await serve([
    { reasoning: 'hm', text: 'I look.', toolCalls: [{ id: 'c1', name: 'weather', arguments: {} }] },
    'Rain.',
  ]);
  const model = createAt('openai-responses', server.url);
  const question = { role: 'user' as const, content: 'Weather?' };
  const first = await ask(model, { messages: [question], tools: [weatherTool] });
  const result = { role: 'tool' as const, content: 'rain', toolCallId: 'c1' };
  await ask(model, { messages: [question, first.message, result], tools: [weatherTool] });
  const input = server.requests[1]?.body['input'] as readonly { type?: string; encrypted_content?: string }[];
  expect(input.map(({ type }) => type)).toEqual([
    undefined,
    'reasoning',
    'message',
    'function_call',
    'function_call_output',
  ]);
  expect(input[1]?.encrypted_content).toBe('c2lnbmVk');
});

test('a model without reasoning, which refuses to return thoughts, is asked without them from then on', async () => {
  const refusal = JSON.stringify({
    error: { message: 'Encrypted content is not supported with this model.', param: 'include', code: null },
  });
  const server = await serve(({ body }) =>
    'include' in body ? { fault: 'error', status: 400, body: refusal } : 'yes',
  );
  const model = createAt('openai-responses', server.url, { model: 'gpt-4o' });
  expect([(await ask(model)).text, (await ask(model)).text]).toEqual(['yes', 'yes']);
  expect(server.requests.map(({ body }) => 'include' in body)).toEqual([true, false, false]);
});

test('a model that takes no JSON schema is asked for any object, then in the prompt', async () => {
  const server = await serve(({ body }) =>
    'text' in body
      ? {
          fault: 'error',
          status: 400,
          body: '{"error":{"message":"Invalid parameter: text.format is not supported with this model.","param":"text.format"}}',
        }
      : '{"ok":true}',
  );
  const model = createAt('openai-responses', server.url, { model: 'old' });
  const reply = await ask(model, { responseSchema: { name: 'verdict', schema } });
  expect(reply.structuredOutput).toBe('none');
  expect(
    server.requests.map(
      ({ body }) => (body['text'] as { format: { type: string } } | undefined)?.format.type,
    ),
  ).toEqual(['json_schema', 'json_object', undefined]);
});

/** Returns the events of a stream, as the server would write them. */
function eventsOf(...events: readonly { type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const headers = { 'content-type': 'text/event-stream' };

test.each([
  [
    'response.failed',
    {
      type: 'response.failed',
      response: { error: { code: 'server_error', message: 'it broke' }, output: [] },
    },
  ],
  ['error', { type: 'error', code: 'server_error', message: 'it broke', param: null }],
])('the event %s ends a stream with its message, whatever was written before', async (_name, event) => {
  const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Half' };
  const server = await serve({ fault: 'raw', headers, body: eventsOf(delta, event) });
  const failure = await failureOf(
    ask(createAt('openai-responses', server.url, { maxRetries: 0 }), { stream: true }),
  );
  expect(failure.message).toContain('it broke');
  expect(failure.code).toBe('server-error');
});

test('a refusal is one, and a stream that ends before its last event is none', async () => {
  const message = { type: 'message', content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] };
  const body = JSON.stringify({ object: 'response', status: 'completed', error: null, output: [message] });
  const server = await serve({ fault: 'raw', body });
  const refused = await ask(createAt('openai-responses', server.url));
  expect([refused.text, refused.refused]).toEqual(['I cannot help with that.', 'refusal']);
  const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Half' };
  server.play({ fault: 'raw', headers, body: eventsOf(delta) });
  const cut = await failureOf(
    ask(createAt('openai-responses', server.url, { maxRetries: 0 }), { stream: true }),
  );
  expect(cut.code).toBe('connection-failed');
});

test.each(['seed', 'stop', 'batch'])(
  '`%s`, which is not to be had here, is refused in the config with the model that has it',
  (name) => {
    const { options } = openaiResponses.definition;
    const value = { seed: 1, stop: ['END'], batch: true }[name];
    const { error } = options.safeParse({ model: 'gpt-5-mini', [name]: value });
    expect(error?.issues).toMatchObject([
      { path: [name], message: expect.stringMatching(/^the Responses API .*openai-chat/) },
    ]);
  },
);

test('its key is that of the provider at its address', async () => {
  const { definition } = openaiResponses;
  const written = definition.options.parse({ model: 'gpt-5-mini' });
  const model = definition.create(written, { folder: '.', environment: {} });
  await expect(model.open?.()).rejects.toMatchObject({ message: expect.stringContaining('OPENAI_API_KEY') });
});
