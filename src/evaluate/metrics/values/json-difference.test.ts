import { expect, test } from 'vitest';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { jsonDifference } from './json-difference.ts';

const score = (answer: string | null, wanted: Json, options = {}) =>
  scoreAnswer(jsonDifference, answer, {
    options: { from: 'metadata.json', ...options },
    metadata: { json: wanted },
  });

// autoevals 0.4.1 in Python: JSONDiff()(output=answer, expected=wanted).score
test.each<[answer: string, wanted: Json, value: number]>([
  [
    '{"name":"John Smith","age":30,"skills":["python","javascript"]}',
    { name: 'John A. Smith', age: 31, skills: ['python', 'typescript'] },
    0.8509457755359394,
  ],
  ['{}', {}, 1],
  ['[]', [], 1],
  ['{"a":1}', { a: 1, b: 2 }, 0.5],
  ['{"a":1,"x":null}', { a: 1 }, 1],
  ['{"a":{"b":[1,2,3]}}', { a: { b: [1, 2] } }, 2 / 3],
  ['{"a":true,"b":false}', { a: false, b: false }, 0.5],
  ['{"a":"{\\"k\\":1}"}', { a: { k: 1 } }, 1],
  ['{"a":"12"}', { a: 12 }, 0.5],
  ['{"a":[1]}', { a: { b: 1 } }, 0.1428571428571429],
  ['no JSON at all', { a: 1 }, 0.0625],
  ['[1,2,3]', [3, 2, 1], 2 / 3],
  ['{"a":null}', { a: null }, 1],
  ['{"city":"Montrose","zip":"81401"}', { city: 'montrose', zip: 81_401 }, 0.7946428571428572],
])('%s for %j', (answer, wanted, value) => {
  expect(valueOf(score(answer, wanted))).toBeCloseTo(value, 12);
});

test('names the places that differ, with their likeness', () => {
  expect(score('{"a":{"b c":2},"l":[1,2]}', { a: { 'b c': 1 }, l: [1] })).toMatchObject({
    value: expect.closeTo((2 / 3 + 1 / 2) / 2, 12),
    explanation: 'a["b c"] (0.67), l.length (0.50)',
  });
  expect(score('{"a":1}', { a: 1 })).not.toHaveProperty('explanation', expect.any(String));
});

test('the expected answer may be the text of JSON, or several of them; a fence can be allowed', () => {
  const expected = { answer: ['{"a": 1}', '{"a": 2}'] };
  expect(scoreAnswer(jsonDifference, '{"a": 2}', { expected })).toMatchObject({ value: 1 });
  const fenced = '```json\n{"a": 2}\n```';
  expect(scoreAnswer(jsonDifference, fenced, { expected, options: { fenced: true } })).toMatchObject({
    value: 1,
  });
  expect(scoreAnswer(jsonDifference, fenced, { expected })).toMatchObject({
    explanation: expect.stringContaining('the answer is no JSON'),
  });
});

test('texts inside are compared as texts when they are not to be parsed', () => {
  expect(score('{"a":"[1]"}', { a: '[ 1 ]' })).toMatchObject({ value: 1 });
  expect(score('{"a":"[1]"}', { a: '[ 1 ]' }, { parseTexts: false })).toMatchObject({ value: 1 - 2 / 5 });
});

test('is not applicable without an expected value; an own member `__proto__` is one like others', () => {
  expect(scoreAnswer(jsonDifference, '{}')).toMatchObject({ status: 'not-applicable' });
  expect(score(null, { a: 1 })).toMatchObject({ value: 0 });
  expect(score('{"__proto__": 1}', JSON.parse('{"__proto__": 3}'))).toMatchObject({ value: 0.5 });
  expect(score('{}', JSON.parse('{"constructor": null, "toString": 1}'))).toMatchObject({ value: 0.5 });
  const deep = '['.repeat(5000) + ']'.repeat(5000);
  expect(() => score(deep, JSON.parse(deep))).toThrow(expect.objectContaining({ code: 'too-long' }));
});

test('numbers that differ in digits that a double does not hold are not alike, nor are the forms of Unicode different', () => {
  const wanted = parseJson('{"id":1290461237612345677,"name":"Caf\u00e9","caf\u00e9":1}') as Json;
  expect(valueOf(score('{"id":1290461237612345677,"name":"Cafe\u0301","cafe\u0301":1}', wanted))).toBe(1);
  expect(valueOf(score('{"id":1290461237612345678,"name":"Café","café":1}', wanted))).toBeCloseTo(2 / 3, 10);
  expect(
    valueOf(score('{"id":9007199254740992.0,"n":1e2}', parseJson('{"id":9007199254740992,"n":100}') as Json)),
  ).toBe(1);
});
