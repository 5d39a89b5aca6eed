import { describe, expect, test } from 'vitest';
import { http } from '../http.ts';
import type { TargetFailure } from '../target.ts';
import { createRedactor, readHttpReply, type ReplyPaths } from './read-http-reply.ts';

const redactor = createRedactor(new Map());

function read(value: unknown, paths: ReplyPaths = {}) {
  return readHttpReply({ contentType: 'application/json', text: JSON.stringify(value) }, paths, redactor);
}

function failureOf(value: unknown, paths: ReplyPaths = {}): TargetFailure {
  try {
    return expect.fail(JSON.stringify(read(value, paths)));
  } catch (error) {
    return error as TargetFailure;
  }
}

const responses = {
  output: [
    { type: 'reasoning', summary: [] },
    {
      type: 'message',
      content: [
        { type: 'output_text', text: 'It is ' },
        { type: 'image' },
        { type: 'output_text', text: '$49.' },
      ],
    },
    { type: 'message', content: [{ type: 'output_text', text: 'Anything else?' }] },
  ],
};

describe('a path that begins with $ is of RFC 9535', () => {
  test('filters pick the blocks of an answer; a line separates messages, and nothing blocks', () => {
    const answer = "$.output[?@.type=='message'].content[?@.type=='output_text'].text";
    expect(read(responses, { answer })).toMatchObject({ answer: 'It is $49.\nAnything else?' });
  });

  test('a path to one value gives that value, even when it is a list of texts or a number', () => {
    expect(read({ a: { b: 49 } }, { answer: '$.a.b' }).answer).toBe('49');
    expect(read({ a: ['x', 'y'] }, { answer: '$.a' }).answer).toBe('x\ny');
  });

  test('every other path has its meaning, also where a name begins with $', () => {
    expect(read({ $answer: 'x' }, { answer: '$answer' }).answer).toBe('x');
    expect(read([{ text: 'x' }, { text: 'y' }], { answer: '[*].text' }).answer).toBe('x\ny');
  });

  test('documents, usage and reason are found in the same way', () => {
    const reply = read(
      {
        r: {
          hits: [
            { id: 'a', ok: true },
            { id: 'b', ok: false },
          ],
          said: 'x',
          n: { input_tokens: 3 },
          end: 'stop',
        },
      },
      { answer: '$.r.said', documents: '$.r.hits[?@.ok==true]', usage: '$.r.n', finishReason: '$.r.end' },
    );
    expect(reply).toMatchObject({
      answer: 'x',
      documents: [{ id: 'a' }],
      usage: { inputTokens: 3 },
      finishReason: 'stop',
    });
  });

  test('calls that a filter does not find were not made; a list that is missing says nothing', () => {
    const toolCalls = "$.steps[?@.kind=='tool']";
    expect(read({ answer: 'x', steps: [{ kind: 'thought' }] }, { toolCalls })).toMatchObject({
      toolCalls: [],
    });
    expect(read({ answer: 'x', steps: [{ kind: 'thought' }] }, { toolCalls })).not.toHaveProperty(
      'toolsUnknown',
    );
    expect(read({ answer: 'x' }, { toolCalls })).toHaveProperty('toolsUnknown', true);
  });

  test.each([
    ['$.a[', 'unclosed bracketed selection, at column 5 of `$.a[`'],
    ['$.a b', "expected '.', '..' or a bracketed selection, found 'b', at column 5"],
    ['$[?@.x==]', 'unexpected end of expression, at column 9'],
  ])('the wrong path %s is refused with its column', (answer, words) => {
    const parsed = http.definition.options.safeParse({ url: 'http://x/', answer });
    expect(parsed.error?.issues[0]).toMatchObject({
      path: ['answer'],
      message: expect.stringContaining(words),
    });
  });

  test('a reply that is nested too deeply for a path is no reply, and no crash', () => {
    const text = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const received = { contentType: 'application/json', text };
    expect(() => readHttpReply(received, { answer: '$..b' }, redactor)).toThrow(
      "nested too deeply for `$..['b']`",
    );
  });
});

describe('the parts of a call may have any names', () => {
  const names = {
    path: '$.steps[*].tool',
    name: 'fn',
    arguments: 'args',
    result: 'out',
    id: 'uid',
    error: 'err',
  };
  const readCalls = (tools: unknown[]) =>
    read({ answer: 'x', steps: tools.map((tool) => ({ tool })) }, { toolCalls: names }).toolCalls;

  test('each part is found under its name', () => {
    expect(readCalls([{ fn: 'search', args: '{"q":1}', out: [1], uid: 7, name: 'not this' }])).toEqual([
      { name: 'search', arguments: { q: 1 }, result: [1], id: '7' },
    ]);
    expect(readCalls([{ fn: 'search', err: 'no index' }])).toEqual([{ name: 'search', error: 'no index' }]);
  });

  test('a result belongs to the call of its id, whichever comes first', () => {
    const call = { fn: 'search', args: { q: 1 }, uid: 'a' };
    const result = { uid: 'a', out: 'found' };
    const whole = [{ name: 'search', arguments: { q: 1 }, result: 'found', id: 'a' }];
    expect(readCalls([call, result])).toEqual(whole);
    expect(readCalls([result, call])).toEqual(whole);
    expect(readCalls([call])).toEqual([{ name: 'search', arguments: { q: 1 }, id: 'a' }]);
  });

  test('an item without a name is refused with its keys', () => {
    const reply = { answer: 'x', steps: [{ tool: { args: {}, name: 'not this' } }] };
    expect(failureOf(reply, { toolCalls: names })).toMatchObject({
      code: 'invalid-answer',
      message: expect.stringContaining('nothing at `fn`, the path of its name; it has the keys args, name'),
    });
  });
});

describe('a reply inside a text', () => {
  const reply = { answer: 'It is $49.', tool_calls: [] };

  test('is read where `unwrap` says', () => {
    expect(read({ statusCode: 200, body: JSON.stringify(reply) }, { unwrap: 'body' })).toMatchObject({
      answer: 'It is $49.',
      toolCalls: [],
    });
    expect(
      read(
        { Records: [{ body: JSON.stringify({ a: { b: 'x' } }) }] },
        { unwrap: '$.Records[0].body', answer: 'a.b' },
      ).answer,
    ).toBe('x');
    expect(read({ body: reply }, { unwrap: 'body' })).toMatchObject({ answer: 'It is $49.' });
  });

  test('is quoted when it is not JSON, and missed when it is not there', () => {
    expect(failureOf({ body: '<p>' }, { unwrap: 'body' })).toMatchObject({
      code: 'invalid-reply',
      message: 'The text at `body`, the path of `unwrap`, is not JSON: <p>',
    });
    expect(failureOf({ data: '{}' }, { unwrap: 'body' })).toMatchObject({
      code: 'invalid-reply',
      message: 'The reply has nothing at `body`, the path of `unwrap`.',
    });
  });
});

describe('the name of a form', () => {
  const blocks = [
    { type: 'text', text: 'It is $49.' },
    { type: 'tool_use', id: 'c', name: 'search', input: { q: 1 } },
  ];

  test('decides what is read of a reply that has other texts too', () => {
    const reply = read({ answer: 'debug', content: blocks, stop_reason: 'end_turn' }, { reply: 'anthropic' });
    expect(reply).toMatchObject({
      answer: 'It is $49.',
      toolCalls: [{ name: 'search' }],
      finishReason: 'end_turn',
    });
  });

  test.each([
    [
      'bedrock',
      {
        output: {
          message: {
            role: 'assistant',
            content: [{ text: 'x' }, { toolUse: { toolUseId: 'c', name: 'f', input: {} } }],
          },
        },
        stopReason: 'end_turn',
        usage: { inputTokens: 7, outputTokens: 5 },
      },
    ],
    [
      'gemini',
      {
        candidates: [{ content: { parts: [{ text: 'x' }, { functionCall: { name: 'f', args: {} } }] } }],
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, thoughtsTokenCount: 2 },
      },
    ],
    [
      'langchain',
      {
        messages: [
          { type: 'human', content: 'q' },
          {
            type: 'ai',
            content: 'x',
            tool_calls: [{ name: 'f', args: {} }],
            usage_metadata: { input_tokens: 7, output_tokens: 5 },
          },
        ],
      },
    ],
    [
      'langchain',
      {
        output: {
          type: 'ai',
          content: 'x',
          tool_calls: [{ name: 'f', args: {} }],
          usage_metadata: { input_tokens: 7, output_tokens: 5 },
        },
      },
    ],
    [
      'dify',
      {
        event: 'message',
        task_id: 't',
        conversation_id: 'c',
        answer: 'x',
        agent_thoughts: [{ tool: 'f', tool_input: '{}' }],
        metadata: { usage: { prompt_tokens: 7, completion_tokens: 5 } },
      },
    ],
    [
      'ollama',
      {
        model: 'm',
        message: {
          role: 'assistant',
          content: 'x',
          tool_calls: [{ function: { name: 'f', arguments: {} } }],
        },
        done: true,
        prompt_eval_count: 7,
        eval_count: 5,
      },
    ],
    [
      'ai-sdk',
      {
        role: 'assistant',
        parts: [
          { type: 'dynamic-tool', toolName: 'f', toolCallId: 'c', state: 'input-available', input: {} },
          { type: 'text', text: 'x' },
        ],
        metadata: { usage: { inputTokens: 7, outputTokens: 5 } },
      },
    ],
    [
      'ai-sdk',
      {
        text: 'x',
        steps: [{ toolCalls: [{ toolCallId: 'c', toolName: 'f', input: {} }] }],
        usage: { inputTokens: 7, outputTokens: 5 },
      },
    ],
    [
      'openai-chat',
      {
        choices: [
          {
            message: {
              role: 'assistant',
              content: 'x',
              tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 5 },
      },
    ],
    [
      'openai-responses',
      {
        object: 'response',
        output: [
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'message', content: [{ type: 'output_text', text: 'x' }] },
        ],
        usage: { input_tokens: 7, output_tokens: 5 },
      },
    ],
    [
      'anthropic',
      {
        type: 'message',
        content: [
          { type: 'text', text: 'x' },
          { type: 'tool_use', id: 'c', name: 'f', input: {} },
        ],
        usage: { input_tokens: 7, output_tokens: 5 },
      },
    ],
  ])(
    'is not needed for %s, and changes nothing: answer, calls and token counts are found',
    (reply, value) => {
      const usage = { inputTokens: 7, outputTokens: 5 };
      for (const paths of [{}, { reply }])
        expect(read(value, paths)).toMatchObject({ answer: 'x', toolCalls: [{ name: 'f' }], usage });
    },
  );

  test('a reply of another form is refused with what it has', () => {
    expect(failureOf({ text: 'x' }, { reply: 'anthropic' })).toMatchObject({
      code: 'invalid-reply',
      message:
        'The reply is not of the form `anthropic`, which has `content` or `stop_reason`: it has the keys text.',
    });
  });

  test('sources of the AI SDK and of Dify are documents', () => {
    const parts = [
      { type: 'text', text: 'x' },
      { type: 'source-url', sourceId: 's', url: 'https://example.org/p', title: 'Prices' },
    ];
    expect(read({ role: 'assistant', parts }).documents).toEqual([
      { id: 'https://example.org/p', sources: ['Prices'] },
    ]);
  });
});

describe('a reply without an answer', () => {
  test('names the paths of its texts, the longest first', () => {
    const value = { id: 'r-1', payload: { msgs: [{ body: 'It is $49, and in stock.' }] } };
    expect(failureOf(value)).toMatchObject({
      code: 'invalid-answer',
      message: expect.stringContaining(
        'The reply says "It is $49, and in stock.": if that is the answer, set `answer: payload.msgs[0].body`; other texts are at `id`.',
      ),
    });
  });

  test('names the text under the last name of a wrong path first', () => {
    const value = {
      note: 'a long note about something else',
      result: { messages: [{ text: 'It is $49.' }] },
    };
    for (const answer of ['messages[0].text', '$.messages[*].text']) {
      expect(failureOf(value, { answer }).message).toContain('set `answer: result.messages[0].text`');
    }
  });

  test('whose answer is an object names the text in it', () => {
    expect(failureOf({ message: { body: 'It is $49.' } }).message).toContain('set `answer: message.body`');
  });

  test('of a GraphQL server shows the error', () => {
    const value = { data: null, errors: [{ message: 'no such field `ask`', path: ['ask'] }] };
    const failure = { code: 'target-reported-error', message: 'The target reported: no such field `ask`' };
    expect(failureOf(value)).toMatchObject(failure);
    expect(failureOf(value, { answer: 'data.ask.text' })).toMatchObject(failure);
  });
});

test('token counts that cannot be read are noted, and the answer counts', () => {
  expect(read({ answer: 'x', usage: 'many' })).toMatchObject({
    answer: 'x',
    logs: expect.stringContaining('cannot be read'),
  });
  expect(read({ answer: 'x', usage: { prompt: 5 } }).logs).toBe(
    'The token counts at `usage` have names that are not known: prompt.',
  );
});
