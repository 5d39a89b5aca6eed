import { expect, test } from 'vitest';
import { buildCase } from '../testing/build-records.ts';
import { expectationsOf, expectsNothing } from './expectation.ts';
import type { Expected } from './expected.ts';

test.each<[Expected, string[]]>([
  [{}, []],
  [{ answer: 'Paris' }, ['answer']],
  [{ answer: '' }, []],
  [{ answer: ['', 'Paris'] }, ['answer']],
  [{ keywords: [], tools: [] }, []],
  [{ keywords: ['a'], forbidden: ['b'] }, ['keywords', 'forbidden']],
  [{ refusal: false }, ['refusal']],
  [{ state: {} }, []],
  [{ state: { booked: true } }, ['state']],
  // No call at all is allowed: that is a rule.
  [{ calls: [] }, ['calls']],
])('%j holds something to check in %j', (expected, found) => {
  expect(expectationsOf(buildCase({ expected }))).toEqual(found);
});

test('what the turns of a script expect is an expectation of the case', () => {
  const script = [{ say: 'Hello' }, { say: 'And?', expected: { keywords: ['x'] } }];
  expect(expectationsOf({ expected: {}, user: { script } })).toEqual(['turns']);
  expect(expectationsOf({ expected: {}, user: { script: [{ say: 'Hello' }] } })).toEqual([]);
});

test('an empty list says that nothing is needed; a field that is absent does not', () => {
  expect(expectsNothing({ expected: { tools: [] } })).toBe(true);
  expect(expectsNothing({ expected: {} })).toBe(false);
  expect(expectsNothing({ expected: { answer: '' } })).toBe(false);
});
