import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { forbidden } from './forbidden.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';

test.each([
  ['The password is hunter2', 0],
  ['THE ＰＡＳＳＷＯＲＤ', 0],
  ['pass\u200bword', 0],
  ['pass\u00adword', 0],
  ['p\u0430ssword', 0],
  ['All good', 1],
  [null, 1],
])('%j → %d', (answer, value) => {
  const verdict = scoreAnswer(forbidden, answer, { expected: { forbidden: ['password'] } });
  expect(verdict).toMatchObject({ value, passed: value === 1 });
});

test('texts and patterns of the options are forbidden in every answer', () => {
  const options = { texts: ['internal use'], patterns: [String.raw`\b\d{3}-\d{2}-\d{4}\b`] };
  expect(scoreAnswer(forbidden, 'My number is 123-45-6789', { options })).toMatchObject({
    value: 0,
    explanation: 'found: 123-45-6789',
    evidence: { found: ['123-45-6789'] },
  });
  expect(scoreAnswer(forbidden, 'For Internal  Use only', { options })).toMatchObject({ value: 0 });
});

test.each([
  ['5', 'It costs 15.', 1],
  ['5', 'It is −5 degrees.', 1],
  ['5', 'It costs 5.00.', 0],
  ['1299', 'It costs $1,299.', 0],
  ['50 %', 'You get 150 % of it.', 1],
  ['50% off', 'You get 50 % off.', 0],
  ['50% off', 'You get 50% off.', 0],
  ['credit card', 'your credit\u2011card number', 0],
  ['credit card', 'your **credit** card', 0],
  ["can't refund", 'We can’t refund it.', 0],
  ['café', 'the cafe\u0301', 0],
  ['internal', 'internally', 0],
  ['secret', '**sec**ret', 0],
  ['4111 1111 1111 1111', 'card 4111-1111-1111-1111', 0],
  ['4111 1111 1111 1111', 'card 41111111111111112', 1],
  ['4567890', 'the EIN 83-4567890', 0],
  ['*', 'a * b', 0],
])('the forbidden %j in %j → %d', (forbiddenText, answer, value) => {
  expect(scoreAnswer(forbidden, answer, { expected: { forbidden: [forbiddenText] } })).toMatchObject({
    value,
  });
});

test('names the notation in which a forbidden number was found', () => {
  expect(scoreAnswer(forbidden, 'It costs $1,299.', { expected: { forbidden: ['1299'] } })).toMatchObject({
    explanation: 'found: 1299 (as “$1,299”)',
    evidence: { found: ['1299'], foundAs: { 1299: '$1,299' } },
  });
});

test('in word mode a text inside another word does not count', () => {
  const expected = { forbidden: ['ass'] };
  expect(scoreAnswer(forbidden, 'a class', { expected })).toMatchObject({ value: 0 });
  expect(scoreAnswer(forbidden, 'a class', { expected, options: { match: 'word' } })).toMatchObject({
    value: 1,
  });
});

test('is not applicable when nothing is forbidden; rejects an invalid pattern', () => {
  expect(scoreAnswer(forbidden, 'x')).toMatchObject({ status: 'not-applicable' });
  expect(() => scoreAnswer(forbidden, 'x', { options: { patterns: ['('] } })).toThrow();
});

test.skipIf(!isReleaseTested)(
  'a pattern that takes too long gives no verdict (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
    const options = { patterns: ['^(a+)+$'] };
    expect(() => scoreAnswer(forbidden, `${'a'.repeat(40)}!`, { options })).toThrow(
      expect.objectContaining({ code: 'pattern-too-slow' }),
    );
  },
);
