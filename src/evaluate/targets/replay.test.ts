import { expect, test } from 'vitest';
import {
  contractAnswer,
  contractQuestions,
  contractScenarios,
  largeAnswer,
  nulAnswer,
  sessionOf,
  testTargetContract,
} from '../../library/testing/target-contract.ts';
import { replay } from './replay.ts';
import type { Target, TargetRequest } from './target.ts';

type Options = Omit<NonNullable<Parameters<typeof replay>[0]>, 'path'>;

function create(rows: readonly unknown[], options: Options = {}): Target {
  const { definition } = replay;
  async function* readRows(file: string) {
    for (const [index, value] of rows.entries()) yield { value, place: { file, line: index + 1 } };
  }
  const checked = definition.options.parse({ path: 'answers.jsonl', ...options });
  return definition.create(checked, {
    folder: '.',
    environment: {},
    readRows,
    resolveModel: () => expect.fail('no model is used'),
  });
}

function request(parts: Partial<TargetRequest>): TargetRequest {
  return {
    key: 'k',
    caseId: 'c',
    input: 'q',
    messages: [],
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 3,
    ...parts,
  };
}

function ask(target: Target, parts: Partial<TargetRequest> = {}) {
  return target.call(request(parts), { signal: new AbortController().signal });
}

const contractRows = [
  ...contractQuestions.map((question) => ({ question, answer: contractAnswer(question) })),
  { question: contractScenarios.null, answer: '' },
  { question: contractScenarios['not-a-number'], answer: Number.NaN },
  { question: contractScenarios.large, answer: largeAnswer },
  { question: contractScenarios.nul, answer: nulAnswer },
];
testTargetContract('replay', () => create(contractRows), {
  test,
  expect,
  without: {
    silence: 'an answer of the past does not keep anybody waiting',
    'invalid-utf8': 'the reader of the file refuses it',
    html: 'text is the answer',
  },
});

test('a row is found by the id of the case, then by its exact question', async () => {
  const target = create([
    { id: 'a', question: 'same?', answer: 'by id a' },
    { id: 'b', question: 'same?', answer: 'by id b' },
    { question: 'what?', answer: 'by question' },
    { id: 7, input: [{ role: 'user', content: 'talk' }], answer: 'by number' },
  ]);
  expect((await ask(target, { caseId: 'b', input: 'same?' })).answer).toBe('by id b');
  expect((await ask(target, { caseId: 'z', input: 'what?' })).answer).toBe('by question');
  expect((await ask(target, { caseId: '7' })).answer).toBe('by number');
  expect((await ask(target, { caseId: 'z', input: 'talk' })).answer).toBe('by number');
});

test('a question that matches several answers is not measured', async () => {
  const target = create([
    { id: 'a', question: 'same?', answer: '1' },
    { id: 'b', question: 'same?', answer: '2' },
  ]);
  await expect(ask(target, { caseId: 'z', input: 'same?' })).rejects.toMatchObject({
    code: 'recording-ambiguous',
    message: expect.stringMatching(/answers\.jsonl:1 and answers\.jsonl:2/),
  });
});

test('a case without a recorded answer is not measured, never an empty answer', async () => {
  const target = create([
    { id: 'a', answer: 'x' },
    { id: 'b', expected_keywords: ['k'] },
    { id: 'c', answer: null },
  ]);
  for (const caseId of ['b', 'c', 'unknown']) {
    await expect(ask(target, { caseId })).rejects.toMatchObject({
      code: 'not-recorded',
      message: expect.stringContaining(caseId),
    });
  }
});

test("an empty text counts as the bot's answer", async () => {
  const target = create([
    { id: 'a', answer: 'x' },
    { id: 'b', answer: '' },
  ]);
  expect((await ask(target, { caseId: 'b' })).answer).toBeNull();
});

test('each attempt has its own answer, and a row without a number is the first', async () => {
  const target = create([
    { id: 'a', answer: 'first' },
    { id: 'a', attempt: 2, answer: 'second' },
    { id: 'a', attempt: '3', answer: 'third' },
  ]);
  const answers = await Promise.all([1, 2, 3].map((attempt) => ask(target, { caseId: 'a', attempt })));
  expect(answers.map(({ answer }) => answer)).toEqual(['first', 'second', 'third']);
  await expect(ask(target, { caseId: 'a', attempt: 4 })).rejects.toMatchObject({
    code: 'not-recorded',
    message: expect.stringContaining('attempt 4'),
  });
});

test.each([
  [[{ id: 'a', answer: 1 }, {}, { id: 'a', answer: 2 }], 'the id "a": answers.jsonl:1 and answers.jsonl:3'],
  [
    [
      { question: 'q', answer: 1 },
      { question: 'q', answer: 2 },
    ],
    'the same question: answers.jsonl:1 and',
  ],
  [
    [
      { id: 'a', attempt: 2, answer: 1 },
      { id: 'a', attempt: 2, answer: 2 },
    ],
    'the id "a" and attempt 2: answers.jsonl:1 and answers.jsonl:2',
  ],
  [[{ id: 'a', attempt: 'two', answer: 1 }], 'answers.jsonl:1: `attempt` is the text "two"'],
  [[['a', 'b']], 'answers.jsonl:1: the row is a list of 2'],
  [[{ id: 'a', expected_answer: 'x' }], 'its columns are id, expected_answer'],
  [[], 'it has no rows'],
])('%j cannot be replayed', async (rows, message) => {
  await expect(create(rows).open?.()).rejects.toMatchObject({
    code: 'target-invalid',
    message: expect.stringContaining(message),
  });
});

test.each(['actual_output', 'generated_answer', 'prediction', 'bot_answer', 'answer', 'response', 'output'])(
  '`%s` is a recorded answer',
  async (column) => {
    expect((await ask(create([{ id: 'c', [column]: 'x' }]))).answer).toBe('x');
  },
);

test("a column that can only be the bot's precedes one that may be the expected answer", async () => {
  expect((await ask(create([{ id: 'c', answer: 'gold', actual_output: 'bot' }]))).answer).toBe('bot');
});

test("the user's own columns precede all others", async () => {
  const rows = [{ case: 'c', answer: 'gold', reply: 'bot', used: 'a;b' }];
  const fields = { case: 'id', reply: 'answer', used: 'toolCalls' } as const;
  expect(await ask(create(rows, { fields }))).toMatchObject({
    answer: 'bot',
    toolCalls: [{ name: 'a' }, { name: 'b' }],
  });
});

test('one file may contain expectations and answers, and no expectation reaches the reply', async () => {
  const row = {
    id: 'c',
    question: 'q',
    category: 'x',
    expected_tools: ['query'],
    expected_answer: 'gold',
    answer: 'bot',
    tools_used: ['search'],
    contexts: ['d1'],
    usage: { input_tokens: 5 },
    stop_reason: 'end_turn',
    latency_ms: 120,
  };
  expect(await ask(create([row]))).toEqual({
    answer: 'bot',
    toolCalls: [{ name: 'search' }],
    documents: [{ id: 'd1' }],
    usage: { inputTokens: 5 },
    finishReason: 'end_turn',
    latency: { totalMs: 120 },
  });
});

test('text cells of a table are read as the values they stand for', async () => {
  const row = {
    id: 'c',
    answer: '42',
    actual_tools: 'query, search',
    documents: '["a, b", "c"]',
    usage: '{"input_tokens": 3}',
    cost: '0.5',
    latency_ms: '12.5',
  };
  expect(await ask(create([row]))).toEqual({
    answer: '42',
    toolCalls: [{ name: 'query' }, { name: 'search' }],
    documents: [{ id: 'a, b', text: 'a, b' }, { id: 'c' }],
    usage: { inputTokens: 3 },
    cost: 0.5,
    latency: { totalMs: 12.5 },
  });
});

test('a latency that was not recorded is unknown, rather than the time of the lookup', async () => {
  expect(await ask(create([{ id: 'c', answer: 'x' }]))).toMatchObject({
    answer: 'x',
    toolCalls: [],
    toolsUnknown: true,
    latency: null,
  });
});

test.each([
  [{ latencyMs: 812.5 }, { totalMs: 812.5 }],
  [{ latency_ms: '640' }, { totalMs: 640 }],
  [{ latency: { totalMs: 30, firstTokenMs: 4 } }, { totalMs: 30, firstTokenMs: 4 }],
  [{ latencyMs: 0 }, { totalMs: 0 }],
  [{ latencyMs: '' }, null],
  [{ latencyMs: null }, null],
])('the time in %j is the recorded latency', async (recorded, latency) => {
  expect((await ask(create([{ id: 'c', answer: 'x', ...recorded }]))).latency).toEqual(latency);
  const failed = ask(create([{ id: 'c', error: 'timed out', ...recorded }]));
  await expect(failed).rejects.toMatchObject({ code: 'recorded-error', latency });
  const odd = ask(create([{ id: 'c', answer: 'x', toolCalls: 5, ...recorded }]));
  await expect(odd).rejects.toMatchObject({ code: 'invalid-answer', latency });
});

test('an invalid latency is refused at its line', async () => {
  for (const latencyMs of [-1, 'fast', { seconds: 3 }]) {
    await expect(ask(create([{ id: 'c', answer: 'x', latencyMs }]))).rejects.toMatchObject({
      code: 'invalid-answer',
      message: expect.stringMatching(/^answers\.jsonl:1: `latencyMs` is /),
    });
  }
});

test("looking for a missing answer is not counted as the target's time", async () => {
  await expect(ask(create([{ id: 'a', answer: 'x' }]))).rejects.toMatchObject({
    code: 'not-recorded',
    latency: null,
  });
});

test('a recorded error is a failure with its message', async () => {
  for (const error of ['timed out', { code: 'timeout', message: 'timed out' }]) {
    await expect(ask(create([{ id: 'c', answer: null, error }]))).rejects.toMatchObject({
      code: 'recorded-error',
      message: 'timed out',
    });
  }
});

test('a recorded answer of the wrong type is refused at its line', async () => {
  const target = create([{ id: 'c', answer: 'x', toolCalls: 5 }]);
  await expect(ask(target)).rejects.toMatchObject({
    code: 'invalid-answer',
    message: expect.stringMatching(/^answers\.jsonl:1: `toolCalls` is the number 5/),
  });
});

test('rows are read by the given reader, with the path as it was written', async () => {
  const failure = new Error('cannot be read');
  const { definition } = replay;
  const seen: string[] = [];
  const readRows = (path: string) => {
    seen.push(path);
    throw failure;
  };
  const target = definition.create(definition.options.parse({ path: 'x.csv' }), {
    folder: '/y',
    environment: {},
    readRows,
    resolveModel: () => expect.fail('no model is used'),
  });
  await expect(target.open?.()).rejects.toBe(failure);
  expect(seen).toEqual(['x.csv']);
});

test('a recorded conversation answers all turns at once', async () => {
  const transcript = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'first' },
    { role: 'user', content: 'two' },
    { role: 'assistant', content: 'second' },
  ];
  const target = create([{ id: 'c', transcript }]);
  expect(target.holdsConversation).toBe(true);
  expect(await ask(target)).toMatchObject({ answer: 'second', transcript });
});
