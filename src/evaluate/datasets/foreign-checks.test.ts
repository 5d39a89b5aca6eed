import { expect, test } from 'vitest';
import { createFieldMapping } from './field-mapping.ts';
import { readForeignChecks } from './foreign-checks.ts';
import type { Fields } from './fields.ts';

const read = (row: Fields, fields = {}) => readForeignChecks(row, { mapping: createFieldMapping(fields) });

test.each<[string, Fields]>([
  ['Paris', { expected_answer: ['Paris'] }],
  ['equals: Paris', { expected_answer: ['Paris'] }],
  ['contains: hello', { expected_keywords: ['hello'] }],
  ['icontains:hello', { expected_keywords: ['hello'] }],
  ['contains-all: a, b', { expected_keywords: ['a', 'b'] }],
  ['not-contains: bye', { must_not_include: ['bye'] }],
  ['The ratio is 3: 4', { expected_answer: ['The ratio is 3: 4'] }],
])('the check %j of promptfoo is read as %j', (check, expected) => {
  expect(read({ question: 'q', __expected: check })).toEqual({ fields: { question: 'q', ...expected } });
});

test.each([
  'javascript: output.length < 5',
  'llm-rubric: is polite',
  'similar(0.8): hello',
  'contains-any: a, b',
  'is-json',
  'regex: ^a',
  'python: len(output)',
  'not-equals: x',
  'model-graded-closedqa: ok',
])('the check %j of promptfoo is refused with its name', (check) => {
  const { problem } = read({ question: 'q', __expected1: check });
  expect(problem?.message).toContain(check.slice(0, 20));
  expect(problem?.remedy).toContain('fields: { __expected1: null }');
});

test('several checks of promptfoo are joined, its labels are kept, and its other settings are refused', () => {
  expect(read({ __expected: 'contains: a', __expected2: 'not-contains: b', __metric: 'm' }).fields).toEqual({
    expected_keywords: ['a'],
    must_not_include: ['b'],
    __metric: 'm',
  });
  expect(read({ __threshold: 0.5 }).problem?.message).toContain('__threshold');
  expect(read({ __expected: 'llm-rubric: x' }, { __expected: null }).problem).toBeUndefined();
});

test.each<[string, Fields, Fields]>([
  ['numeric_tolerance', { expected: 442300, tolerance: 100 }, { value: 442300, tolerance: 100 }],
  ['numeric', { expected_value: '$1,204', tolerance_percent: 5 }, { value: 1204, relativeTolerance: 0.05 }],
  ['count', { expected_count: 3 }, { value: 3 }],
  ['range', { min: 1, max: 5 }, { min: 1, max: 5 }],
  ['min_count', { min_count: 2 }, { min: 2 }],
])('the check %s with %j expects the number %j', (type, params, number) => {
  const row = { question: 'q', validation_type: type, validation_params: params };
  expect(read(row)).toEqual({ fields: { question: 'q', expected_numbers: [number] } });
  const cell = { ...row, validation_params: JSON.stringify(params) };
  expect(read(cell)).toEqual({ fields: { question: 'q', expected_numbers: [number] } });
});

test.each<[string, unknown]>([
  ['sql_equal', { query: 'x' }],
  ['numeric', { expected: 1, rounding: 2 }],
  ['numeric', { expected: 'many' }],
  ['range', {}],
])('the check %s with %j is refused', (type, params) => {
  expect(read({ validation_type: type, validation_params: params }).problem?.message).toContain(type);
});

test('choices are added to the question, and the history is put before it', () => {
  expect(read({ question: 'Which?', choices: ['red', 'blue'] }).fields).toEqual({
    question: 'Which?\n\nA) red\nB) blue',
    'expected.choices': [
      { label: 'A', text: 'red' },
      { label: 'B', text: 'blue' },
    ],
  });
  const history = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
  ];
  expect(read({ question: 'And?', history }).fields).toEqual({
    question: [...history, { role: 'user', content: 'And?' }],
  });
});

test('a config may name a path into an object', () => {
  const row = { question: 'q', meta: { gold: 'Paris' } };
  expect(read(row, { 'meta.gold': 'expected_answer' }).fields).toEqual({ ...row, 'meta.gold': 'Paris' });
});
