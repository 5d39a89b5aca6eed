import { expect, test } from 'vitest';
import { pathSteps, valueAtPath } from './value-at-path.ts';

const reply = { choices: [{ message: { content: 'hi' } }], 'a b': { 'c.d': 1 }, none: null };

test.each([
  ['choices[0].message.content', 'hi'],
  ['choices.0.message.content', 'hi'],
  ['["a b"]["c.d"]', 1],
  ["a b['c.d']", 1],
  ['none', null],
  ['', reply],
])('%s is found', (path, value) => {
  expect(valueAtPath(reply, path)).toEqual(value);
});

test.each(['choices[1].message', 'choices[0].text', 'none.deeper', 'choices[0].message.content.length'])(
  'nothing is at %s',
  (path) => {
    expect(valueAtPath(reply, path)).toBeUndefined();
  },
);

test('only properties of a value itself are followed', () => {
  expect(valueAtPath(reply, 'constructor.name')).toBeUndefined();
  expect(valueAtPath(reply, '__proto__')).toBeUndefined();
  expect(valueAtPath(undefined, 'a')).toBeUndefined();
});

test('the steps of a path are names and numbers', () => {
  expect(pathSteps('a.b[0]["c d"].e')).toEqual(['a', 'b', '0', 'c d', 'e']);
});
