import { expect, test } from 'vitest';
import { readReply } from '../read-reply.ts';
import { readReplyText } from './read-reply-text.ts';

const weather = { city: 'Paris' };
const text = JSON.stringify(weather);

/** Replies that call get_weather(city: "Paris") once and answer "Sunny.", passed on as each framework returns them. */
const replies: readonly (readonly [framework: string, reply: unknown])[] = [
  [
    'Cohere v2',
    {
      message: {
        role: 'assistant',
        content: 'Sunny.',
        tool_calls: [{ id: 'x', function: { name: 'get_weather', arguments: text } }],
      },
    },
  ],
  [
    'OpenAI Realtime',
    {
      type: 'response.done',
      response: {
        object: 'realtime.response',
        output: [
          { type: 'function_call', name: 'get_weather', call_id: 'c', arguments: text },
          { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Sunny.' }] },
        ],
      },
    },
  ],
  [
    'Vertex AI',
    {
      response: {
        candidates: [
          {
            content: {
              parts: [{ functionCall: { name: 'get_weather', args: weather } }, { text: 'Sunny.' }],
            },
          },
        ],
      },
    },
  ],
  [
    'the events of ADK',
    [
      {
        author: 'a',
        content: {
          role: 'model',
          parts: [{ functionCall: { id: '1', name: 'get_weather', args: weather } }],
        },
      },
      {
        author: 'a',
        content: {
          role: 'user',
          parts: [{ functionResponse: { id: '1', name: 'get_weather', response: {} } }],
        },
      },
      { author: 'a', actions: { stateDelta: {} } },
      { author: 'a', content: { role: 'model', parts: [{ text: 'Sunny.' }] } },
    ],
  ],
  [
    'LangChain, serialised',
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'AIMessage'],
      kwargs: { content: 'Sunny.', tool_calls: [{ name: 'get_weather', args: weather, id: '1' }] },
    },
  ],
  [
    'updates of LangGraph',
    [
      {
        agent: {
          messages: [
            { type: 'ai', content: '', tool_calls: [{ name: 'get_weather', args: weather, id: '1' }] },
          ],
        },
      },
      { tools: { messages: [{ type: 'tool', content: 'ok', tool_call_id: '1' }] } },
      { agent: { messages: [{ type: 'ai', content: 'Sunny.' }] } },
    ],
  ],
  [
    'LangServe',
    {
      output: {
        messages: [
          { type: 'ai', content: '', tool_calls: [{ name: 'get_weather', args: weather, id: '1' }] },
          { type: 'ai', content: 'Sunny.' },
        ],
      },
      metadata: { run_id: 'x' },
    },
  ],
  [
    'LlamaIndex',
    {
      response: { role: 'assistant', blocks: [{ block_type: 'text', text: 'Sunny.' }] },
      tool_calls: [{ tool_name: 'get_weather', tool_kwargs: weather, tool_id: 'x' }],
    },
  ],
  [
    'CrewAI',
    {
      raw: 'Sunny.',
      tasks_output: [
        {
          raw: 'Sunny.',
          messages: [
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ function: { name: 'get_weather', arguments: text }, id: '1' }],
            },
          ],
        },
      ],
    },
  ],
  [
    'AutoGen 0.2',
    {
      chat_history: [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', function: { name: 'get_weather', arguments: text } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'ok' },
        { role: 'assistant', content: 'Sunny.' },
      ],
      summary: 'Sunny.',
    },
  ],
  [
    'AutoGen 0.4',
    {
      messages: [
        { source: 'user', type: 'TextMessage', content: 'q' },
        {
          source: 'a',
          type: 'ToolCallRequestEvent',
          content: [{ id: '1', name: 'get_weather', arguments: text }],
        },
        {
          source: 'a',
          type: 'ToolCallExecutionEvent',
          content: [{ call_id: '1', content: 'ok', is_error: false, name: 'get_weather' }],
        },
        { source: 'a', type: 'ThoughtEvent', content: 'hm' },
        { source: 'a', type: 'TextMessage', content: 'Sunny.' },
      ],
    },
  ],
  [
    'Semantic Kernel in Python',
    {
      role: 'assistant',
      items: [
        { content_type: 'function_call', id: '1', name: 'get_weather', arguments: text },
        { content_type: 'text', text: 'Sunny.' },
      ],
    },
  ],
  [
    'Haystack',
    {
      messages: [
        { role: 'user', content: [{ text: 'q' }] },
        {
          role: 'assistant',
          content: [{ tool_call: { tool_name: 'get_weather', arguments: weather, id: '1' } }],
        },
        {
          role: 'tool',
          content: [
            {
              tool_call_result: { result: 'ok', origin: { tool_name: 'get_weather', id: '1' }, error: false },
            },
          ],
        },
        { role: 'assistant', content: [{ text: 'Sunny.' }] },
      ],
    },
  ],
  [
    'a generator of Haystack',
    {
      replies: [
        {
          _role: 'assistant',
          _content: [{ text: 'Sunny.' }, { tool_call: { tool_name: 'get_weather', arguments: weather } }],
        },
      ],
    },
  ],
  [
    'n8n',
    [
      {
        output: 'Sunny.',
        intermediateSteps: [{ action: { tool: 'get_weather', toolInput: weather }, observation: 'ok' }],
      },
    ],
  ],
  [
    'Botpress',
    { responses: [{ type: 'text', text: 'Sunny.' }], actions: [{ name: 'get_weather', input: weather }] },
  ],
  [
    'a UI message of the AI SDK',
    {
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-get_weather', toolCallId: '1', state: 'output-available', input: weather, output: 'x' },
        { type: 'text', text: 'Sunny.' },
      ],
    },
  ],
  [
    'Pydantic AI',
    [
      {
        kind: 'request',
        parts: [
          { part_kind: 'system-prompt', content: 's' },
          { part_kind: 'user-prompt', content: 'q' },
        ],
      },
      {
        kind: 'response',
        parts: [{ part_kind: 'tool-call', tool_name: 'get_weather', args: text, tool_call_id: '1' }],
      },
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'get_weather', content: 'ok', tool_call_id: '1' }],
      },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'Sunny.' }] },
    ],
  ],
  [
    'Agno',
    {
      content: 'Sunny.',
      tools: [{ tool_call_id: '1', tool_name: 'get_weather', tool_args: weather, result: 'x' }],
    },
  ],
  [
    'the Agents SDK of OpenAI in Python',
    {
      final_output: 'Sunny.',
      new_items: [
        {
          type: 'tool_call_item',
          raw_item: { type: 'function_call', name: 'get_weather', arguments: text, call_id: 'x' },
        },
      ],
    },
  ],
  [
    'the Agents SDK of OpenAI in JavaScript',
    {
      finalOutput: 'Sunny.',
      newItems: [
        {
          type: 'tool_call_item',
          rawItem: { type: 'function_call', name: 'get_weather', arguments: text, callId: 'x' },
        },
        {
          type: 'tool_call_output_item',
          rawItem: { type: 'function_call_result', callId: 'x', output: { type: 'text', text: 'ok' } },
        },
      ],
    },
  ],
  [
    'the Agent SDK of Anthropic',
    {
      messages: [
        { type: 'system', subtype: 'init', tools: ['get_weather'] },
        {
          type: 'assistant',
          message: {
            role: 'assistant',
            content: [{ type: 'tool_use', id: '1', name: 'get_weather', input: weather }],
          },
        },
        { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'Sunny.' }] } },
        { type: 'result', subtype: 'success', result: 'Sunny.' },
      ],
    },
  ],
  [
    'Letta',
    {
      messages: [
        { message_type: 'reasoning_message', reasoning: 'x' },
        {
          message_type: 'tool_call_message',
          tool_call: { name: 'get_weather', arguments: text, tool_call_id: '1' },
        },
        { message_type: 'tool_return_message', tool_return: 'ok', status: 'success', tool_call_id: '1' },
        { message_type: 'assistant_message', content: 'Sunny.' },
        { message_type: 'usage_statistics' },
      ],
    },
  ],
  [
    'a server with an envelope of its own',
    { data: { answer: 'Sunny.', tool_calls: [{ name: 'get_weather', arguments: weather }] } },
  ],
];

test.each(replies)('the reply of %s is read with its answer and its call', (_framework, reply) => {
  const { answer, toolCalls, toolsUnknown } = readReply(reply);
  expect({ answer, toolsUnknown }).toEqual({ answer: 'Sunny.', toolsUnknown: undefined });
  expect(toolCalls.map(({ name, arguments: args }) => [name, args])).toEqual([['get_weather', weather]]);
});

test.each<[string, unknown, string]>([
  [
    'Rasa, over REST',
    [
      { recipient_id: 'u', text: 'Hello.' },
      { recipient_id: 'u', image: 'x' },
      { recipient_id: 'u', text: 'More?' },
    ],
    'Hello.\nMore?',
  ],
  ['Hugging Face', [{ generated_text: 'Hello.' }], 'Hello.'],
  ['CrewAI', { raw: 'Hello.', tasks_output: [], json_dict: null }, 'Hello.'],
  [
    'an agent on the command line',
    { type: 'result', subtype: 'success', is_error: false, result: 'Hello.' },
    'Hello.',
  ],
  ['Bedrock agents', { completion: 'Hello.' }, 'Hello.'],
])('an answer of %s says nothing of tools', (_name, reply, answer) => {
  expect(readReply(reply)).toMatchObject({ answer, toolCalls: [], toolsUnknown: true });
});

test.each<[string, unknown, string]>([
  ['a flag', { name: 'a', result: 'boom', is_error: true }, 'boom'],
  ['a flag of Agno', { tool_name: 'a', tool_call_error: true, result: 'boom' }, 'boom'],
  ['its status', { name: 'a', status: 'error' }, 'failed'],
  ['success: false', { name: 'a', success: false, result: { error: 'no key' } }, 'no key'],
  ['an error in words', { name: 'a', error: { message: 'timeout' }, result: null }, 'timeout'],
])('a call that failed says so by %s', (_name, call, error) => {
  expect(readReply({ answer: 'x', tool_calls: [call] }).toolCalls).toMatchObject([{ name: 'a', error }]);
  expect(readReply({ answer: 'x', usedTools: [call] }).toolCalls).toMatchObject([{ name: 'a', error }]);
});

test.each([
  { status: 'ok' },
  { status: 'completed' },
  { success: true },
  { is_error: false },
  { error: null },
])('a call with %o did not fail', (said) => {
  expect(readReply({ answer: 'x', tool_calls: [{ name: 'a', result: 1, ...said }] }).toolCalls).toEqual([
    { name: 'a', result: 1 },
  ]);
});

test('a failed tool of Haystack and a retry of Pydantic AI are failed calls', () => {
  const haystack = [
    { role: 'assistant', content: [{ tool_call: { tool_name: 'a', arguments: {}, id: '1' } }] },
    {
      role: 'tool',
      content: [{ tool_call_result: { result: 'boom', origin: { tool_name: 'a', id: '1' }, error: true } }],
    },
  ];
  const pydantic = [
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'a', args: {}, tool_call_id: '1' }] },
    {
      kind: 'request',
      parts: [{ part_kind: 'retry-prompt', tool_name: 'a', tool_call_id: '1', content: 'boom' }],
    },
  ];
  for (const messages of [haystack, pydantic]) {
    expect(readReply({ messages }).toolCalls).toMatchObject([{ name: 'a', error: 'boom' }]);
  }
});

test('calls whose arguments are no JSON are calls of LangChain all the same', () => {
  const calls = {
    tool_calls: [],
    invalid_tool_calls: [{ name: 'delete_all', args: '{bad', id: '1', error: 'no JSON' }],
  };
  expect(readReply({ content: 'ok', ...calls }).toolCalls).toMatchObject([
    { name: 'delete_all', error: 'no JSON' },
  ]);
  expect(readReply({ messages: [{ type: 'ai', content: 'ok', ...calls }] }).toolCalls).toMatchObject([
    { name: 'delete_all' },
  ]);
});

test('a tool with free text as its input is a call', () => {
  const custom = { id: '1', type: 'custom', custom: { name: 'run_sql', input: 'drop table a' } };
  const message = { role: 'assistant', content: null, tool_calls: [custom] };
  expect(readReply({ choices: [{ message }] }).toolCalls).toEqual([
    { id: '1', name: 'run_sql', arguments: 'drop table a' },
  ]);
});

test('a program may print the reply of a model as it came', () => {
  const message = {
    role: 'assistant',
    content: 'Hi.',
    tool_calls: [{ id: '1', function: { name: 'a', arguments: '{}' } }],
  };
  expect(readReplyText(JSON.stringify({ choices: [{ message }] }))).toMatchObject({
    answer: 'Hi.',
    toolCalls: [{ name: 'a' }],
  });
});

test.each<[string, unknown]>([
  [
    'a refusal beside the text',
    { choices: [{ message: { role: 'assistant', content: null, refusal: 'Nope.' }, finish_reason: 'stop' }] },
  ],
  [
    'a part that is a refusal',
    {
      object: 'response',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'Nope.' }] }],
    },
  ],
  [
    'the text of a guardrail',
    {
      output: { message: { role: 'assistant', content: [{ text: 'Ask about our goods.' }] } },
      stopReason: 'guardrail_intervened',
    },
  ],
])('%s is a refusal by the provider, whatever its words', (_name, reply) => {
  expect(readReply(reply).refused).toBeDefined();
});

test.each<[string, unknown, string]>([
  [
    'the feedback of Gemini in Python',
    { candidates: [], prompt_feedback: { block_reason: 'SAFETY' } },
    'SAFETY',
  ],
  ['a candidate of Gemini in Python', { candidates: [{ finish_reason: 'SAFETY' }] }, 'SAFETY'],
  [
    'Responses without output',
    {
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      output: [],
    },
    'content_filter',
  ],
])('%s gives the word of the provider', (_name, reply, finishReason) => {
  expect(readReply(reply)).toMatchObject({ answer: null, finishReason });
});

test('an error of the provider inside a success is no answer', () => {
  const error = { object: 'error', message: 'Service tier capacity exceeded', code: 3505 };
  expect(() => readReply(error)).toThrow('The target reported: Service tier capacity exceeded');
});

test.each<[string, object, string[]]>([
  ['LangChain', { source_documents: [{ page_content: 'x', metadata: { source: 'a.md' } }] }, ['a.md']],
  ['LlamaIndex', { source_nodes: [{ node: { id_: 'n1', text: 'x' }, score: 0.8 }] }, ['n1']],
  ['Flowise', { sourceDocuments: [{ pageContent: 'x', metadata: { source: 'a.md' } }] }, ['a.md']],
  [
    'Dify',
    { metadata: { retriever_resources: [{ document_name: 'a.md', document_id: 'd', content: 'x' }] } },
    ['d'],
  ],
  ['a bot with chunks', { chunks: [{ source: 'a.md', text: 'x' }] }, ['a.md']],
])('the documents of %s are read', (_name, reply, ids) => {
  expect(readReply({ answer: 'ok', ...reply }).documents?.map(({ id }) => id)).toEqual(ids);
});

test('a list that is no list of documents is none, and is no error', () => {
  expect(
    readReply({ answer: 'ok', chunks: [{ delta: 'o' }], context: 'some text' }).documents,
  ).toBeUndefined();
});
