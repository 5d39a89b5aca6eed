import { expect, test } from 'vitest';
import type { Message } from '../../../core/schema/message.ts';
import { readMessages } from './read-messages.ts';

const read = (list: readonly unknown[]): Message[] => readMessages(list, 'messages');

/** A weather question, a tool call with its result, and the answer: the same in every dialect. */
const conversation: Message[] = [
  { role: 'user', content: 'Rain in Paris?' },
  {
    role: 'assistant',
    content: null,
    toolCalls: [
      { id: 'c1', name: 'get_weather', arguments: { city: 'Paris' }, result: { sky: 'rain', celsius: 12 } },
    ],
  },
  { role: 'assistant', content: 'Yes, at 12 °C.' },
];
const result = '{"sky":"rain","celsius":12}';
const given = { city: 'Paris' };
const calls = [
  { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
];

const dialects: Readonly<Record<string, readonly unknown[]>> = {
  'OpenAI chat': [
    { role: 'user', content: [{ type: 'text', text: 'Rain in Paris?' }] },
    { role: 'assistant', content: null, refusal: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'c1', content: result },
    { role: 'assistant', content: 'Yes, at 12 °C.' },
  ],
  'OpenAI responses': [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Rain in Paris?' }] },
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Paris"}' },
    { type: 'function_call_output', call_id: 'c1', output: result },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes, at 12 °C.' }] },
  ],
  Anthropic: [
    { role: 'user', content: 'Rain in Paris?' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'get_weather', input: given }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: result }] }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes, at 12 °C.' }] },
  ],
  Gemini: [
    { role: 'user', parts: [{ text: 'Rain in Paris?' }] },
    { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'get_weather', args: given } }] },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'c1', name: 'get_weather', response: JSON.parse(result) } }],
    },
    { role: 'model', parts: [{ text: 'Yes, at 12 °C.' }] },
  ],
  Bedrock: [
    { role: 'user', content: [{ text: 'Rain in Paris?' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'get_weather', input: given } }] },
    {
      role: 'user',
      content: [
        { toolResult: { toolUseId: 'c1', status: 'success', content: [{ json: JSON.parse(result) }] } },
      ],
    },
    { role: 'assistant', content: [{ text: 'Yes, at 12 °C.' }] },
  ],
  LangChain: [
    { type: 'human', content: 'Rain in Paris?' },
    {
      type: 'ai',
      content: '',
      tool_calls: [{ type: 'tool_call', id: 'c1', name: 'get_weather', args: given }],
    },
    { type: 'tool', tool_call_id: 'c1', name: 'get_weather', status: 'success', content: result },
    { type: 'ai', content: 'Yes, at 12 °C.', tool_calls: [] },
  ],
  'LangChain, serialised': [
    { lc: 1, type: 'constructor', id: ['langchain', 'HumanMessage'], kwargs: { content: 'Rain in Paris?' } },
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'AIMessage'],
      kwargs: { content: [], additional_kwargs: { tool_calls: calls } },
    },
    { type: 'tool', data: { content: result, tool_call_id: 'c1' } },
    ['ai', 'Yes, at 12 °C.'],
  ],
  'AI SDK': [
    { role: 'user', content: [{ type: 'text', text: 'Rain in Paris?' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: given }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'get_weather',
          output: { type: 'json', value: JSON.parse(result) },
        },
      ],
    },
    { role: 'assistant', content: 'Yes, at 12 °C.' },
  ],
  'AI SDK, interface': [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Rain in Paris?' }] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        {
          type: 'tool-get_weather',
          toolCallId: 'c1',
          state: 'output-available',
          input: given,
          output: JSON.parse(result),
        },
      ],
    },
    { id: 'm3', role: 'assistant', parts: [{ type: 'text', text: 'Yes, at 12 °C.' }] },
  ],
  OpenTelemetry: [
    { role: 'user', parts: [{ type: 'text', content: 'Rain in Paris?' }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: given }],
      finish_reason: 'tool_call',
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: result }] },
    { role: 'assistant', parts: [{ type: 'text', content: 'Yes, at 12 °C.' }], finish_reason: 'stop' },
  ],
  Inspect: [
    { id: 'a', role: 'user', content: 'Rain in Paris?' },
    {
      id: 'b',
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', function: 'get_weather', arguments: given, type: 'function' }],
    },
    { id: 'c', role: 'tool', content: result, tool_call_id: 'c1', function: 'get_weather', error: null },
    { id: 'd', role: 'assistant', content: 'Yes, at 12 °C.' },
  ],
  'our own': conversation,
};

test.each(Object.entries(dialects))('a conversation in the dialect of %s is read', (_name, list) => {
  const messages = read(list).map((message) => ({ ...message, content: message.content || null }));
  expect(messages).toEqual(conversation);
});

test("OpenAI's first interface for functions has no ids: results belong to calls by their name", () => {
  const call = (name: string) => ({
    role: 'assistant',
    content: null,
    function_call: { name, arguments: '{"n":1}' },
  });
  const messages = [call('a'), { role: 'function', name: 'a', content: '1' }, call('a'), call('b')];
  const results = [
    { role: 'function', name: 'b', content: 'of b' },
    { role: 'function', name: 'a', content: 'again' },
  ];
  expect(read([...messages, ...results]).map(({ toolCalls }) => toolCalls?.[0])).toEqual([
    { name: 'a', arguments: { n: 1 }, result: '1' },
    { name: 'a', arguments: { n: 1 }, result: 'again' },
    { name: 'b', arguments: { n: 1 }, result: 'of b' },
  ]);
});

test('a repeated id belongs to the last call that has it and no result yet', () => {
  const call = (n: number) => ({
    role: 'assistant',
    tool_calls: [{ id: 'same', function: { name: 'f', arguments: `{"n":${n}}` } }],
  });
  const result = (content: string) => ({ role: 'tool', tool_call_id: 'same', content });
  const messages = read([call(1), result('one'), call(2), result('two')]);
  expect(messages.map(({ toolCalls }) => toolCalls?.[0]?.result)).toEqual(['one', 'two']);
  const unanswered = read([call(1), call(2), result('two')]);
  expect(unanswered.map(({ toolCalls }) => toolCalls?.[0]?.result)).toEqual([undefined, 'two']);
});

test('simultaneous calls get their results by id, in whatever order those come', () => {
  const tool_calls = ['a', 'b'].map((id) => ({ id, function: { name: id, arguments: '{}' } }));
  const results = ['b', 'a'].map((id) => ({ role: 'tool', tool_call_id: id, content: `of ${id}` }));
  expect(read([{ role: 'assistant', tool_calls }, ...results])[0]?.toolCalls).toMatchObject([
    { id: 'a', result: 'of a' },
    { id: 'b', result: 'of b' },
  ]);
});

test('a result that no call asked for stays a message', () => {
  const messages = read([
    { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'other', content: 'lost' },
  ]);
  expect(messages).toEqual([
    { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'f', arguments: {} }] },
    { role: 'tool', content: 'lost', toolCallId: 'other' },
  ]);
});

const errors: readonly (readonly [unknown, object])[] = [
  [{ role: 'user', content: [{ type: 'tool_result', is_error: true, content: 'down' }] }, { error: 'down' }],
  [{ type: 'tool', status: 'error', content: 'down' }, { error: 'down' }],
  [{ role: 'tool', content: '', error: { type: 'timeout', message: 'too slow' } }, { error: 'too slow' }],
  [
    { role: 'tool', content: [{ type: 'tool-result', output: { type: 'error-text', value: 'down' } }] },
    { error: 'down' },
  ],
  [
    { role: 'user', content: [{ toolResult: { status: 'error', content: [{ text: 'down' }] } }] },
    { error: 'down' },
  ],
  [
    {
      role: 'user',
      content: [{ type: 'tool_result', is_error: true, content: '{"error":"down","code":5}' }],
    },
    { error: 'down' },
  ],
  // An outcome that is not marked as an error is a result, whatever its text: metrics read those.
  [{ role: 'tool', content: 'Error: no such flight' }, { result: 'Error: no such flight' }],
  [{ role: 'tool', content: '{"error":"not found"}' }, { result: { error: 'not found' } }],
];

test.each(errors)('%j is the right outcome of a call', (message, outcome) => {
  const call = { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] };
  expect(read([call, message])).toEqual([
    { role: 'assistant', content: null, toolCalls: [{ name: 'f', arguments: {}, ...outcome }] },
  ]);
});

test('thoughts are kept apart from the answer, and a separate thought belongs to the next message', () => {
  const messages = read([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'A' },
      ],
    },
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'so' }] },
    { type: 'function_call', call_id: 'x', name: 'f', arguments: '{}' },
    { role: 'model', parts: [{ text: 'well', thought: true }, { text: 'B' }] },
    {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'x' },
        { type: 'text', text: 'C' },
      ],
    },
  ]);
  expect(messages).toEqual([
    { role: 'assistant', content: 'A', reasoning: 'hm' },
    { role: 'assistant', content: null, reasoning: 'so', toolCalls: [{ id: 'x', name: 'f', arguments: {} }] },
    { role: 'assistant', content: 'B', reasoning: 'well' },
    { role: 'assistant', content: 'C' },
  ]);
});

test("a refusal is the assistant's text", () => {
  expect(read([{ role: 'assistant', content: null, refusal: 'I cannot help.' }])[0]?.content).toBe(
    'I cannot help.',
  );
  const part = { type: 'refusal', refusal: 'No.' };
  expect(read([{ role: 'assistant', content: [part] }])[0]?.content).toBe('No.');
});

test('a part that is neither text nor a tool leaves a mark in its place', () => {
  const content = [
    { type: 'text', text: 'Look: ' },
    { type: 'image_url', image_url: { url: 'data:…' } },
    { type: 'input_audio', input_audio: {} },
    { inlineData: { data: '…' } },
  ];
  expect(read([{ role: 'user', content }])[0]?.content).toBe('Look: [image_url][audio][inlineData]');
});

test('tools that run at the provider are calls with results', () => {
  const messages = read([
    { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'q' } },
    { type: 'file_search_call', id: 'fs', queries: ['a'], results: [{ file_id: 'f', score: 0.5 }] },
    { type: 'mcp_call', id: 'm', name: 'roll', arguments: '{"sides":6}', output: '4', error: null },
    { type: 'mcp_call', id: 'n', name: 'roll', arguments: '{}', output: null, error: { message: 'down' } },
    { type: 'mcp_list_tools', id: 'l', tools: [] },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 's1',
          content: [{ type: 'web_search_result', url: 'u' }],
        },
        { type: 'text', text: 'Found.' },
      ],
    },
  ]);
  expect(messages.map(({ content, toolCalls }) => [content, ...(toolCalls ?? [])])).toEqual([
    [null, { id: 'ws', name: 'web_search', arguments: { type: 'search', query: 'q' } }],
    [
      null,
      {
        id: 'fs',
        name: 'file_search',
        arguments: { queries: ['a'] },
        result: [{ file_id: 'f', score: 0.5 }],
      },
    ],
    [null, { id: 'm', name: 'roll', arguments: { sides: 6 }, result: '4' }],
    [null, { id: 'n', name: 'roll', arguments: {}, error: 'down' }],
    [
      'Found.',
      {
        id: 's1',
        name: 'web_search',
        arguments: { query: 'q' },
        result: [{ type: 'web_search_result', url: 'u' }],
      },
    ],
  ]);
});

test('developer instructions are system messages', () => {
  expect(read([{ role: 'developer', content: 'Be brief.' }])).toEqual([
    { role: 'system', content: 'Be brief.' },
  ]);
});

test.each([
  [[5], '`messages[0]` is the number 5'],
  [[{ role: 'king', content: 'x' }], '`messages[0].role` is the text "king"'],
  [[{ content: 'x' }], '`messages[0].role` is undefined'],
  [[{ role: 'user', content: [7] }], '`messages[0].content[0]` is the number 7'],
  [[{ role: 'user', content: [{}] }], '`messages[0].content[0]` is an empty object'],
])('%j is not a conversation, and the message says where', (list, message) => {
  expect(() => read(list)).toThrow(message);
});
