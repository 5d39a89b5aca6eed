import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../test/support/score-answer.ts';
import { exactMatch } from './exact-match.ts';

const score = (answer: string | null, expected: string | string[] | undefined) =>
  scoreAnswer(exactMatch, answer, { expected: { answer: expected } });

test.each([
  ['  The  Basis\nis 442,300 ', 'the basis is 442,300', 1],
  ['The basis is 442,300.', 'The basis is 442,300', 0],
  ['a\u001cb\u0085c', 'A B C', 1],
  ['a\ufeffb', 'a b', 0],
  ['ΟΔΟΣ', 'οδος', 1],
  ['İ', 'i̇', 1],
  ['', '', 1],
  [null, ' ', 1],
  ['', 'x', 0],
])('%j against %j → %d', (answer, expected, value) => {
  expect(score(answer, expected)).toMatchObject({ status: 'scored', value, passed: value === 1 });
});

test('accepts any of several expected answers, and the verdict names it', () => {
  expect(score('Yes', ['no', 'yes'])).toMatchObject({ value: 1, evidence: { reference: 'yes' } });
});

test('is not applicable to a case without an expected answer', () => {
  expect(score('x', undefined)).toEqual({
    status: 'not-applicable',
    reason: 'the case has no expected answer',
  });
  expect(score('x', [])).toMatchObject({ status: 'not-applicable' });
});
