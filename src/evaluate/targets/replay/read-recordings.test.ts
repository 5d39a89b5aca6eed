import { expect, test } from 'vitest';
import { readRecordings } from './read-recordings.ts';
import { withColumns } from './record-aliases.ts';

async function read(...values: readonly unknown[]) {
  async function* rows() {
    for (const [index, value] of values.entries()) yield { value, place: { file: 'f', line: index + 1 } };
  }
  const notices: string[] = [];
  const onNotice = (text: string) => void notices.push(text);
  const found = await Array.fromAsync(readRecordings(rows(), { aliases: withColumns({}), onNotice }));
  return {
    notices,
    values: found.map(({ value }) => value),
    derived: found.map((row) => row.isQuestionDerived),
  };
}

const user = { role: 'user', content: 'q' };
const assistant = { role: 'assistant', content: 'a' };
const transcript = [user, assistant];

test.each([
  ['messages', { messages: transcript }],
  ['a trajectory', { traj: transcript }],
  ['a conversation in a cell of a table', { conversation: JSON.stringify(transcript) }],
  ['a bare list', transcript],
])('%s is a conversation, and the first message of the user is its question', async (_name, row) => {
  expect(await read(row)).toEqual({
    values: [{ question: 'q', transcript }],
    derived: [true],
    notices: [],
  });
});

test('columns have the names of the table in any spelling, and an exact name is never replaced', async () => {
  const row = { Question: 'q', 'Actual Output': 'a', Tool_Calls: [{ name: 's' }], ID: '7', Owner: 'Ann' };
  expect((await read(row)).values).toEqual([
    { question: 'q', actual_output: 'a', toolCalls: [{ name: 's' }], id: '7', Owner: 'Ann' },
  ]);
  expect((await read({ question: 'q', answer: 'a', Answer: 'b' })).values).toEqual([
    { question: 'q', answer: 'a', Answer: 'b' },
  ]);
});

test('a question beside a conversation is used, and a system prompt beside it is part of it', async () => {
  const row = { question: 'What?', system: 'Be brief.', messages: transcript, expected_answer: 'x' };
  expect(await read(row)).toMatchObject({
    values: [
      {
        question: 'What?',
        expected_answer: 'x',
        transcript: [{ role: 'system', content: 'Be brief.' }, ...transcript],
      },
    ],
    derived: [false],
  });
});

test('messages beside an answer are the question, unless they also end with the answer', async () => {
  const earlier = [...transcript, { role: 'user', content: 'and?' }];
  const asked = { messages: earlier, answer: 'so' };
  expect((await read(asked)).values).toEqual([asked]);
  const whole = { messages: [...earlier, assistant], answer: 'a' };
  expect((await read(whole)).values).toEqual([{ answer: 'a', question: 'q', transcript: whole.messages }]);
  const golden = { messages: [user], expected_keywords: ['k'] };
  expect((await read(golden)).values).toEqual([golden]);
});

test.each([
  [
    'OpenAI',
    {
      request: { model: 'm', messages: [user] },
      response: { choices: [{ message: assistant }], usage: { prompt_tokens: 3 } },
    },
    [user, assistant],
  ],
  [
    'Anthropic',
    {
      body: { system: 's', messages: [user] },
      response: { role: 'assistant', content: [{ type: 'text', text: 'a' }], usage: { prompt_tokens: 3 } },
    },
    [
      { role: 'system', content: 's' },
      user,
      { role: 'assistant', content: [{ type: 'text', text: 'a' }], usage: { prompt_tokens: 3 } },
    ],
  ],
  [
    'Gemini',
    {
      request: { contents: [{ role: 'user', parts: [{ text: 'q' }] }] },
      response: {
        candidates: [{ content: { role: 'model', parts: [{ text: 'a' }] } }],
        usage: { prompt_tokens: 3 },
      },
    },
    [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [{ text: 'a' }] },
    ],
  ],
  [
    'one object',
    { messages: [user], choices: [{ message: assistant }], usage: { prompt_tokens: 3 } },
    [user, assistant],
  ],
  [
    'the Responses interface',
    { input: 'q', output: [{ type: 'message', ...assistant }], usage: { prompt_tokens: 3 } },
    [user, { type: 'message', ...assistant }],
  ],
])('a logged call of %s is a conversation with its usage', async (_name, row, messages) => {
  expect((await read(row)).values).toEqual([
    { question: 'q', usage: { prompt_tokens: 3 }, transcript: messages },
  ]);
});

test('single messages form one conversation, or several if they name them', async () => {
  expect((await read(user, assistant)).values).toEqual([{ question: 'q', transcript }]);
  const of = (id: string, message: object) => ({ session_id: id, ...message });
  const { values } = await read(of('x', user), of('y', user), of('x', assistant), of('y', assistant));
  expect(values).toMatchObject([
    { id: 'x', question: 'q' },
    { id: 'y', question: 'q' },
  ]);
});

test('an exported run contains cases and answers; its other lines are not rows', async () => {
  const testCase = { id: 'c', input: 'q', expected: { keywords: ['k'] }, metadata: { m: 1 } };
  const trial = {
    attempt: 2,
    target: 'bot',
    status: 'completed',
    answer: 'a',
    transcript,
    recorded: { reward: 1 },
  };
  const row = {
    ...testCase,
    attempt: 2,
    answer: 'a',
    transcript,
    reward: 1,
    recordedTarget: 'bot',
  };
  const hash = '0'.repeat(32);
  expect(
    await read(
      { type: 'run', version: 1, run: {}, hash },
      { type: 'case', case: { position: 0, hash, place: 'f:1', case: testCase }, hash },
      { type: 'result', result: { case: testCase, trial, verdicts: {}, scorecard: null }, hash },
      { type: 'end', cases: 1, hash },
    ),
  ).toEqual({ values: [testCase, row], derived: [false, false], notices: [] });
  expect((await read({ case: testCase, trial, verdicts: {} })).values).toEqual([row]);
});

test('a cancelled answer was not recorded', async () => {
  const trial = { attempt: 1, status: 'cancelled', answer: null, error: { code: 'cancelled', message: '' } };
  const { values } = await read({ case: { id: 'c', input: 'q' }, trial });
  expect(values).toEqual([{ id: 'c', input: 'q', attempt: 1, recordedTarget: undefined }]);
});

const span = (attributes: object, parts: object = {}) => ({
  place: { file: 'f', line: 3 },
  traceId: 't1',
  spanId: 's',
  name: 'chat',
  attributes,
  events: [],
  resource: { 'service.name': 'bot', 'telemetry.sdk.name': 'x' },
  ...parts,
});

test('a trace is a row with the values of its attributes', async () => {
  const attributes = {
    'openinference.span.kind': 'CHAIN',
    'input.value': 'q',
    'output.value': 'a',
    'session.id': 'day 1',
    metadata: '{"case_id":"c7","tier":"gold"}',
    'http.method': 'POST',
    'big.one': 'x'.repeat(1000),
    'annotations.0.annotation.name': 'helpful',
    'annotations.0.annotation.score': 0.5,
  };
  const event = {
    name: 'gen_ai.evaluation.result',
    attributes: { 'gen_ai.evaluation.name': 'Relevance', 'gen_ai.evaluation.score.label': 'pass' },
  };
  const inner = span({ 'openinference.span.kind': 'LLM' }, { spanId: 'i', parentId: 's', events: [event] });
  expect((await read({ spans: [inner, span(attributes)] })).values).toEqual([
    {
      'service.name': 'bot',
      'session.id': 'day 1',
      tier: 'gold',
      case_id: 'c7',
      cluster: 'day 1',
      evaluations: { Relevance: 'pass', helpful: 0.5 },
      id: 'c7',
      traceIds: ['t1'],
      question: 'q',
      answer: 'a',
      transcript: [user, assistant],
    },
  ]);
});

test('a conversation of several traces has its own name and theirs', async () => {
  const message = (role: string, content: string) => JSON.stringify([{ role, content }]);
  const turn = (traceId: string, question: string, answer: string) =>
    span(
      {
        'gen_ai.input.messages': message('user', question),
        'gen_ai.output.messages': message('assistant', answer),
      },
      { traceId },
    );
  const { values } = await read({
    conversationId: 'c1',
    spans: [turn('t1', 'q', 'a'), turn('t2', 'r', 'b')],
  });
  expect(values).toMatchObject([{ id: 'c1', traceIds: ['c1', 't1', 't2'], question: 'q', answer: 'b' }]);
});

test('traces without an answer are left out and named, and traces without a question are named', async () => {
  const other = { spans: [span({ 'http.method': 'GET' }, { name: 'GET' })] };
  const silent = { spans: [span({ 'gen_ai.operation.name': 'chat' })] };
  const { values, notices } = await read(other, other, other, other, silent);
  expect(values).toMatchObject([{ question: '(the question was not recorded)', answer: null }]);
  expect(notices).toEqual([
    '4 traces are skipped, because they contain no model, agent or tool: t1 (f:1), t1 (f:2), t1 (f:3) and 1 more',
    '1 trace does not contain its question: t1 (f:5)',
  ]);
});

test.each([
  [['a', 'b'], 'f:1: the row is a list of 2, not an object.'],
  ['text', 'f:1: the row is the text "text", not an object.'],
  [{ messages: [assistant, { role: 'user', content: 5 }] }, 'f:1: `messages[1].content` is the number 5'],
])('%j is refused at its line', async (row, message) => {
  await expect(read(row)).rejects.toMatchObject({
    code: 'target-invalid',
    message: expect.stringContaining(message),
  });
});
