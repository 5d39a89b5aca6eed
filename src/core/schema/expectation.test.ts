import { expect, test } from 'vitest';
import { buildCase } from '../../library/testing/build-records.ts';
import { expectationsOf, expectsNothing } from './expectation.ts';
import type { Expected } from './expected.ts';

test.each<[Expected, string[]]>([
  [{}, []],
  [{ answer: 'Paris' }, ['answer']],
  // An empty answer expects silence, unless other things are to be said.
  [{ answer: '' }, ['answer']],
  [{ answer: [] }, ['answer']],
  [{ answer: '', keywords: ['a'] }, ['keywords']],
  [{ answer: ['', 'Paris'] }, ['answer']],
  [{ keywords: [], tools: [] }, []],
  [{ keywords: ['a'], forbidden: ['b'] }, ['keywords', 'forbidden']],
  [{ refusal: false }, ['refusal']],
  [{ state: {} }, []],
  [{ state: { booked: true } }, ['state']],
  // An empty list is a rule: it allows no call at all.
  [{ calls: [] }, ['calls']],
])('in %j, the fields with something to check are %j', (expected, found) => {
  expect(expectationsOf(buildCase({ expected }))).toEqual(found);
});

test('expectations of a turn in a script count as the expectation `turns` of the case', () => {
  const script = [{ say: 'Hello' }, { say: 'And?', expected: { keywords: ['x'] } }];
  expect(expectationsOf({ expected: {}, user: { script } })).toEqual(['turns']);
  expect(expectationsOf({ expected: {}, user: { script: [{ say: 'Hello' }] } })).toEqual([]);
});

test('an empty list means that nothing is needed; an absent field does not', () => {
  expect(expectsNothing({ expected: { tools: [] } })).toBe(true);
  expect(expectsNothing({ expected: {} })).toBe(false);
  expect(expectsNothing({ expected: { answer: '' } })).toBe(false);
});
