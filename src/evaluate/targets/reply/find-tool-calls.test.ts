import { expect, test } from 'vitest';
import { readReply } from '../read-reply.ts';

const wipe = { name: 'delete_all', arguments: { table: 't' } };
const args = { table: 't' };
const asText = '{"table":"t"}';

const forms: [framework: string, parts: object][] = [
  [
    'LangChain in Python',
    { intermediate_steps: [[{ tool: 'delete_all', tool_input: args, log: 'I wipe it' }, 'ok']] },
  ],
  [
    'LangChain, two steps',
    {
      intermediate_steps: [
        [{ tool: 'delete_all', tool_input: args }, 'ok'],
        [{ tool: 'delete_all', tool_input: args }, { rows: 1 }],
      ],
    },
  ],
  [
    'LangChain, serialised',
    {
      intermediate_steps: [
        [
          {
            lc: 1,
            type: 'constructor',
            id: ['a', 'AgentAction'],
            kwargs: { tool: 'delete_all', tool_input: args },
          },
          'ok',
        ],
      ],
    },
  ],
  [
    'LangChain in JavaScript, n8n',
    { intermediateSteps: [{ action: { tool: 'delete_all', toolInput: args, log: '' }, observation: 'ok' }] },
  ],
  ['Flowise', { usedTools: [{ tool: 'delete_all', toolInput: args, toolOutput: 'ok' }] }],
  ['the first interface of OpenAI', { function_call: { name: 'delete_all', arguments: asText } }],
  ['function_calls', { function_calls: [{ name: 'delete_all', args }] }],
  ['functionCalls', { functionCalls: [{ id: '1', name: 'delete_all', args }] }],
  [
    'AI SDK in a chat',
    { toolInvocations: [{ state: 'result', toolCallId: 'c', toolName: 'delete_all', args, result: 'ok' }] },
  ],
  [
    'AI SDK',
    {
      toolCalls: [],
      steps: [
        {
          toolCalls: [{ type: 'tool-call', toolCallId: 'c', toolName: 'delete_all', args }],
          toolResults: [{ type: 'tool-result', toolCallId: 'c', toolName: 'delete_all', result: 'ok' }],
        },
        { toolCalls: [] },
      ],
    },
  ],
  [
    'AI SDK 5',
    {
      steps: [
        {
          content: [
            { type: 'tool-call', toolCallId: 'c', toolName: 'delete_all', input: args },
            { type: 'tool-result', toolCallId: 'c', toolName: 'delete_all', output: 'ok' },
          ],
          toolCalls: [{ type: 'tool-call', toolCallId: 'c', toolName: 'delete_all', input: args }],
        },
      ],
    },
  ],
  [
    'Dify',
    {
      agent_thoughts: [
        {
          thought: 'hm',
          tool: 'delete_all',
          tool_input: '{"delete_all": {"table": "t"}}',
          observation: '{"delete_all": "ok"}',
        },
        { thought: 'done', tool: '', tool_input: '' },
      ],
    },
  ],
  ['actions of texts', { actions: ['delete_all'] }],
  ['actions', { actions: [{ name: 'delete_all', args }] }],
  ['ReAct', { actions: [{ action: 'delete_all', action_input: args, observation: 'ok' }] }],
  [
    'a trace of events',
    {
      trace: [
        { type: 'llm', name: 'gpt' },
        { type: 'tool', name: 'delete_all', input: args, output: 'ok' },
      ],
    },
  ],
  ['a trace of tools', { trace: [{ step: 1, tool: 'delete_all', input: args }] }],
  ['.NET', { ToolCalls: [{ Name: 'delete_all', Arguments: args }] }],
  ['metadata', { metadata: { tool_calls: [{ name: 'delete_all', args }] } }],
  [
    'OpenAI passed on beside the answer',
    {
      choices: [
        {
          message: {
            content: 'Tidied.',
            tool_calls: [{ id: '1', type: 'function', function: { name: 'delete_all', arguments: asText } }],
          },
        },
      ],
    },
  ],
  [
    'LlamaIndex',
    {
      sources: [
        {
          tool_name: 'delete_all',
          content: 'ok',
          raw_input: { args: [], kwargs: args },
          raw_output: 'ok',
          is_error: false,
        },
      ],
    },
  ],
  [
    'smolagents',
    {
      steps: [
        {
          step_number: 1,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'delete_all', arguments: args } }],
          observations: 'ok',
        },
      ],
    },
  ],
  [
    'OpenAI Agents',
    {
      new_items: [
        {
          type: 'tool_call_item',
          raw_item: { type: 'function_call', call_id: 'c', name: 'delete_all', arguments: asText },
        },
        {
          type: 'tool_call_output_item',
          raw_item: { type: 'function_call_output', call_id: 'c', output: 'ok' },
        },
      ],
    },
  ],
  [
    'Google ADK',
    {
      events: [
        {
          author: 'bot',
          content: { role: 'model', parts: [{ functionCall: { name: 'delete_all', args } }] },
        },
      ],
    },
  ],
  [
    'Haystack',
    {
      replies: [
        {
          role: 'assistant',
          content: [{ tool_call: { tool_name: 'delete_all', arguments: args, id: 'c' } }],
        },
      ],
    },
  ],
  [
    'Semantic Kernel',
    {
      items: null,
      functionCalls: [
        { $type: 'FunctionCallContent', PluginName: 'db', FunctionName: 'delete_all', Arguments: args },
      ],
    },
  ],
  [
    'Bedrock agents',
    {
      trace: {
        orchestrationTrace: {
          invocationInput: {
            actionGroupInvocationInput: { actionGroupName: 'db', function: 'delete_all', parameters: args },
          },
        },
      },
    },
  ],
  [
    'Mastra',
    { toolCalls: [{ type: 'tool-call', payload: { toolCallId: 'c', toolName: 'delete_all', args } }] },
  ],
  [
    'LangSmith',
    {
      trace: [
        {
          run_type: 'chain',
          name: 'agent',
          child_runs: [{ run_type: 'tool', name: 'delete_all', inputs: args, outputs: 'ok' }],
        },
      ],
    },
  ],
  [
    'events of LangChain',
    {
      events: [
        { event: 'on_tool_start', name: 'delete_all', data: { input: args } },
        { event: 'on_tool_end', name: 'delete_all', data: { output: 'ok' } },
      ],
    },
  ],
  [
    'parts of a chat interface',
    {
      parts: [
        { type: 'text', text: 'Tidied.' },
        { type: 'tool-delete_all', toolCallId: 'c', state: 'output-available', input: args, output: 'ok' },
      ],
    },
  ],
];

test.each(forms)('tool calls are found in the form of %s', (_framework, parts) => {
  const { answer, toolCalls, toolsUnknown, unread = [] } = readReply({ answer: 'Tidied.', ...parts });
  expect(answer).toBe('Tidied.');
  expect(toolCalls[0]).toMatchObject(
    JSON.stringify(parts).includes('["delete_all"]') ? { name: 'delete_all' } : wipe,
  );
  expect(new Set(toolCalls.map(({ name }) => name))).toEqual(new Set(['delete_all']));
  if (!JSON.stringify(parts).includes('"rows"')) expect(toolCalls).toHaveLength(1);
  expect(toolsUnknown).toBeUndefined();
  expect(unread.filter(({ callsAt }) => callsAt !== undefined)).toEqual([]);
});

test('the outcome of a call is found beside it, or where the form keeps it', () => {
  const withOutcome = forms.filter(([, parts]) => /"(ok|result)"/.test(JSON.stringify(parts)));
  const results = withOutcome.map(([framework, parts]) => [
    framework,
    readReply({ answer: 'x', ...parts }).toolCalls[0]?.result,
  ]);
  // smolagents keeps what tools returned as one text of the step.
  const wanted = withOutcome.map(([framework]) => [framework, framework === 'smolagents' ? undefined : 'ok']);
  expect(results).toEqual(wanted);
});

test.each<[string, object]>([
  [
    'OpenAI',
    {
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'Tidied.',
            tool_calls: [{ id: '1', type: 'function', function: { name: 'delete_all', arguments: asText } }],
          },
        },
      ],
      usage: { prompt_tokens: 3 },
    },
  ],
  [
    'Anthropic',
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'text', text: 'Tidied.' },
        { type: 'tool_use', id: '1', name: 'delete_all', input: args },
      ],
      stop_reason: 'tool_use',
    },
  ],
  [
    'Gemini',
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'Tidied.' }, { functionCall: { name: 'delete_all', args } }],
          },
          finishReason: 'STOP',
        },
      ],
    },
  ],
  [
    'Bedrock',
    {
      output: {
        message: {
          role: 'assistant',
          content: [{ text: 'Tidied.' }, { toolUse: { toolUseId: '1', name: 'delete_all', input: args } }],
        },
      },
      stopReason: 'tool_use',
    },
  ],
  [
    'Responses',
    {
      object: 'response',
      tools: [{ type: 'function', name: 'search', parameters: { type: 'object', properties: {} } }],
      output: [
        { type: 'function_call', call_id: '1', name: 'delete_all', arguments: asText },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Tidied.' }] },
      ],
    },
  ],
  [
    'Ollama',
    {
      model: 'm',
      message: {
        role: 'assistant',
        content: 'Tidied.',
        tool_calls: [{ function: { name: 'delete_all', arguments: args } }],
      },
      done_reason: 'stop',
    },
  ],
])('a reply as the API of %s sends it is read, with its calls', (_api, reply) => {
  const { answer, toolCalls, toolsUnknown } = readReply(reply);
  expect(answer).toBe('Tidied.');
  expect(toolCalls).toMatchObject([wipe]);
  expect(toolsUnknown).toBeUndefined();
});

test('a reply of a model without calls says that no tool was used', () => {
  for (const reply of [
    { choices: [{ message: { content: 'Hi.' } }] },
    { content: [{ type: 'text', text: 'Hi.' }], stop_reason: 'end_turn' },
    { candidates: [{ content: { parts: [{ text: 'Hi.' }] } }] },
  ]) {
    expect(readReply(reply)).toMatchObject({ answer: 'Hi.', toolCalls: [] });
    expect(readReply(reply).toolsUnknown).toBeUndefined();
  }
});

test.each<[object]>([
  ...['tool_calls', 'usedTools', 'function_calls', 'intermediate_steps', 'agent_thoughts', 'actions'].map(
    (key): [object] => [{ [key]: [] }],
  ),
  [{ function_call: null }],
  [{ metadata: { tool_calls: [] } }],
  [{ steps: [{ text: 'Hi.', toolCalls: [] }] }],
  [{ agent_thoughts: [{ thought: 'I know this', tool: '' }] }],
])('%o says that no tool was used', (parts) => {
  const { toolCalls, toolsUnknown } = readReply({ answer: 'Hi.', ...parts });
  expect(toolCalls).toEqual([]);
  expect(toolsUnknown).toBeUndefined();
});

test.each<[object, string | undefined]>([
  [{}, undefined],
  [{ model: 'm', session: 's', confidence: 0.9, created: 1 }, undefined],
  [{ trace: [] }, undefined],
  [{ steps: ['think', 'write'] }, 'steps'],
  [{ my_calls: [{ tool: 'delete_all', args: {} }] }, 'my_calls'],
  [{ invoked: { list: [{ tool: 'delete_all' }] } }, 'invoked.list'],
  [{ data: { tools_i_used: ['delete_all'] } }, 'data.tools_i_used'],
  [{ pluginLog: ['delete_all'] }, 'pluginLog'],
  [
    { tools: [{ type: 'function', function: { name: 'delete_all', parameters: { type: 'object' } } }] },
    undefined,
  ],
])('%o does not say which tools were used', (parts, callsAt) => {
  const { toolCalls, toolsUnknown, unread = [] } = readReply({ answer: 'Hi.', ...parts });
  expect(toolCalls).toEqual([]);
  expect(toolsUnknown).toBe(true);
  expect(unread.flatMap((member) => member.callsAt ?? [])).toEqual(callsAt === undefined ? [] : [callsAt]);
});

test('of several lists the fullest counts, with the tools that only another one names', () => {
  const steps = [
    [{ tool: 'search', tool_input: {} }, 'x'],
    [{ tool: 'read', tool_input: {} }, 'y'],
  ];
  const reply = {
    answer: 'Hi.',
    tool_calls: [{ name: 'delete_all' }, { name: 'read' }].slice(0, 1),
    intermediate_steps: steps,
  };
  expect(readReply(reply).toolCalls.map(({ name }) => name)).toEqual(['search', 'read', 'delete_all']);
  expect(
    readReply({ answer: 'Hi.', tools_used: ['a', 'b'], tool_calls: ['a', 'a', 'b'] }).toolCalls,
  ).toHaveLength(3);
});

test('members that nothing reads are listed, those that are read are not', () => {
  const reply = {
    id: 7,
    answer: 'Hi.',
    session: 's',
    usage: { inputTokens: 1 },
    usedTools: [],
    confidence: 1,
  };
  expect(readReply(reply).unread).toEqual([{ key: 'session' }, { key: 'confidence' }]);
});

test('a journal of a million characters, and one that contains itself, are read in time that grows with their length', () => {
  const journal: object[] = Array.from({ length: 20_000 }, (_, index) => ({
    step: index,
    text: 'x'.repeat(40),
    tool: 'search',
  }));
  expect(readReply({ answer: 'Hi.', trace: journal }).toolCalls).toHaveLength(20_000);
  const loop: { steps: unknown[] } = { steps: [] };
  loop.steps.push(loop, loop);
  expect(readReply({ answer: 'Hi.', trace: [loop] }).toolCalls).toEqual([]);
});
