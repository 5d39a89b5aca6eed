import { expect, test } from 'vitest';
import { draftCase } from './draft-case.ts';
import { createFieldMapping, type FieldOverrides } from './field-mapping.ts';
import { fieldTable } from './field-table.ts';

const place = { file: 'golden', line: 1, column: 1 };

function draft(value: unknown, options: { fields?: FieldOverrides; hasTextCells?: boolean } = {}) {
  const row = { value, place, locate: (path: readonly PropertyKey[]) => ({ file: path.join('/') }) };
  return draftCase(row, {
    mapping: createFieldMapping(options.fields),
    hasTextCells: options.hasTextCells ?? false,
  });
}

test.each([
  ['question', 'input'],
  ['user_query', 'input'],
  ['expected_tools', 'expected.tools'],
  ['expected_content', 'expected.keywords'],
  ['must_include', 'expected.keywords'],
  ['must_not_include', 'expected.forbidden'],
  ['ground_truth', 'expected.answer'],
  ['expected_output', 'expected.answer'],
  ['relevant_ids', 'expected.documents'],
])('%s means %s', (name, field) => {
  const [first, second] = field.split('.') as [string, string | undefined];
  const { value, unknownFields } = draft({ [name]: ['x'] });
  expect(second === undefined ? value[first] : (value[first] as Record<string, unknown>)[second]).toEqual([
    'x',
  ]);
  expect(unknownFields).toEqual([]);
});

test('every name belongs to one field', () => {
  const names = fieldTable.flatMap((rule) => [...rule.names]);
  expect(new Set(names).size).toBe(names.length);
});

test('camel-case, snake_case, kebab-case and spaced names are equal', () => {
  for (const name of [
    'expectedAnswer',
    'expected_answer',
    'expected-answer',
    'Expected Answer',
    'EXPECTED_ANSWER',
  ]) {
    expect(draft({ [name]: 'a' }).value).toEqual({ expected: { answer: 'a' } });
  }
});

test('of two synonyms the one earlier in the table wins; the other goes to metadata', () => {
  for (const row of [
    { query: 'b', Question: 'a' },
    { Question: 'a', query: 'b' },
  ]) {
    expect(draft(row)).toMatchObject({
      value: { input: 'a', metadata: { query: 'b' } },
      unknownFields: ['query'],
    });
  }
  expect(draft({ answer: 'b', expected: { answer: 'a' } }).value).toEqual({
    expected: { answer: 'a' },
    metadata: { answer: 'b' },
  });
});

test('unknown fields go to metadata and are reported; nothing is lost', () => {
  const { value, unknownFields } = draft({
    question: 'q',
    type: 't',
    topic: 1,
    metadata: { topic: 2 },
    expected: { keywords: ['k'], tone: 'kind' },
  });
  expect(value).toEqual({
    input: 'q',
    expected: { keywords: ['k'] },
    metadata: { topic: 2, type: 't', topic_2: 1, expected: { tone: 'kind' } },
  });
  expect(unknownFields).toEqual(['type', 'topic', 'expected.tone']);
});

test('null means absent', () => {
  expect(draft({ question: 'q', category: null, author: null, expected: { answer: null } }).value).toEqual({
    input: 'q',
  });
});

test('expected as a text or a list is the expected answer', () => {
  expect(draft({ expected: 'yes' }).value).toEqual({ expected: { answer: 'yes' } });
  expect(draft({ expected: ['yes', 'Yes.'] }).value).toEqual({ expected: { answer: ['yes', 'Yes.'] } });
});

test('only whole numbers are converted to text where a text is expected', () => {
  expect(draft({ id: 7, answer: 42 }).value).toEqual({ id: '7', expected: { answer: '42' } });
  expect(draft({ id: 7.5, answer: 2 ** 60, question: 3 }).value).toEqual({
    id: 7.5,
    expected: { answer: 2 ** 60 },
    input: 3,
  });
});

test('a text where a list is expected is read like a cell; one with commas may be one text or several', () => {
  const keywords = (raw: unknown) => draft({ expected_keywords: raw }).value['expected'];
  expect(keywords('Montrose')).toEqual({ keywords: ['Montrose'] });
  expect(keywords('nine | ten')).toEqual({ keywords: ['nine', 'ten'] });
  expect(keywords('nine, ten')).toEqual({ keywords: 'nine, ten' });
});

test('numbers and truth values among keywords are texts', () => {
  const keywords = (raw: unknown) => draft({ expected_keywords: raw }).value['expected'];
  expect(keywords([42])).toEqual({ keywords: ['42'] });
  expect(keywords(42)).toEqual({ keywords: ['42'] });
  expect(keywords(['lamp', 1.5, true])).toEqual({ keywords: ['lamp', '1.5', 'true'] });
});

test.each([
  [42, '42'],
  [true, 'true'],
  [-5.5, '-5.5'],
  [{ a: 1 }, '{"a":1}'],
  [[1, 2], '[1,2]'],
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  [
    ['forty-two', 42],
    ['forty-two', '42'],
  ],
  [{ text: ['Paris', 'paris'], answer_start: [3, 3] }, ['Paris', 'paris']],
  [{ answer: '49 dollars' }, '49 dollars'],
  [{ role: 'assistant', content: 'Nine.' }, 'Nine.'],
])('the expected answer %j is %j', (raw, answer) => {
  expect(draft({ expected_answer: raw }).value).toEqual({ expected: { answer } });
});

test.each([
  [320, [{ value: 320 }]],
  [[320], [{ value: 320 }]],
  ['320; 12', [{ value: 320 }, { value: 12 }]],
  ['49,90', [{ value: 49.9 }]],
  ['1.204,50 €', [{ value: 1204.5 }]],
  ['$442,300', [{ value: 442_300 }]],
  [
    [{ min: 40, max: 60 }, 7],
    [{ min: 40, max: 60 }, { value: 7 }],
  ],
  [{ value: 5, tolerance: 1 }, [{ value: 5, tolerance: 1 }]],
  ['nine', 'nine'],
])('the expected numbers %j are %j, in a cell and in JSON', (raw, numbers) => {
  for (const hasTextCells of [false, true]) {
    const cell = hasTextCells && typeof raw === 'object' ? JSON.stringify(raw) : raw;
    expect(draft({ expected_numbers: cell }, { hasTextCells }).value).toEqual({ expected: { numbers } });
  }
});

test.each(['expected_behavior', 'expected_outcome', 'criteria', 'rubric', 'expectations', 'grading_notes'])(
  '%s in words is what should happen, in one text or several',
  (name) => {
    expect(draft({ [name]: 'Offers a refund.' }).value).toEqual({
      expected: { behavior: 'Offers a refund.' },
    });
    expect(draft({ [name]: ['Offers a refund.', 'Is polite.'] }).value).toEqual({
      expected: { behavior: ['Offers a refund.', 'Is polite.'] },
    });
  },
);

test('several descriptions of what should happen all count, and one of another form is an expectation that nothing reads', () => {
  expect(draft({ rubric: 'Is polite.', expected_outcome: 'Refunds.' }).value).toEqual({
    expected: { behavior: ['Is polite.', 'Refunds.'] },
  });
  const { value, suspicious } = draft({ rubric: [{ criterion: 'Is polite.', points: 5 }] });
  expect(value['expected']).toBeUndefined();
  expect(suspicious).toEqual([{ name: 'rubric', isNearMiss: false, nearest: undefined }]);
  expect(draft({ expectations: { answer: '9' } }).value).toEqual({ expected: { answer: '9' } });
});

test('a config can give names a meaning and remove it', () => {
  const fields = { my_column: 'expected.answer', answer: null, text: 'question' } as const;
  const { value, unknownFields } = draft(
    { text: 'q', 'My Column': 'a', answer: 'b', ground_truth: 'c' },
    { fields },
  );
  expect(value).toEqual({
    input: 'q',
    expected: { answer: 'a' },
    metadata: { answer: 'b', ground_truth: 'c' },
  });
  expect(unknownFields).toEqual(['ground_truth']);
});

test('expected documents are a list, or an object from id to relevance', () => {
  const graded = [
    { id: 'd2', relevance: 3 },
    { id: 'd1', relevance: -1 },
  ];
  const read = (documents: unknown, hasTextCells = false) =>
    (draft({ relevant_ids: documents }, { hasTextCells }).value['expected'] as Record<string, unknown>)[
      'documents'
    ];
  expect(read(['d1', 7, { id: 8, relevance: 2 }])).toEqual(['d1', '7', { id: '8', relevance: 2 }]);
  expect(read({ d2: 3, d1: -1 })).toEqual(graded);
  expect(read('{"d2": 3, "d1": -1}', true)).toEqual(graded);
  expect(read('["d1", {"id": "d2", "relevance": 3}]', true)).toEqual(['d1', graded[0]]);
  expect(read('d1, d2|d3', true)).toEqual(['d1', 'd2', 'd3']);
  expect(read('d1')).toEqual(['d1']);
});

test('the relevance of a document in an object is located under its id', () => {
  const { locate } = draft({ expected: { documents: { d1: 1, d2: 'high' } } });
  const { place: found, field } = locate(['expected', 'documents', 1, 'relevance']);
  expect(`${field} at ${found.file}`).toBe('expected.documents.d2 at expected/documents/d2');
});

test('messages of chat APIs are converted to our spelling, and their other fields are kept', () => {
  const messages = [
    { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }], weight: 1 },
    {
      role: 'assistant',
      tool_calls: [{ id: '1', type: 'function', function: { name: 'search', arguments: '{"q":"a"}' } }],
    },
    { role: 'tool', tool_call_id: '1', content: 'found' },
  ];
  const { value, unknownFields } = draft({ messages });
  expect(value).toEqual({
    input: [
      { role: 'system', content: 'Be kind.', weight: 1 },
      { role: 'assistant', content: null, toolCalls: [{ id: '1', name: 'search', arguments: { q: 'a' } }] },
      { role: 'tool', content: 'found', toolCallId: '1' },
    ],
    metadata: { messages },
  });
  expect(unknownFields).toEqual(['messages.weight']);
});

test.each([
  ['expected_keywords', '442,300|basis; total\nMontrose', ['442,300', 'basis', 'total', 'Montrose']],
  ['expected_keywords', '["a|b", "c;d"]', ['a|b', 'c;d']],
  ['expected_keywords', "['a', \"b's\"]", ['a', "b's"]],
  ['expected_keywords', "['a' 'b']", ['a', 'b']],
  ['expected_keywords', '49,90', ['49,90']],
  ['expected_answer', "['a', 'b']", ['a', 'b']],
  ['expected_tools', 'query_database, search|list', ['query_database', 'search', 'list']],
  ['expected_tools', '[{"name":"search"}]', [{ name: 'search' }]],
  ['expected_refusal', 'Yes', true],
  ['expected_refusal', 'maybe', 'maybe'],
  ['expected_state', '{"booked":true}', { booked: true }],
  ['expected_answer', '[1] and {2}', '[1] and {2}'],
  ['expected', '{"answer": "x"}', undefined],
])('the text cell %s = %j is read', (name, cell, expected) => {
  const { value } = draft({ [name]: cell }, { hasTextCells: true });
  const part = name.replace('expected_', '').replace('expected', 'answer');
  expect((value['expected'] as Record<string, unknown>)[part]).toEqual(expected ?? 'x');
});

test('a question in a text cell may begin with a bracket; a list of messages is a conversation', () => {
  const read = (question: string) => draft({ question }, { hasTextCells: true }).value['input'];
  expect(read('[1, 2] is what?')).toBe('[1, 2] is what?');
  expect(read('["a"]')).toBe('["a"]');
  expect(read('[{"role":"user","content":"hi"}]')).toEqual([{ role: 'user', content: 'hi' }]);
});

test('dotted names nest', () => {
  expect(
    draft({ 'expected.answer': 'a', 'metadata.topic': 't', 'metadata.a.b': 1, 'no. 1': 2 }),
  ).toMatchObject({
    value: { expected: { answer: 'a' }, metadata: { topic: 't', a: { b: 1 }, 'no. 1': 2 } },
    unknownFields: ['no. 1'],
  });
});

test("values are located under the user's own names", () => {
  const row = {
    query: 'q',
    must_include: ['a'],
    'odd\u001b': 1,
    metadata: { x: 1 },
    expected: { tools: [5] },
  };
  const { locate } = draft(row);
  const where = (...path: PropertyKey[]) => {
    const { place: found, field } = locate(path);
    return `${field} at ${found.file}`;
  };
  expect(where('input')).toBe('query at query');
  expect(where('expected', 'keywords', 0)).toBe('must_include[0] at must_include/0');
  expect(where('expected', 'tools', 0)).toBe('expected.tools[0] at expected/tools/0');
  expect(where('metadata', 'x')).toBe('metadata.x at metadata/x');
  expect(where('metadata', 'odd\u001b')).toBe('odd␛ at odd\u001b');
  expect(where('category')).toBe('category at golden');
});

test('a field named __proto__ is refused', () => {
  for (const text of ['{"__proto__": 1}', '{"metadata": {"__proto__": 1}}']) {
    expect(draft(JSON.parse(text)).problem?.message).toContain('__proto__');
  }
});

test('a value that is not an object is passed on, and the schema refuses it', () => {
  for (const value of ['text', 5, null, ['a']]) expect(draft(value).value).toEqual(value);
});
