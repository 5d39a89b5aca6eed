import { answer, args, base, call, halves, pieces, sse, usage, type BotStream } from './bot-stream.ts';

const toolMessage = { type: 'tool', name: 'get_order', tool_call_id: 'call_1', content: 'shipped', id: 't1' };
const aiChunk = (content: string, rest: object = {}) => ({
  content,
  additional_kwargs: {},
  response_metadata: {},
  type: 'AIMessageChunk',
  name: null,
  id: 'run-1',
  tool_calls: [],
  invalid_tool_calls: [],
  usage_metadata: null,
  tool_call_chunks: [],
  ...rest,
});
const aiMessage = {
  content: answer,
  type: 'ai',
  id: 'run-1',
  tool_calls: [{ name: 'get_order', args, id: 'call_1', type: 'tool_call' }],
  usage_metadata: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
};
const aiChunks = [
  aiChunk('', { tool_call_chunks: [{ index: 0, id: 'call_1', name: 'get_order', args: halves[0] }] }),
  aiChunk('', { tool_call_chunks: [{ index: 0, id: null, name: null, args: halves[1] }] }),
  ...pieces.map((piece) => aiChunk(piece)),
  aiChunk('', { usage_metadata: aiMessage.usage_metadata }),
];

/** The forms of frameworks, as their servers write them. */
export const frameworkStreams: readonly BotStream[] = [
  {
    form: 'ai-sdk',
    what: 'with a tool and its outcome',
    framing: 'events',
    headers: { ...sse, 'x-vercel-ai-ui-message-stream': 'v1' },
    events: [
      [{ type: 'start', messageId: 'm1' }],
      [{ type: 'start-step' }],
      [{ type: 'reasoning-start', id: 'r' }],
      [{ type: 'reasoning-delta', id: 'r', delta: 'hm' }],
      [{ type: 'reasoning-end', id: 'r' }],
      [{ type: 'tool-input-start', toolCallId: 'call_1', toolName: 'get_order' }],
      ...halves.map(
        (inputTextDelta) => [{ type: 'tool-input-delta', toolCallId: 'call_1', inputTextDelta }] as const,
      ),
      [{ type: 'tool-input-available', toolCallId: 'call_1', toolName: 'get_order', input: args }],
      [{ type: 'tool-output-available', toolCallId: 'call_1', output: 'looking', preliminary: true }],
      [{ type: 'tool-output-available', toolCallId: 'call_1', output: { status: 'shipped' } }],
      [{ type: 'finish-step' }],
      [{ type: 'source-url', sourceId: 's1', url: 'https://example.org/prices', title: 'Prices' }],
      [{ type: 'text-start', id: 't' }],
      ...pieces.map((delta) => [{ type: 'text-delta', id: 't', delta }] as const),
      [{ type: 'text-end', id: 't' }],
      [{ type: 'finish', finishReason: 'stop', messageMetadata: { usage } }],
    ],
    whole: {
      id: 'm1',
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm' },
        {
          type: 'dynamic-tool',
          toolCallId: 'call_1',
          toolName: 'get_order',
          state: 'output-available',
          input: args,
          output: { status: 'shipped' },
        },
        { type: 'source-url', sourceId: 's1', url: 'https://example.org/prices', title: 'Prices' },
        { type: 'text', text: answer },
      ],
      finishReason: 'stop',
      metadata: { usage },
    },
    reply: { answer, toolCalls: [{ ...call, result: { status: 'shipped' } }], finishReason: 'stop' },
  },
  {
    form: 'ai-sdk-v4',
    what: 'with a tool and its outcome',
    framing: 'lines',
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-vercel-ai-data-stream': 'v1' },
    events: [
      ['f:{"messageId":"m1"}'],
      ['b:{"toolCallId":"call_1","toolName":"get_order"}'],
      ...halves.map(
        (argsTextDelta) => [`c:${JSON.stringify({ toolCallId: 'call_1', argsTextDelta })}`] as const,
      ),
      [`9:${JSON.stringify({ toolCallId: 'call_1', toolName: 'get_order', args })}`],
      ['a:{"toolCallId":"call_1","result":{"status":"shipped"}}'],
      ['e:{"finishReason":"tool-calls","usage":{"promptTokens":1,"completionTokens":1},"isContinued":false}'],
      ...pieces.map((piece) => [`0:${JSON.stringify(piece)}`] as const),
      ['d:{"finishReason":"stop","usage":{"promptTokens":7,"completionTokens":5}}'],
    ],
    whole: {
      id: 'm1',
      role: 'assistant',
      parts: [
        {
          type: 'dynamic-tool',
          toolCallId: 'call_1',
          toolName: 'get_order',
          state: 'output-available',
          input: args,
          output: { status: 'shipped' },
        },
        { type: 'text', text: answer },
      ],
      finishReason: 'stop',
      usage: { promptTokens: 7, completionTokens: 5 },
    },
    reply: { answer, toolCalls: [{ ...call, result: { status: 'shipped' } }], usage, finishReason: 'stop' },
  },
  {
    ...base,
    form: 'langserve',
    what: 'of a model',
    events: [
      ['metadata', { run_id: 'r' }],
      ...aiChunks.map((each) => ['data', each] as const),
      ['end', undefined],
    ],
    whole: { output: aiMessage, metadata: { run_id: 'r' } },
    reply: { answer, toolCalls: [call] },
  },
  {
    ...base,
    form: 'langserve',
    what: 'of a model that calls nothing, as langserve 0.3.3 writes it',
    events: [
      ['metadata', { run_id: 'r' }],
      ...pieces.map((content) => ['data', aiChunk(content)] as const),
      ['data', aiChunk('', { usage_metadata: aiMessage.usage_metadata })],
      ['data', aiChunk('', { chunk_position: 'last' })],
      ['end', undefined],
    ],
    whole: {
      output: { ...aiMessage, tool_calls: [], invalid_tool_calls: [] },
      metadata: { run_id: 'r' },
    },
    reply: { answer, toolCalls: [], usage },
  },
  {
    ...base,
    form: 'langserve',
    what: 'of a chain of retrieval',
    events: [
      ['metadata', { run_id: 'r' }],
      ['data', { context: [{ page_content: 'It is $49.', metadata: { source: 'prices.pdf' } }] }],
      ...pieces.map((piece) => ['data', { answer: piece }] as const),
      ['end', undefined],
    ],
    whole: {
      output: { context: [{ page_content: 'It is $49.', metadata: { source: 'prices.pdf' } }], answer },
      metadata: { run_id: 'r' },
    },
    reply: { answer },
  },
  {
    ...base,
    form: 'langgraph',
    what: 'in pieces and states',
    endsByItself: true,
    events: [
      ['metadata', { run_id: 'r', attempt: 1 }],
      ['values', { messages: [{ type: 'human', content: 'How much?', id: 'h1' }] }],
      ...aiChunks.map((each) => ['messages', [each, { langgraph_node: 'agent' }]] as const),
      [
        'values',
        {
          messages: [
            { type: 'human', content: 'How much?', id: 'h1' },
            { ...aiMessage, content: '' },
            toolMessage,
            { type: 'ai', content: answer, id: 'run-2' },
          ],
        },
      ],
      ['end', undefined],
    ],
    whole: {
      messages: [
        { type: 'human', content: 'How much?', id: 'h1' },
        { ...aiMessage, content: '' },
        toolMessage,
        { type: 'ai', content: answer, id: 'run-2' },
      ],
    },
    reply: { answer, toolCalls: [{ ...call, result: 'shipped' }] },
  },
  {
    ...base,
    form: 'langgraph',
    what: 'in messages so far',
    endsByItself: true,
    events: [
      ['metadata', { run_id: 'r', attempt: 1 }],
      ['messages/metadata', { 'run-1': { metadata: { langgraph_node: 'agent' } } }],
      ['messages/partial', [{ ...aiMessage, content: '', tool_calls: [] }]],
      ['messages/partial', [{ ...aiMessage, content: '' }]],
      ['messages/complete', [toolMessage]],
      ...pieces.map((_piece, index) => {
        const content = pieces.slice(0, index + 1).join('');
        return ['messages/partial', [{ type: 'ai', content, id: 'run-2' }]] as const;
      }),
    ],
    whole: {
      messages: [{ ...aiMessage, content: '' }, toolMessage, { type: 'ai', content: answer, id: 'run-2' }],
    },
    reply: { answer, toolCalls: [{ ...call, result: 'shipped' }] },
  },
  {
    ...base,
    form: 'langserve',
    what: 'of /stream_events',
    events: [
      ['data', { event: 'on_chain_start', run_id: 'a', name: 'agent', data: { input: 'How much?' } }],
      ['data', { event: 'on_chat_model_start', run_id: 'b', name: 'ChatModel', data: {} }],
      ...aiChunks.map(
        (chunk) =>
          [
            'data',
            { event: 'on_chat_model_stream', run_id: 'b', name: 'ChatModel', data: { chunk } },
          ] as const,
      ),
      ['data', { event: 'on_chain_end', run_id: 'a', name: 'agent', data: { output: answer } }],
      ['end', undefined],
    ],
    whole: { output: { messages: [aiMessage] } },
    reply: { answer, toolCalls: [call] },
  },
];
