import { answer, args, argsText, base, openaiUsage, pieces, usage, type BotStream } from './bot-stream.ts';

const difyIds = { task_id: 't', message_id: 'm', conversation_id: 'conv-1' };
const difyMetadata = {
  usage: { prompt_tokens: 7, completion_tokens: 5 },
  retriever_resources: [
    { document_id: 'd1', document_name: 'prices.pdf', content: 'It is $49.', score: 0.9 },
  ],
};

/** The forms of Dify, of Ollama, and of servers that only send pieces of a text. */
export const serverStreams: readonly BotStream[] = [
  {
    ...base,
    form: 'dify',
    what: 'of an agent, which repeats the answer at its end',
    events: [
      [
        {
          event: 'agent_thought',
          ...difyIds,
          id: 'th1',
          position: 1,
          thought: '',
          tool: 'get_order',
          tool_input: argsText,
          observation: '',
        },
      ],
      [
        {
          event: 'agent_thought',
          ...difyIds,
          id: 'th1',
          position: 1,
          thought: '',
          tool: 'get_order',
          tool_input: argsText,
          observation: 'shipped',
        },
      ],
      ...pieces.map((piece) => [{ event: 'agent_message', ...difyIds, id: 'm', answer: piece }] as const),
      [{ event: 'agent_message', ...difyIds, id: 'm', answer }],
      [{ event: 'message_end', ...difyIds, id: 'm', metadata: difyMetadata }],
    ],
    whole: {
      event: 'message',
      ...difyIds,
      id: 'm',
      answer,
      metadata: difyMetadata,
      agent_thoughts: [
        {
          id: 'th1',
          position: 1,
          thought: '',
          tool: 'get_order',
          tool_input: argsText,
          observation: 'shipped',
        },
      ],
    },
    reply: { answer, documents: [{ id: 'd1', text: 'It is $49.', sources: ['prices.pdf'], score: 0.9 }] },
  },
  {
    ...base,
    form: 'dify',
    what: 'of a chatflow, whose answer is replaced',
    events: [
      [{ event: 'workflow_started', ...difyIds, workflow_run_id: 'w', data: { id: 'w' } }],
      [{ event: 'node_started', ...difyIds, workflow_run_id: 'w', data: { node_type: 'llm' } }],
      [{ event: 'message', ...difyIds, id: 'm', answer: 'something else' }],
      [{ event: 'message_replace', ...difyIds, answer: '' }],
      ...pieces.map((piece) => [{ event: 'message', ...difyIds, id: 'm', answer: piece }] as const),
      [
        {
          event: 'workflow_finished',
          ...difyIds,
          workflow_run_id: 'w',
          data: { status: 'succeeded', error: null },
        },
      ],
      [{ event: 'message_end', ...difyIds, id: 'm', metadata: difyMetadata }],
    ],
    whole: { event: 'message', ...difyIds, workflow_run_id: 'w', id: 'm', answer, metadata: difyMetadata },
    reply: { answer },
  },
  {
    ...base,
    form: 'dify',
    what: 'of a workflow, in pieces of its text',
    events: [
      [{ event: 'workflow_started', task_id: 't', workflow_run_id: 'w', data: { id: 'w' } }],
      [{ event: 'node_started', task_id: 't', workflow_run_id: 'w', data: { node_type: 'llm' } }],
      ...pieces.map((text) => {
        const data = { text, from_variable_selector: ['llm', 'text'] };
        return [{ event: 'text_chunk', task_id: 't', workflow_run_id: 'w', data }] as const;
      }),
      [
        {
          event: 'workflow_finished',
          task_id: 't',
          workflow_run_id: 'w',
          data: { id: 'w', status: 'succeeded', outputs: { text: answer }, error: null },
        },
      ],
    ],
    whole: { task_id: 't', workflow_run_id: 'w', answer },
    reply: { answer },
  },
  {
    form: 'ollama',
    what: 'of /api/chat',
    framing: 'lines',
    headers: { 'content-type': 'application/x-ndjson' },
    events: [
      [
        {
          model: 'm',
          created_at: 'x',
          message: { role: 'assistant', content: '', thinking: 'hm' },
          done: false,
        },
      ],
      [
        {
          model: 'm',
          created_at: 'x',
          message: {
            role: 'assistant',
            content: '',
            tool_calls: [{ function: { name: 'get_order', arguments: args } }],
          },
          done: false,
        },
      ],
      ...pieces.map(
        (content) =>
          [{ model: 'm', created_at: 'x', message: { role: 'assistant', content }, done: false }] as const,
      ),
      [
        {
          model: 'm',
          created_at: 'x',
          message: { role: 'assistant', content: '' },
          done_reason: 'stop',
          done: true,
          prompt_eval_count: 7,
          eval_count: 5,
        },
      ],
    ],
    whole: {
      model: 'm',
      created_at: 'x',
      message: {
        role: 'assistant',
        content: answer,
        thinking: 'hm',
        tool_calls: [{ function: { name: 'get_order', arguments: args } }],
      },
      done_reason: 'stop',
      done: true,
      prompt_eval_count: 7,
      eval_count: 5,
    },
    reply: { answer, toolCalls: [{ name: 'get_order', arguments: args }], finishReason: 'stop' },
  },
  {
    form: 'ollama',
    what: 'of /api/generate',
    framing: 'lines',
    headers: { 'content-type': 'application/x-ndjson' },
    events: [
      ...pieces.map((piece) => [{ model: 'm', created_at: 'x', response: piece, done: false }] as const),
      [
        {
          model: 'm',
          created_at: 'x',
          response: '',
          done: true,
          done_reason: 'stop',
          prompt_eval_count: 7,
          eval_count: 5,
        },
      ],
    ],
    whole: {
      model: 'm',
      created_at: 'x',
      response: answer,
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 7,
      eval_count: 5,
    },
    reply: { answer },
  },
  {
    ...base,
    form: 'text',
    what: 'as it is',
    endsByItself: true,
    events: pieces.map((piece) => [piece] as const),
    whole: answer,
    reply: { answer },
  },
  {
    ...base,
    form: 'text',
    what: 'as texts of JSON',
    endsByItself: true,
    events: [...pieces.map((piece) => [JSON.stringify(piece)] as const), ['[DONE]']],
    whole: answer,
    reply: { answer },
  },
  {
    ...base,
    form: 'text',
    what: 'under a name, with sources at its end',
    endsByItself: true,
    events: [
      ['status', { message: 'Searching' }],
      ...pieces.map((token) => ['token', { token }] as const),
      ['sources', [{ id: 'prices', text: 'It is $49.' }]],
      ['done', { token: answer, usage: openaiUsage }],
    ],
    whole: { answer, sources: [{ id: 'prices', text: 'It is $49.' }], usage: openaiUsage },
    reply: { answer, usage, documents: [{ id: 'prices', text: 'It is $49.' }] },
  },
];
