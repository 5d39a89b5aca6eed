import { expect, test } from 'vitest';
import type { Attributes, Span, SpanEvent } from '../../../../core/schema/message.ts';
import { readTrace, type TraceAnswer } from './read-trace.ts';

let spans = 0;

/** Returns a span for tests, one second long; `at` is the second in which it begins. */
function span(name: string, at: number, parts: Partial<Span> & { for?: number } = {}): Span {
  const { for: seconds = 1, ...rest } = parts;
  spans += 1;
  return {
    place: { file: 'traces.json', line: spans, column: 1 },
    traceId: 't1',
    spanId: `s${spans}`,
    name,
    startMs: at * 1000,
    endMs: (at + seconds) * 1000,
    attributes: {},
    events: [],
    resource: {},
    ...rest,
  };
}

function read(...all: readonly Span[]): TraceAnswer {
  const trace = readTrace({ spans: all });
  if (trace === undefined) return expect.fail('it contains no answer');
  return trace;
}

const json = JSON.stringify;
const event = (name: string, attributes: Attributes): SpanEvent => ({ name, attributes });
const text = (content: string) => [{ type: 'text', content }];

const question = 'Rain in Paris?';
const answer = 'Yes, at 12 °C.';
const given = { city: 'Paris' };
const found = { sky: 'rain', celsius: 12 };
const call = { type: 'tool_call', id: 'c1', name: 'get_weather', arguments: given };
const usages = [
  { 'gen_ai.usage.input_tokens': 20, 'gen_ai.usage.output_tokens': 5 },
  { 'gen_ai.usage.input_tokens': 40, 'gen_ai.usage.output_tokens': 9 },
];

/** Two calls of a model with a tool use between them, within an agent, in one dialect. */
interface Dialect {
  readonly agent?: Attributes;
  readonly models: readonly [Partial<Span>, Partial<Span>];
  readonly tool: Partial<Span>;
}

const asked = { role: 'user', parts: text(question) };
const calling = { role: 'assistant', parts: [call], finish_reason: 'tool_call' };
const toolResult = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: found }] };
const saying = { role: 'assistant', parts: text(answer), finish_reason: 'stop' };
const system = { 'gen_ai.system_instructions': json(text('Be brief.')) };
const inputs = [[asked], [asked, calling, toolResult]];
const outputs = [[calling], [saying]];
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
const messages = (index: 0 | 1, pack: (value: unknown) => unknown): Attributes => ({
  ...system,
  'gen_ai.input.messages': pack(inputs[index]),
  'gen_ai.output.messages': pack(outputs[index]),
});
const executed: Attributes = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'get_weather',
  'gen_ai.tool.call.id': 'c1',
  'gen_ai.tool.call.arguments': json(given),
  'gen_ai.tool.call.result': json(found),
};
const openaiCalls = [
  { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: json(given) } },
];

/** The messages of the first or of both calls as events of the former conventions. */
function events(index: 0 | 1, pack: (body: Attributes) => Attributes): SpanEvent[] {
  const input = [
    event('gen_ai.system.message', pack({ content: 'Be brief.' })),
    event('gen_ai.user.message', pack({ content: question })),
  ];
  if (index === 0) {
    const message = { role: 'assistant', tool_calls: openaiCalls };
    return [...input, event('gen_ai.choice', pack({ index: 0, finish_reason: 'tool_calls', message }))];
  }
  return [
    ...input,
    event('gen_ai.assistant.message', pack({ tool_calls: openaiCalls })),
    event('gen_ai.tool.message', pack({ id: 'c1', content: json(found) })),
    event('gen_ai.choice', pack({ index: 0, finish_reason: 'stop', message: { content: answer } })),
  ];
}

const packed = (body: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, typeof value === 'object' ? json(value) : value]),
  );

const dialects: Readonly<Record<string, Dialect>> = {
  'attributes of JSON': {
    agent: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'bot' },
    models: [
      { attributes: { ...chat, ...messages(0, json) } },
      { attributes: { ...chat, ...messages(1, json) } },
    ],
    tool: { attributes: executed },
  },
  'attributes with structure': {
    models: [
      { attributes: { ...chat, ...messages(0, (value) => value) } },
      { attributes: { ...chat, ...messages(1, (value) => value) } },
    ],
    tool: {
      attributes: { ...executed, 'gen_ai.tool.call.arguments': given, 'gen_ai.tool.call.result': found },
    },
  },
  'an event with all details': {
    models: [
      {
        attributes: chat,
        events: [event('gen_ai.client.inference.operation.details', messages(0, json))],
      },
      {
        attributes: chat,
        events: [event('gen_ai.client.inference.operation.details', messages(1, json))],
      },
    ],
    tool: { attributes: executed },
  },
  'events with structure': {
    models: [
      { attributes: chat, events: events(0, (body) => body) },
      { attributes: chat, events: events(1, (body) => body) },
    ],
    tool: { attributes: executed },
  },
  'events with flat attributes': {
    models: [
      { attributes: chat, events: events(0, packed) },
      { attributes: chat, events: events(1, packed) },
    ],
    tool: { attributes: executed },
  },
  'events with their body as JSON': {
    models: [
      { attributes: chat, events: events(0, (body) => ({ 'gen_ai.event.content': json(body) })) },
      { attributes: chat, events: events(1, (body) => ({ 'gen_ai.event.content': json(body) })) },
    ],
    tool: { attributes: executed },
  },
  OpenInference: {
    agent: {
      'openinference.span.kind': 'AGENT',
      'input.value': question,
      'output.value': answer,
      'session.id': 'x',
    },
    models: [
      {
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.input_messages.0.message.role': 'system',
          'llm.input_messages.0.message.content': 'Be brief.',
          'llm.input_messages.1.message.role': 'user',
          'llm.input_messages.1.message.content': question,
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'get_weather',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': json(given),
          'llm.token_count.prompt': 20,
          'llm.token_count.completion': 5,
        },
      },
      {
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.input_messages.0.message.role': 'system',
          'llm.input_messages.0.message.contents.0.message_content.type': 'text',
          'llm.input_messages.0.message.contents.0.message_content.text': 'Be brief.',
          'llm.input_messages.1.message.role': 'user',
          'llm.input_messages.1.message.content': question,
          'llm.input_messages.2.message.role': 'assistant',
          'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'c1',
          'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'get_weather',
          'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': json(given),
          'llm.input_messages.3.message.role': 'tool',
          'llm.input_messages.3.message.tool_call_id': 'c1',
          'llm.input_messages.3.message.content': json(found),
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.content': answer,
          'llm.token_count.prompt': 40,
          'llm.token_count.completion': 9,
        },
      },
    ],
    tool: {
      attributes: {
        'openinference.span.kind': 'TOOL',
        'tool.name': 'get_weather',
        'tool.parameters': json({ type: 'object', properties: { city: { type: 'string' } } }),
        'input.value': json(given),
        'output.value': json(found),
      },
    },
  },
  OpenLLMetry: {
    agent: { 'traceloop.span.kind': 'workflow', 'traceloop.entity.name': 'bot' },
    models: [
      {
        attributes: {
          'llm.request.type': 'chat',
          'gen_ai.prompt.0.role': 'system',
          'gen_ai.prompt.0.content': 'Be brief.',
          'gen_ai.prompt.1.role': 'user',
          'gen_ai.prompt.1.content': question,
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.finish_reason': 'tool_calls',
          'gen_ai.completion.0.tool_calls.0.id': 'c1',
          'gen_ai.completion.0.tool_calls.0.name': 'get_weather',
          'gen_ai.completion.0.tool_calls.0.arguments': json(given),
        },
      },
      {
        attributes: {
          'llm.request.type': 'chat',
          'gen_ai.prompt.0.role': 'system',
          'gen_ai.prompt.0.content': 'Be brief.',
          'gen_ai.prompt.1.role': 'user',
          'gen_ai.prompt.1.content': json(
            text(question).map(({ content }) => ({ type: 'text', text: content })),
          ),
          'gen_ai.prompt.2.role': 'assistant',
          'gen_ai.prompt.2.tool_calls.0.id': 'c1',
          'gen_ai.prompt.2.tool_calls.0.name': 'get_weather',
          'gen_ai.prompt.2.tool_calls.0.arguments': json(given),
          'gen_ai.prompt.3.role': 'tool',
          'gen_ai.prompt.3.tool_call_id': 'c1',
          'gen_ai.prompt.3.content': json(found),
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.content': answer,
        },
      },
    ],
    tool: {
      attributes: {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'get_weather',
        'traceloop.entity.input': json({ input_str: "{'city': 'Paris'}", inputs: given }),
        'traceloop.entity.output': json(found),
      },
    },
  },
  'the AI SDK': {
    agent: {
      'ai.operationId': 'ai.generateText',
      'ai.prompt': json({ system: 'Be brief.', prompt: question }),
      'ai.response.text': answer,
    },
    models: [
      {
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.prompt.messages': json([
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: [{ type: 'text', text: question }] },
          ]),
          'ai.response.toolCalls': json([
            { toolCallType: 'function', toolCallId: 'c1', toolName: 'get_weather', args: json(given) },
          ]),
        },
      },
      {
        attributes: {
          'ai.operationId': 'ai.generateText.doGenerate',
          'ai.prompt.messages': json([
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: [{ type: 'text', text: question }] },
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
                  output: { type: 'json', value: found },
                },
              ],
            },
          ]),
          'ai.response.text': answer,
        },
      },
    ],
    tool: {
      attributes: {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'get_weather',
        'ai.toolCall.id': 'c1',
        'ai.toolCall.args': json(given),
        'ai.toolCall.result': json(found),
      },
    },
  },
  "Google's ADK": {
    agent: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'bot' },
    models: [
      {
        attributes: {
          'gen_ai.request.model': 'm',
          'gcp.vertex.agent.llm_request': json({
            config: { system_instruction: 'Be brief.' },
            contents: [{ role: 'user', parts: [{ text: question }] }],
          }),
          'gcp.vertex.agent.llm_response': json({
            content: {
              role: 'model',
              parts: [{ function_call: { id: 'c1', name: 'get_weather', args: given } }],
            },
          }),
        },
      },
      {
        attributes: {
          'gen_ai.request.model': 'm',
          'gcp.vertex.agent.llm_request': json({
            config: { system_instruction: 'Be brief.' },
            contents: [
              { role: 'user', parts: [{ text: question }] },
              { role: 'model', parts: [{ function_call: { id: 'c1', name: 'get_weather', args: given } }] },
              {
                role: 'user',
                parts: [{ function_response: { id: 'c1', name: 'get_weather', response: found } }],
              },
            ],
          }),
          'gcp.vertex.agent.llm_response': json({ content: { role: 'model', parts: [{ text: answer }] } }),
        },
      },
    ],
    tool: {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'get_weather',
        'gen_ai.tool.call.id': 'c1',
        'gcp.vertex.agent.llm_request': '{}',
        'gcp.vertex.agent.tool_call_args': json(given),
        'gcp.vertex.agent.tool_response': json(found),
      },
    },
  },
};

function spansOf({ agent, models: [first, second], tool }: Dialect): Span[] {
  const root = agent && span('agent', 0, { for: 5, attributes: agent });
  const inside = root === undefined ? {} : { parentId: root.spanId };
  const withUsage = (index: 0 | 1, parts: Partial<Span>) => ({
    ...inside,
    ...parts,
    attributes: { ...usages[index], ...parts.attributes },
  });
  return [
    span('model', 1, withUsage(0, first)),
    span('get_weather', 2, { ...inside, ...tool }),
    span('model', 3, withUsage(1, second)),
    ...(root === undefined ? [] : [root]),
  ];
}

test.each(Object.entries(dialects))('the conversation is read from %s', (_name, dialect) => {
  const trace = read(...spansOf(dialect));
  expect(trace).toEqual({
    question,
    answer,
    transcript: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: question },
      {
        role: 'assistant',
        content: null,
        toolCalls: [{ id: 'c1', name: 'get_weather', arguments: given, result: found }],
      },
      { role: 'assistant', content: answer },
    ],
    documents: undefined,
    latency: { totalMs: dialect.agent === undefined ? 3000 : 5000, stepsMs: [1000, 1000] },
    usage: { inputTokens: 60, outputTokens: 14 },
    error: undefined,
    notes: [],
  });
});

const rolesOf = ({ transcript }: TraceAnswer) => transcript.map(({ role, content }) => `${role}: ${content}`);
const callsOf = ({ transcript }: TraceAnswer) => transcript.flatMap(({ toolCalls = [] }) => toolCalls);
const model = (at: number, input: unknown, output: unknown, parts: Partial<Span> & { for?: number } = {}) =>
  span('chat', at, {
    ...parts,
    attributes: {
      ...chat,
      'gen_ai.input.messages': json(input),
      'gen_ai.output.messages': json(output),
      ...parts.attributes,
    },
  });
const tool = (at: number, name: string, parts: Partial<Span> = {}) =>
  span(`execute_tool ${name}`, at, {
    ...parts,
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, ...parts.attributes },
  });
const agent = (name: string, at: number, parts: Partial<Span> & { for?: number } = {}) =>
  span(`invoke_agent ${name}`, at, {
    ...parts,
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name, ...parts.attributes },
  });
const says = (role: string, content: string) => ({ role, parts: text(content) });
const asks = (id: string, name: string, args: unknown = {}) => ({
  role: 'assistant',
  parts: [{ type: 'tool_call', id, name, arguments: args }],
});
const gives = (id: string, response: unknown) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id, response }],
});

test('without content, the tools used and their outcomes are still known', () => {
  const trace = read(
    agent('bot', 0, { for: 6, spanId: 'root' }),
    span('chat', 1, { parentId: 'root', attributes: chat }),
    tool(2, 'search', { parentId: 'root', error: 'timed out' }),
    tool(3, 'search', { parentId: 'root' }),
    span('chat', 4, { parentId: 'root', attributes: chat }),
  );
  expect(trace).toMatchObject({ question: undefined, answer: null });
  expect(callsOf(trace)).toEqual([{ name: 'search', error: 'timed out' }, { name: 'search' }]);
});

test('an error of a tool is in the status of its span, in an exception, or in its error type', () => {
  const exception = event('exception', { 'exception.type': 'KeyError', 'exception.message': 'no city' });
  const failures: [Partial<Span>, string][] = [
    [{ error: 'down' }, 'down'],
    [{ error: '', attributes: { 'error.type': 'timeout' } }, 'timeout'],
    [{ attributes: { 'error.type': '503' } }, '503'],
    [{ error: '' }, 'The tool failed; its span does not say why.'],
    [{ error: 'KeyError: no city', events: [exception] }, 'KeyError: no city'],
  ];
  for (const [parts, error] of failures) {
    expect(callsOf(read(tool(0, 'f', parts)))).toEqual([{ name: 'f', error }]);
  }
});

test('a failed call that was repeated is two calls, each with its outcome', () => {
  const trace = read(
    model(0, [says('user', 'q')], [asks('a', 'f')]),
    tool(1, 'f', { error: 'down', attributes: { 'gen_ai.tool.call.id': 'a' } }),
    model(2, [says('user', 'q'), asks('a', 'f'), gives('a', 'Error: down')], [asks('b', 'f')]),
    tool(3, 'f', { attributes: { 'gen_ai.tool.call.id': 'b', 'gen_ai.tool.call.result': 'up' } }),
    model(
      4,
      [says('user', 'q'), asks('a', 'f'), gives('a', 'Error: down'), asks('b', 'f'), gives('b', 'up')],
      [says('assistant', 'done')],
    ),
  );
  expect(callsOf(trace)).toEqual([
    { id: 'a', name: 'f', arguments: {}, result: 'Error: down', error: 'down' },
    { id: 'b', name: 'f', arguments: {}, result: 'up' },
  ]);
  expect(rolesOf(trace)).toEqual(['user: q', 'assistant: null', 'assistant: null', 'assistant: done']);
});

test('simultaneous tools keep their own arguments and results, with and without ids', () => {
  const both = {
    role: 'assistant',
    parts: [...asks('a', 'f', { n: 1 }).parts, ...asks('b', 'f', { n: 2 }).parts],
  };
  for (const withId of [true, false]) {
    const use = (at: number, id: string, n: number) =>
      tool(at, 'f', {
        attributes: {
          ...(withId && { 'gen_ai.tool.call.id': id }),
          'gen_ai.tool.call.arguments': json({ n }),
          'gen_ai.tool.call.result': `of ${n}`,
        },
      });
    const trace = read(model(0, [says('user', 'q')], [both]), use(1.5, 'b', 2), use(1.6, 'a', 1));
    expect(callsOf(trace)).toEqual([
      { id: 'a', name: 'f', arguments: { n: 1 }, result: 'of 1' },
      { id: 'b', name: 'f', arguments: { n: 2 }, result: 'of 2' },
    ]);
  }
});

test('a failed trace has its error, and the conversation so far', () => {
  const trace = read(
    agent('bot', 0, { for: 3, spanId: 'root', error: 'rate limit' }),
    model(1, [says('user', 'q')], [asks('a', 'f')], { parentId: 'root' }),
    span('chat', 2, { parentId: 'root', error: 'rate limit', attributes: chat }),
  );
  expect(trace).toMatchObject({ error: 'rate limit', question: 'q', answer: null });
  expect(callsOf(trace)).toEqual([{ id: 'a', name: 'f', arguments: {} }]);
  expect(trace.notes).toEqual([
    expect.stringMatching(/^the span "chat" at traces\.json:\d+:1 ended with an error: rate limit$/),
  ]);
});

test('a failed model call that was repeated is not a failure of the trace', () => {
  const trace = read(
    agent('bot', 0, { for: 3, spanId: 'root' }),
    model(1, [says('user', 'q')], [], { parentId: 'root', error: 'overloaded' }),
    model(2, [says('user', 'q')], [says('assistant', 'a')], { parentId: 'root', attributes: usages[0] }),
  );
  expect(trace).toMatchObject({ error: undefined, answer: 'a', usage: { inputTokens: 20 } });
  expect(rolesOf(trace)).toEqual(['user: q', 'assistant: a']);
});

test('the documents are those that were found, or those that a ranking kept', () => {
  const retriever = span('retrieve', 1, {
    attributes: {
      'openinference.span.kind': 'RETRIEVER',
      'input.value': 'q',
      'retrieval.documents.0.document.id': 'd1',
      'retrieval.documents.0.document.content': 'one',
      'retrieval.documents.0.document.score': 0.9,
      'retrieval.documents.10.document.content': 'three',
      'retrieval.documents.2.document.id': 2,
      'retrieval.documents.2.document.metadata': json({ source: 'two.md' }),
    },
  });
  const again = { ...retriever, spanId: 'again', startMs: 1500 };
  expect(read(retriever, again).documents).toEqual([
    { id: 'd1', text: 'one', score: 0.9 },
    { id: '2', sources: ['two.md'] },
    { id: 'three', text: 'three' },
  ]);
  const ranking = span('rank', 2, {
    attributes: {
      'openinference.span.kind': 'RERANKER',
      'reranker.input_documents.0.document.id': 'd1',
      'reranker.output_documents.0.document.id': 'd3',
    },
  });
  expect(read(retriever, ranking).documents).toEqual([{ id: 'd3' }]);
  const search = span('retrieval', 1, {
    attributes: {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.documents': json([{ id: 'x', score: 0.5 }]),
    },
  });
  expect(read(search).documents).toEqual([{ id: 'x', score: 0.5 }]);
});

test('an answer from documents has the question that was asked, not the prompt made from it', () => {
  const kind = (name: string) => ({ 'openinference.span.kind': name });
  const trace = read(
    span('rag', 0, {
      spanId: 'root',
      for: 4,
      attributes: {
        ...kind('CHAIN'),
        'input.value': json({ query: 'Who wrote it?' }),
        'output.value': json({ result: 'Ada did.' }),
      },
    }),
    span('retrieve', 1, {
      parentId: 'root',
      attributes: { ...kind('RETRIEVER'), 'retrieval.documents.0.document.content': 'By Ada.' },
    }),
    span('llm', 2, {
      parentId: 'root',
      attributes: {
        ...kind('LLM'),
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'Context: By Ada.\nQuestion: Who wrote it?',
        'llm.output_messages.0.message.content': 'Ada did.',
      },
    }),
    span('embed', 1, {
      parentId: 'root',
      attributes: { ...kind('EMBEDDING'), 'input.value': 'Who wrote it?' },
    }),
    span('judge', 3, {
      spanId: 'judge',
      parentId: 'root',
      attributes: { ...kind('EVALUATOR'), 'output.value': 'bad' },
    }),
    span('judging', 3, {
      parentId: 'judge',
      attributes: { ...kind('LLM'), 'llm.output_messages.0.message.content': 'bad' },
    }),
  );
  expect(trace).toMatchObject({ question: 'Who wrote it?', answer: 'Ada did.', notes: [] });
  expect(rolesOf(trace)).toEqual(['user: Context: By Ada.\nQuestion: Who wrote it?', 'assistant: Ada did.']);
});

test.each([
  ['q', 'a'],
  [json({ question: 'q' }), json({ answer: 'a', sources: ['s'] })],
  [json({ input: 'q', chat_history: [] }), json({ output: 'a' })],
  [
    json({ messages: [{ type: 'human', content: 'q' }] }),
    json({
      messages: [
        { type: 'human', content: 'q' },
        { type: 'ai', content: 'a' },
      ],
    }),
  ],
  [
    json({ messages: [['user', 'q']] }),
    json({ generations: [[{ text: 'a', message: { lc: 1, id: ['AIMessage'], kwargs: { content: 'a' } } }]] }),
  ],
  [
    json({
      model: 'm',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'q' },
      ],
    }),
    json({ choices: [{ message: { role: 'assistant', content: 'a' } }], usage: {} }),
  ],
  [
    json([[{ role: 'user', content: 'q' }]]),
    json({ role: 'assistant', content: [{ type: 'text', text: 'a' }] }),
  ],
  [json({ args: [], kwargs: { user_input: 'q' } }), json({ result: { response: 'a' } })],
  [
    json({ input: [{ role: 'user', content: 'q' }], instructions: 's' }),
    json({ output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }] }),
  ],
])('the outermost span with %s has the question q, and with %s the answer a', (input, output) => {
  const attributes = { 'openinference.span.kind': 'CHAIN', 'input.value': input, 'output.value': output };
  const inside = { parentId: 'root', attributes: { 'openinference.span.kind': 'LLM' } };
  const trace = read(span('root', 0, { spanId: 'root', attributes }), span('llm', 0, inside));
  expect(trace).toMatchObject({ question: 'q', answer: 'a' });
});

test('a call that several libraries record, span within span, is one call', () => {
  const attributes = { ...chat, ...usages[0] };
  const trace = read(
    span('call_llm', 0, {
      spanId: 'outer',
      for: 3,
      attributes: { ...attributes, 'gen_ai.operation.name': 'chat' },
    }),
    span('POST', 0.5, { spanId: 'http', parentId: 'outer', for: 2, attributes: { 'http.method': 'POST' } }),
    model(1, [says('user', 'q')], [says('assistant', 'a')], { parentId: 'http', attributes: usages[0] }),
  );
  expect(trace).toMatchObject({ question: 'q', answer: 'a', usage: { inputTokens: 20, outputTokens: 5 } });
  expect(trace.latency).toEqual({ totalMs: 3000, stepsMs: [3000] });
});

test('messages between agents are not part of the conversation, but their tool uses are', () => {
  const trace = read(
    agent('boss', 0, { for: 9, spanId: 'boss' }),
    model(0.1, [says('user', 'Book it')], [asks('h', 'ask_helper', { task: 'book' })], { parentId: 'boss' }),
    tool(2, 'ask_helper', {
      spanId: 'ask',
      parentId: 'boss',
      endMs: 7000,
      attributes: { 'gen_ai.tool.call.id': 'h', 'gen_ai.tool.call.result': 'booked' },
    }),
    agent('helper', 2, { for: 5, spanId: 'helper', parentId: 'ask' }),
    model(3, [says('user', 'book')], [asks('b', 'book', { n: 1 })], { parentId: 'helper' }),
    tool(4.5, 'book', {
      parentId: 'helper',
      attributes: { 'gen_ai.tool.call.id': 'b', 'gen_ai.tool.call.result': 'ok' },
    }),
    model(
      5.6,
      [says('user', 'book'), asks('b', 'book', { n: 1 }), gives('b', 'ok')],
      [says('assistant', 'booked')],
      {
        parentId: 'helper',
      },
    ),
    model(
      7.5,
      [says('user', 'Book it'), asks('h', 'ask_helper', { task: 'book' }), gives('h', 'booked')],
      [says('assistant', 'It is booked.')],
      { parentId: 'boss' },
    ),
  );
  expect(trace).toMatchObject({ question: 'Book it', answer: 'It is booked.' });
  expect(trace.transcript).toEqual([
    { role: 'user', content: 'Book it' },
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'h', name: 'ask_helper', arguments: { task: 'book' }, result: 'booked' }],
    },
    {
      role: 'assistant',
      content: null,
      name: 'helper',
      toolCalls: [{ id: 'b', name: 'book', arguments: { n: 1 }, result: 'ok' }],
    },
    { role: 'assistant', content: 'It is booked.' },
  ]);
  expect(trace.notes).toEqual([
    '2 calls of models outside the conversation (helper): the transcript contains only their tool calls.',
  ]);
});

test('a conversation continues in the next trace, whether or not its messages are repeated', () => {
  const first = [says('user', 'one'), says('assistant', 'ONE')];
  for (const history of [first, []]) {
    const trace = read(
      model(0, [says('user', 'one')], [says('assistant', 'ONE')]),
      model(100, [...history, says('user', 'two')], [says('assistant', 'TWO')], { traceId: 't2', for: 2 }),
    );
    expect(trace).toMatchObject({ question: 'one', answer: 'TWO', notes: [] });
    expect(rolesOf(trace)).toEqual(['user: one', 'assistant: ONE', 'user: two', 'assistant: TWO']);
    // The user paused for 99 seconds: that is not the bot's time.
    expect(trace.latency).toEqual({ totalMs: 3000, stepsMs: [1000, 2000] });
  }
});

test('a trace of a later turn is about the last message of the user', () => {
  const history = [says('user', 'one'), says('assistant', 'ONE'), says('user', 'two')];
  const trace = read(model(0, history, [says('assistant', 'TWO')]));
  expect(trace).toMatchObject({ question: 'two', answer: 'TWO' });
  expect(trace.transcript).toHaveLength(4);
});

test('separate results belong to the calls of the model that keeps the conversation', () => {
  const trace = read(
    model(0, [says('user', 'q')], [asks('a', 'f')]),
    model(2, [gives('a', 7)], [says('assistant', 'seven')]),
  );
  expect(rolesOf(trace)).toEqual(['user: q', 'assistant: null', 'assistant: seven']);
  expect(callsOf(trace)).toEqual([{ id: 'a', name: 'f', arguments: {}, result: '7' }]);
});

test('of several answers to one question the first counts', () => {
  const trace = read(
    model(0, [says('user', 'q')], [says('assistant', 'a'), says('assistant', 'b')], {
      attributes: { 'gen_ai.request.choice.count': 2 },
    }),
  );
  expect(rolesOf(trace)).toEqual(['user: q', 'assistant: a']);
});

test('without recorded model calls, the messages of the agent are read', () => {
  const attributes = {
    'gen_ai.input.messages': json([says('user', 'q')]),
    'gen_ai.output.messages': json([asks('a', 'f'), gives('a', 1), says('assistant', 'one')]),
    ...usages[0],
  };
  const trace = read(agent('remote', 0, { attributes }));
  expect(trace).toMatchObject({ question: 'q', answer: 'one', usage: { inputTokens: 20, outputTokens: 5 } });
  expect(callsOf(trace)).toEqual([{ id: 'a', name: 'f', arguments: {}, result: 1 }]);
});

test('tokens are unknown when one call does not state them; cached tokens are summed where stated', () => {
  const cached = { 'gen_ai.usage.cache_read.input_tokens': 4, 'llm.cost.total': 0.5 };
  const trace = read(
    model(0, [says('user', 'q')], [asks('a', 'f')], { attributes: { ...usages[0], ...cached } }),
    model(2, [says('user', 'q'), asks('a', 'f')], [says('assistant', 'x')], {
      attributes: { 'gen_ai.usage.input_tokens': 7 },
    }),
  );
  expect(trace.usage).toEqual({ inputTokens: 27, cachedTokens: 4 });
  expect(trace.cost).toBeUndefined();
});

test('the time to the first token counts from the beginning of the trace', () => {
  const root = agent('bot', 0, { spanId: 'root', for: 4 });
  const trace = read(
    root,
    model(1, [says('user', 'q')], [says('assistant', 'x')], {
      parentId: 'root',
      attributes: { 'gen_ai.response.time_to_first_chunk': 0.25 },
    }),
  );
  expect(trace.latency).toEqual({ totalMs: 4000, firstTokenMs: 1250, stepsMs: [1000] });
});

test('a cut-off attribute is named and left out', () => {
  const cut = json([says('user', 'q')]).slice(0, -5);
  const trace = read(
    model(0, [], [says('assistant', 'x')], { attributes: { 'gen_ai.input.messages': cut } }),
  );
  expect(trace).toMatchObject({ question: undefined, answer: 'x' });
  expect(trace.notes).toEqual([
    expect.stringMatching(
      /^the span "chat" at .+: `gen_ai\.input\.messages` is cut off or invalid JSON; it is ignored\.$/,
    ),
  ]);
});

test('an invalid message is named and left out, and the rest is read', () => {
  const trace = read(
    model(0, [{ role: 'king', parts: [] }], [says('assistant', 'x')], { attributes: { 'input.value': 'q' } }),
  );
  expect(trace).toMatchObject({ question: 'q', answer: 'x' });
  expect(trace.notes).toEqual([expect.stringContaining('`input messages[0].role` is the text "king"')]);
});

test("an answer that was cut off in the outermost span is read from the model's message", () => {
  const trace = read(
    span('chain', 0, {
      spanId: 'root',
      for: 3,
      attributes: { 'openinference.span.kind': 'CHAIN', 'input.value': 'q', 'output.value': 'It was a lo' },
    }),
    model(1, [says('user', 'q')], [says('assistant', 'It was a long answer.')], { parentId: 'root' }),
  );
  expect(trace.answer).toBe('It was a long answer.');
});

test('traces of anything else contain no answer', () => {
  expect(readTrace({ spans: [span('GET /', 0, { attributes: { 'http.method': 'GET' } })] })).toBeUndefined();
  expect(
    readTrace({ spans: [span('e', 0, { attributes: { 'openinference.span.kind': 'EMBEDDING' } })] }),
  ).toBeUndefined();
});

test("spans that are their own parents, or each other's, do not cause an endless loop", () => {
  const loop = [
    model(0, [says('user', 'q')], [says('assistant', 'a')], { spanId: 'a', parentId: 'b' }),
    agent('bot', 0, { spanId: 'b', parentId: 'a' }),
    tool(1, 'f', { spanId: 'c', parentId: 'c' }),
  ];
  expect(read(...loop).answer).toBe('a');
});

test('a trace nested as deep as it is long is read', () => {
  const chain = Array.from({ length: 20_000 }, (_, index) =>
    span('step', index, { spanId: `d${index}`, parentId: `d${index - 1}` }),
  );
  const leaf = model(5, [says('user', 'q')], [says('assistant', 'a')], { parentId: 'd19999' });
  expect(read(leaf, ...chain.toReversed()).answer).toBe('a');
});

test.each([
  [
    {
      'langsmith.span.kind': 'llm',
      'gen_ai.prompt': json({ messages: [[{ type: 'human', content: 'q' }]] }),
    },
  ],
  [
    {
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.spanInputs': json({ messages: [{ role: 'user', content: 'q' }] }),
    },
  ],
  [{ 'langfuse.observation.type': 'generation', 'langfuse.observation.input': 'q' }],
  [{ 'gen_ai.request.model': 'm', 'input.value': 'q' }],
])('%j is a call of a model', (attributes) => {
  const said = json([{ role: 'assistant', tool_calls: openaiCalls }]);
  const trace = read(span('llm', 0, { attributes: { ...attributes, 'gen_ai.completion': said } }));
  expect(rolesOf(trace)).toEqual(['user: q', 'assistant: null']);
  expect(callsOf(trace)).toEqual([{ id: 'c1', name: 'get_weather', arguments: given }]);
});

test('an agent of Pydantic AI records its whole conversation', () => {
  const all = [says('user', 'q'), asks('a', 'f'), gives('a', 1), says('assistant', 'one')];
  const attributes = { agent_name: 'bot', 'pydantic_ai.all_messages': json(all), final_result: 'one' };
  const trace = read(span('agent run', 0, { attributes }));
  expect(trace).toMatchObject({ question: 'q', answer: 'one' });
  expect(rolesOf(trace)).toEqual(['user: q', 'assistant: null', 'assistant: one']);
});

test('an agent of Strands records its conversation in events', () => {
  const blocks = (...list: object[]) => json(list);
  const trace = read(
    agent('bot', 0, {
      spanId: 'root',
      for: 5,
      events: [
        event('gen_ai.user.message', { content: blocks({ text: 'q' }) }),
        event('gen_ai.choice', { message: 'one', finish_reason: 'end_turn' }),
      ],
    }),
    span('chat', 1, {
      parentId: 'root',
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        event('gen_ai.user.message', { content: blocks({ text: 'q' }) }),
        event('gen_ai.choice', {
          message: blocks({ toolUse: { toolUseId: 'a', name: 'f', input: { n: 1 } } }),
          finish_reason: 'tool_use',
        }),
      ],
    }),
    tool(2, 'f', {
      parentId: 'root',
      attributes: { 'gen_ai.tool.call.id': 'a' },
      events: [
        event('gen_ai.tool.message', { role: 'tool', content: json({ n: 1 }), id: 'a' }),
        event('gen_ai.choice', { message: blocks({ text: '1' }), id: 'a' }),
      ],
    }),
    span('chat', 3, {
      parentId: 'root',
      attributes: { 'gen_ai.operation.name': 'chat' },
      events: [
        event('gen_ai.user.message', { content: blocks({ text: 'q' }) }),
        event('gen_ai.assistant.message', {
          content: blocks({ toolUse: { toolUseId: 'a', name: 'f', input: { n: 1 } } }),
        }),
        event('gen_ai.tool.message', {
          content: blocks({ toolResult: { toolUseId: 'a', status: 'success', content: [{ text: '1' }] } }),
        }),
        event('gen_ai.choice', { message: blocks({ text: 'one' }), finish_reason: 'end_turn' }),
      ],
    }),
  );
  expect(trace).toMatchObject({ question: 'q', answer: 'one', notes: [] });
  expect(trace.transcript).toEqual([
    { role: 'user', content: 'q' },
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'a', name: 'f', arguments: { n: 1 }, result: '1' }],
    },
    { role: 'assistant', content: 'one' },
  ]);
});

test('arguments and results of a tool are read from all known attributes', () => {
  const ways: Attributes[] = [
    {
      'tool.parameters': json({ n: 1 }),
      'output.value': json({ type: 'tool', tool_call_id: 'x', content: 'r' }),
    },
    { 'input.value': json({ args: [], kwargs: { n: 1 } }), 'output.value': 'r' },
    {
      'tool.parameters': json({ type: 'object', properties: {} }),
      'input.value': json({ n: 1 }),
      'output.value': 'r',
    },
    { 'input.value': 'one', 'tool.parameters': json({ n: 1 }), 'output.value': 'r' },
    { tool_arguments: json({ n: 1 }), tool_response: 'r' },
    { 'gen_ai.tool.input': json({ n: 1 }), 'gen_ai.tool.output': json([{ type: 'text', text: 'r' }]) },
    {
      'gen_ai.tool.call.arguments': { n: 1 },
      'gen_ai.tool.call.result': json({ content: [{ type: 'text', text: 'r' }] }),
    },
  ];
  for (const attributes of ways) {
    expect(callsOf(read(tool(0, 'f', { attributes })))).toEqual([
      { name: 'f', arguments: { n: 1 }, result: 'r' },
    ]);
  }
  const failed = {
    'gen_ai.tool.call.result': json({ isError: true, content: [{ type: 'text', text: 'down' }] }),
  };
  expect(callsOf(read(tool(0, 'f', { attributes: failed })))).toEqual([{ name: 'f', error: 'down' }]);
});
