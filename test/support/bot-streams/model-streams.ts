import {
  answer,
  args,
  argsText,
  base,
  call,
  halves,
  openaiUsage,
  pieces,
  usage,
  type BotStream,
} from './bot-stream.ts';

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const responsesItems = [
  { type: 'reasoning', id: 'rs_1', summary: [] },
  {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'get_order',
    arguments: argsText,
    status: 'completed',
  },
  {
    type: 'mcp_call',
    id: 'mcp_1',
    name: 'search',
    server_label: 's',
    arguments: '{"q":"x"}',
    output: 'found',
  },
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: answer, annotations: [] }],
  },
];
const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  model: 'm',
  output: responsesItems,
  usage: { input_tokens: 7, output_tokens: 5 },
};
const anthropicHead = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null };
const geminiPart = (part: object, rest: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, index: 0, ...rest }],
  modelVersion: 'm',
});

/** The forms of the APIs of models, as their servers write them. */
export const modelStreams: readonly BotStream[] = [
  {
    ...base,
    form: 'openai-chat',
    what: 'with a call of a tool',
    events: [
      [chunk({ role: 'assistant', content: '' })],
      ...pieces.map((content) => [chunk({ content })] as const),
      [
        chunk({
          tool_calls: [
            { index: 0, id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '' } },
          ],
        }),
      ],
      ...halves.map(
        (text) => [chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })] as const,
      ),
      [chunk({}, 'stop')],
      [{ id: 'c1', object: 'chat.completion.chunk', model: 'm', choices: [], usage: openaiUsage }],
      ['[DONE]'],
    ],
    whole: {
      object: 'chat.completion',
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: answer,
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'get_order', arguments: argsText } },
            ],
          },
          finish_reason: 'stop',
        },
      ],
      usage: openaiUsage,
    },
    reply: { answer, toolCalls: [call], usage, finishReason: 'stop' },
  },
  {
    ...base,
    form: 'openai-responses',
    what: 'with calls and a thought',
    events: [
      [
        'response.created',
        { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
      ],
      ...responsesItems.map(
        (item, output_index) =>
          [
            'response.output_item.added',
            {
              type: 'response.output_item.added',
              output_index,
              item: item.type === 'message' ? { ...item, content: [] } : { ...item, arguments: '' },
            },
          ] as const,
      ),
      ...pieces.map(
        (delta) =>
          [
            'response.output_text.delta',
            {
              type: 'response.output_text.delta',
              output_index: 3,
              content_index: 0,
              item_id: 'msg_1',
              delta,
            },
          ] as const,
      ),
      ...halves.map(
        (delta) =>
          [
            'response.function_call_arguments.delta',
            { type: 'response.function_call_arguments.delta', output_index: 1, delta },
          ] as const,
      ),
      ['response.completed', { type: 'response.completed', response }],
    ],
    whole: response,
    reply: {
      answer,
      toolCalls: [call, { id: 'mcp_1', name: 'search', arguments: { q: 'x' }, result: 'found' }],
      usage,
    },
  },
  {
    ...base,
    form: 'anthropic',
    what: 'with a call of a tool',
    events: [
      [
        'message_start',
        {
          type: 'message_start',
          message: { ...anthropicHead, content: [], usage: { input_tokens: 7, output_tokens: 1 } },
        },
      ],
      ['ping', { type: 'ping' }],
      [
        'content_block_start',
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ],
      ...pieces.map(
        (text) =>
          [
            'content_block_delta',
            { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
          ] as const,
      ),
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      [
        'content_block_start',
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 'call_1', name: 'get_order', input: {} },
        },
      ],
      ...halves.map(
        (partial_json) =>
          [
            'content_block_delta',
            { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json } },
          ] as const,
      ),
      ['content_block_stop', { type: 'content_block_stop', index: 1 }],
      [
        'message_delta',
        {
          type: 'message_delta',
          delta: { stop_reason: 'tool_use', stop_sequence: null },
          usage: { output_tokens: 5 },
        },
      ],
      ['message_stop', { type: 'message_stop' }],
    ],
    whole: {
      ...anthropicHead,
      content: [
        { type: 'text', text: answer },
        { type: 'tool_use', id: 'call_1', name: 'get_order', input: args },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 7, output_tokens: 5 },
    },
    reply: { answer, toolCalls: [call], usage, finishReason: 'tool_use' },
  },
  {
    ...base,
    form: 'gemini',
    what: 'with a call of a tool',
    events: [
      [geminiPart({ text: 'hm', thought: true })],
      ...pieces.map((text) => [geminiPart({ text })] as const),
      [geminiPart({ functionCall: { name: 'get_order', args } })],
      [
        {
          ...geminiPart({ text: '' }, { finishReason: 'STOP' }),
          usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5 },
        },
      ],
    ],
    whole: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { text: answer },
              { functionCall: { name: 'get_order', args } },
              { text: '' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      modelVersion: 'm',
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5 },
    },
    reply: { answer, toolCalls: [{ name: 'get_order', arguments: args }], finishReason: 'STOP' },
  },
];
