import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { jsonSchema } from './json-schema.ts';

const order = {
  type: 'object',
  properties: { id: { type: 'integer' }, day: { type: 'string', format: 'date' } },
  required: ['id'],
  additionalProperties: false,
};
const score = (answer: string | null, schema: object | boolean | undefined = order, options = {}) =>
  scoreAnswer(jsonSchema, answer, { options: { schema, ...options } });

test.each([
  ['{"id": 1}', 1, undefined],
  ['{"id": 1, "day": "2024-02-29"}', 1, undefined],
  ['{"id": 1, "day": "2024-02-30"}', 0, '/day must match format "date"'],
  ['{"id": "1"}', 0, '/id must be integer'],
  ['{"id": 1, "x": 2}', 0, 'the value must NOT have additional properties: x'],
  ['{}', 0, "the value must have required property 'id'"],
  ['{"toString": 1}', 0, "the value must have required property 'id'"],
])('%s → %d (%s)', (answer, value, explanation) => {
  expect(score(answer)).toEqual({ status: 'scored', value, passed: value === 1, explanation });
});

test('a long whole number is an integer; a schema whose own numbers are longer than it compares is not used', () => {
  expect(score('{"id": 1290461237612345677}')).toMatchObject({ value: 1 });
  const schema = parseJson('{"properties":{"id":{"const":1290461237612345677}}}') as object;
  expect(() => score('{"id": 1290461237612345678}', schema)).toThrow(/more digits than/);
});

test.each([
  ['9007199254740993', { maximum: 9007199254740992 }],
  ['9007199254740993', { enum: [9007199254740992] }],
  ['-9007199254740993', { const: -9007199254740992 }],
  ['[9007199254740993, 9007199254740992]', { uniqueItems: true }],
  ['12345678901234567891', { multipleOf: 4096 }],
])('%s is not measured by %j, which does not compare its digits', (answer, schema) => {
  expect(() => score(answer, schema)).toThrow(/more digits than/);
});

test.each([
  ['9007199254740993', { minimum: 5 }, 1],
  ['9007199254740993', { maximum: 5 }, 0],
  ['{"id": 9007199254740993}', { properties: { id: { type: 'string' } } }, 0],
  ['9007199254740992', { maximum: 9007199254740992 }, 1],
])('%s is measured by %j', (answer, schema, value) => {
  expect(score(answer, schema)).toMatchObject({ value });
});

test('an answer that is not JSON scores 0 with the reason', () => {
  expect(score('sorry')).toMatchObject({ value: 0, explanation: expect.stringContaining('JSON') });
  expect(score(null)).toMatchObject({ value: 0 });
});

test.each([
  [
    'https://json-schema.org/draft/2020-12/schema',
    { prefixItems: [{ type: 'string' }], items: false },
    '["a", 1]',
    0,
  ],
  [
    'https://json-schema.org/draft/2020-12/schema',
    { prefixItems: [{ type: 'string' }], items: false },
    '["a"]',
    1,
  ],
  ['https://json-schema.org/draft/2019-09/schema', { unevaluatedProperties: false }, '{"a": 1}', 0],
  ['http://json-schema.org/draft-07/schema#', { if: { minimum: 5 }, else: { maximum: 3 } }, '4', 0],
  ['http://json-schema.org/draft-06/schema#', { exclusiveMinimum: 5 }, '5', 0],
])('follows the draft that $schema names: %s', ($schema, schema, answer, value) => {
  expect(score(answer, { $schema, ...schema })).toMatchObject({ value });
});

test('a schema may refer to its own parts and to itself', () => {
  const tree = { $ref: '#/$defs/node', $defs: { node: { items: { $ref: '#/$defs/node' }, type: 'array' } } };
  expect(score('[[], [[]]]', tree)).toMatchObject({ value: 1 });
  expect(score('[[], [1]]', tree)).toMatchObject({ value: 0 });
});

test('each case may have its schema; not applicable without one, not measured with an invalid one', () => {
  const check = (metadata: Record<string, never> | { schema: { type: string } }) =>
    scoreAnswer(jsonSchema, '5', { metadata });
  expect(check({ schema: { type: 'number' } })).toMatchObject({ value: 1 });
  expect(check({ schema: { type: 'string' } })).toMatchObject({ value: 0 });
  expect(check({})).toMatchObject({ status: 'not-applicable' });
  expect(check({ schema: { type: 'nummer' } })).toMatchObject({ status: 'failed', code: 'schema-invalid' });
});

test.each([
  { type: 'nummer' },
  { $ref: 'https://example.org/far.json' },
  { $schema: 'http://json-schema.org/draft-04/schema#' },
])('rejects the schema %j in the configuration', (schema) => {
  expect(() => score('1', schema)).toThrow(/cannot be used/);
});

test('checking a long list for distinct members ends, with or without a verdict', () => {
  const list = JSON.stringify(Array.from({ length: 60_000 }, (_, index) => ({ index })));
  expect(() => score(list, { uniqueItems: true })).toThrow(expect.objectContaining({ code: 'too-long' }));
  expect(score(list, { items: { type: 'object' } })).toMatchObject({ value: 1 });
});

test('applies each of several patterns of a schema', () => {
  const schema = { properties: { a: { pattern: '^x+$' }, b: { pattern: '^y+$' } } };
  expect(score('{"a": "xx", "b": "yy"}', schema)).toMatchObject({ value: 1 });
  expect(score('{"a": "xx", "b": "xx"}', schema)).toMatchObject({ value: 0 });
  expect(score('{"a": "yy", "b": "yy"}', schema)).toMatchObject({ value: 0 });
});
