import { expect, test } from 'vitest';
import { exactNumber } from '../../core/lib/json/exact-number.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import { readReply } from './read-reply.ts';

test('text is the answer; nothing and empty text are an answer of null', () => {
  expect(readReply('hi')).toEqual({ answer: 'hi', toolCalls: [], toolsUnknown: true });
  expect(readReply('  ').answer).toBe('  ');
  for (const nothing of [null, undefined, '', { answer: null }, { answer: '' }, { answer: undefined }]) {
    expect(readReply(nothing)).toEqual({ answer: null, toolCalls: [], toolsUnknown: true });
  }
});

test('finite numbers and booleans become text, including zero and false', () => {
  const values = [42, 0, -1.5, true, false, 10n, { answer: 0 }, { answer: false }];
  expect(values.map((value) => readReply(value).answer)).toEqual([
    '42',
    '0',
    '-1.5',
    'true',
    'false',
    '10',
    '0',
    'false',
  ]);
});

test.each([
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [function search() {}, 'the function search'],
  [Symbol('s'), 'Symbol(s)'],
  [['a', 'b'], 'a list of 2'],
  [new Map(), 'a Map'],
  [{}, 'an empty object'],
  [{ answr: 'x', score: 1 }, 'an object with the keys answr, score'],
  [{ answer: { text: 'x' } }, '`answer` is an object with the key text'],
  [{ text: () => 'x' }, '`text` is the function text'],
  [{ answer: Number.NaN }, '`answer` is NaN'],
])('%o is refused, and the message says what was found', (value, found) => {
  expect(() => readReply(value)).toThrow(
    expect.objectContaining({ code: 'invalid-answer', message: expect.stringContaining(found) }),
  );
});

test('for an object without an answer, the message lists the known names', () => {
  expect(() => readReply({ greeting: 'x' })).toThrow(
    'the answer is looked for under answer, response, text, output, content, final_output',
  );
});

test.each(['answer', 'response', 'text', 'output', 'content', 'message'])('`%s` is an answer', (name) => {
  expect(readReply({ [name]: 'yes' }).answer).toBe('yes');
});

test('the first name that is present is the answer', () => {
  expect(readReply({ message: 'm', answer: 'a' }).answer).toBe('a');
  expect(readReply({ message: 'm', answer: null }).answer).toBeNull();
});

test('tool calls are names, objects or what model APIs send', () => {
  const tools = [
    'search',
    { name: 'a', arguments: { q: 1 }, result: [1], error: '' },
    { tool: 'b', args: { q: 2 } },
    { name: 'c', input: 'text', id: 7 },
    { id: 'x', type: 'function', function: { name: 'd', arguments: '{"q":3}' } },
    { function: { name: 'e', arguments: 'not json' }, error: { message: 'down' } },
  ];
  expect(readReply({ answer: 'x', tool_calls: tools }).toolCalls).toEqual([
    { name: 'search' },
    { name: 'a', arguments: { q: 1 }, result: [1] },
    { name: 'b', arguments: { q: 2 } },
    { id: '7', name: 'c', arguments: 'text' },
    { id: 'x', name: 'd', arguments: { q: 3 } },
    { name: 'e', arguments: 'not json', error: 'down' },
  ]);
});

test.each(['toolCalls', 'tool_calls', 'tools_used', 'toolsUsed', 'tools', 'tools_called'])(
  '`%s` are tool calls',
  (name) => {
    expect(readReply({ answer: 'x', [name]: ['t'] }).toolCalls).toEqual([{ name: 't' }]);
    expect(readReply({ answer: 'x', [name]: null }).toolCalls).toEqual([]);
  },
);

test.each([
  [{ toolCalls: 5 }, '`toolCalls` is the number 5'],
  [{ tools_used: ['a', 3] }, '`tools_used[1]` is the number 3'],
  [{ tools: [{ arguments: {} }] }, '`tools[0]` is an object with the key arguments'],
  [{ documents: 'one' }, '`documents` is the text "one"'],
  [{ sources: [{ rank: 1 }] }, '`sources[0]` is an object with the key rank'],
  [{ sources: [{ id: 'a', score: 'high' }] }, '`sources[0].score` is the text "high"'],
  [{ cost: -1 }, '`cost` is the number -1'],
  [{ cost: Number.NaN }, '`cost` is NaN'],
  [{ firstTokenMs: '3' }, '`firstTokenMs` is the text "3"'],
  [{ transcript: {} }, '`transcript` is an empty object'],
  [{ transcript: [{ role: 'king', content: 'x' }] }, '`transcript[0].role` is the text "king"'],
  [{ messages: [{ role: 'user', content: 5 }] }, '`messages[0].content` is the number 5'],
])('the wrong type in %o is refused by its name', (parts, message) => {
  expect(() => readReply({ answer: 'x', ...parts })).toThrow(
    expect.objectContaining({ code: 'invalid-answer', message: expect.stringContaining(message) }),
  );
});

test('documents are ids, texts or objects', () => {
  const documents = [
    'faq-12',
    7,
    'A whole passage.',
    { id: 'd1', text: 't', score: 0.5 },
    { page_content: 'p', metadata: { source: 'file.md' } },
    { content: 'only text' },
    { doc_id: 3, score: null },
  ];
  expect(readReply({ answer: 'x', contexts: documents }).documents).toEqual([
    { id: 'faq-12' },
    { id: '7' },
    { id: 'A whole passage.', text: 'A whole passage.' },
    { id: 'd1', text: 't', score: 0.5 },
    { id: 'file.md', text: 'p' },
    { id: 'only text', text: 'only text' },
    { id: '3' },
  ]);
});

test('token counts are read under the names of the model APIs, and a count not reported stays absent', () => {
  const usageOf = (usage: unknown) => readReply({ answer: 'x', usage }).usage;
  expect(usageOf({ prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 })).toEqual({
    inputTokens: 10,
    outputTokens: 2,
  });
  expect(usageOf({ input_tokens: 1, output_tokens: 0, cache_read_input_tokens: 5 })).toEqual({
    inputTokens: 1,
    outputTokens: 0,
    cachedTokens: 5,
  });
  expect(usageOf({ completion_tokens_details: { reasoning_tokens: 4 }, prompt_tokens: null })).toEqual({
    reasoningTokens: 4,
  });
  expect(readReply({ answer: 'x' }).usage).toBeUndefined();
});

test('a transcript provides the answer and the tool calls that are not reported beside it', () => {
  const messages = [
    { role: 'human', content: 'q' },
    { role: 'assistant', content: null, tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: '1', content: 'r' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'an' },
        { type: 'text', text: 'swer' },
      ],
    },
  ];
  const reply = readReply({ messages });
  expect(reply.answer).toBe('answer');
  expect(reply.toolCalls).toEqual([{ id: '1', name: 'f', arguments: {}, result: 'r' }]);
  expect(reply.transcript?.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
});

test("a bot's reasoning stays apart from its answer", () => {
  const said = { role: 'assistant', content: 'Nine.', reasoning_content: 'It opens at nine.' };
  const reply = readReply({ transcript: [{ role: 'user', content: 'When?' }, said] });
  expect(reply.answer).toBe('Nine.');
  expect(reply.transcript?.[1]).toEqual({
    role: 'assistant',
    content: 'Nine.',
    reasoning: 'It opens at nine.',
  });
});

test('tool calls reported beside a transcript without any are added to it', () => {
  const transcript = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: 'a' },
  ];
  const reply = readReply({ answer: 'a', tools_used: ['t'], transcript });
  expect(reply.transcript?.[1]).toEqual({ role: 'assistant', content: 'a', toolCalls: [{ name: 't' }] });
});

test.each([
  { status: 'error' },
  { ok: false },
  { success: false },
  { error: true },
  { error: 'Internal', statusCode: 500 },
  { code: 500 },
  { object: 'error', code: 400 },
  { status: 404 },
])('a message beside %j is an error report', (parts) => {
  const message = 'database down';
  const failure = expect.objectContaining({
    code: 'target-reported-error',
    message: 'The target reported: database down',
  });
  expect(() => readReply({ ...parts, message })).toThrow(failure);
  expect(readReply({ ...parts, answer: 'yes', message }).answer).toBe('yes');
});

test.each([
  {},
  { status: 'ok', ok: true, success: true, error: false },
  { error: null },
  { error: '' },
  { code: 0 },
  { code: 200, status: 201 },
  { code: 20_000 },
  { code: '500' },
])('a message beside %j is an answer', (parts) => {
  expect(readReply({ ...parts, message: 'hello' }).answer).toBe('hello');
});

test('an error in place of an answer is a failure; an error beside an answer is kept', () => {
  for (const error of ['database down', { message: 'database down' }]) {
    expect(() => readReply({ error })).toThrow(
      expect.objectContaining({
        code: 'target-reported-error',
        message: expect.stringContaining('database down'),
      }),
    );
  }
  expect(() => readReply({ answer: null, error: 'x' })).toThrow('x');
  expect(readReply({ answer: 'a', error: 'half' }).logs).toContain('half');
  expect(readReply({ answer: 'a', error: null })).toEqual({ answer: 'a', toolCalls: [], toolsUnknown: true });
});

test('an answer of 16 MiB is kept; a longer one, counted in bytes, is too large', () => {
  const limit = 16 * 1024 * 1024;
  expect(readReply('x'.repeat(limit)).answer).toHaveLength(limit);
  const tooLarge = expect.objectContaining({ code: 'answer-too-large' });
  expect(() => readReply('x'.repeat(limit + 1))).toThrow(tooLarge);
  expect(() => readReply({ answer: 'é'.repeat(limit / 2 + 1) })).toThrow(tooLarge);
});

test('lone surrogates are made well-formed and NUL is kept', () => {
  const reply = readReply({ answer: 'a\ud800b\u0000', state: { 'k\udc00': 'v\ud800' }, tools: ['t\ud800'] });
  expect(reply).toEqual({
    answer: 'a\ufffdb\u0000',
    toolCalls: [{ name: 't\ufffd' }],
    state: { 'k\ufffd': 'v\ufffd' },
  });
});

test('whatever the state contains, it is valid JSON and says what it was', () => {
  const cycle: Record<string, unknown> = { nan: Number.NaN, infinite: -Infinity, big: 2n ** 70n, small: 5n };
  cycle['self'] = cycle;
  cycle['list'] = [undefined, () => 1, Symbol('s')];
  const state = {
    cycle,
    date: new Date(0),
    noDate: new Date(Number.NaN),
    map: new Map([['a', 1]]),
    pairs: new Map([[1, 'x']]),
    set: new Set([1]),
    bytes: new Uint8Array([1, 2]),
    error: new TypeError('bad'),
    gone: undefined,
    own: { toJSON: () => 'own form' },
    trap: {
      get broken(): never {
        throw new Error('trap');
      },
    },
  };
  const read = readReply({ answer: 'x', state }).state;
  expect(read).toEqual({
    cycle: {
      nan: 'NaN',
      infinite: '-Infinity',
      big: exactNumber('1180591620717411303424'),
      small: 5,
      self: '[circular]',
      list: [null, '[function ]', '[Symbol(s)]'],
    },
    date: '1970-01-01T00:00:00.000Z',
    noDate: 'Invalid Date',
    map: { a: 1 },
    pairs: [[1, 'x']],
    set: [1],
    bytes: 'AQI=',
    error: { name: 'TypeError', message: 'bad' },
    own: 'own form',
    trap: '[unreadable: trap]',
  });
  expect(parseJson(JSON.stringify(read))).toEqual(read);
});

test('a key named __proto__ stays a key', () => {
  const state = readReply({ answer: 'x', state: JSON.parse('{"__proto__": {"polluted": true}}') }).state;
  expect(JSON.stringify(state)).toBe('{"__proto__":{"polluted":true}}');
});

test('an endlessly nested state is cut off, so that it can be written as JSON', () => {
  let state: unknown = 'bottom';
  for (let depth = 0; depth < 100_000; depth += 1) state = [state];
  const text = JSON.stringify(readReply({ answer: 'x', state }).state);
  expect(text).toContain('nested deeper than 500');
});

test('a hole in a list is null', () => {
  // oxlint-disable-next-line no-sparse-arrays -- a target may return one
  expect(readReply({ answer: 'x', state: [1, , 3] }).state).toEqual([1, null, 3]);
});

test('the reason why the target stopped is read under the names of the model APIs; no other value counts', () => {
  const read = (parts: object) => readReply({ answer: 'x', ...parts }).finishReason;
  expect(read({ finish_reason: 'length' })).toBe('length');
  expect(read({ stop_reason: 'end_turn' })).toBe('end_turn');
  for (const value of [null, '', 7, { reason: 'stop' }])
    expect(read({ finishReason: value })).toBeUndefined();
});

test('a document keeps the names of what it is a passage of, the nearest first; its own record is read as it was written', () => {
  const documents = [
    {
      id: 'c-17',
      source: 'fees.md',
      title: 'Fees',
      metadata: { file_path: 'docs/fees.md', source: 'fees.md' },
    },
    { page_content: 'Five euros.', metadata: { source: 'fees.md' } },
    { node: { id_: 'n1', text: 'Five euros.', metadata: { file_name: 'fees.md' } }, score: 0.5 },
  ];
  const read = readReply({ answer: 'x', documents }).documents;
  expect(read).toEqual([
    { id: 'c-17', sources: ['fees.md', 'Fees', 'docs/fees.md'] },
    { id: 'fees.md', text: 'Five euros.' },
    { id: 'n1', text: 'Five euros.', score: 0.5, sources: ['fees.md'] },
  ]);
  expect(readReply({ answer: 'x', documents: read }).documents).toEqual(read);
});
