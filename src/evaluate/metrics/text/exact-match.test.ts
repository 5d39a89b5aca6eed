import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { exactMatch } from './exact-match.ts';

const score = (answer: string | null, expected: string | string[] | undefined, options = {}) =>
  scoreAnswer(exactMatch, answer, { options, expected: { answer: expected } });

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

test.each([
  ['I can’t help', "I can't help"],
  ['cafe\u0301', 'Café'],
  ['10\u2060\u202fkm', '10 km'],
  ['2019\u20132020', '2019-2020'],
  ['“quoted”', '"quoted"'],
  ['**Paris**', 'Paris'],
  ['STRASSE', 'Straße'],
  ['ｐａｒｉｓ', 'Paris'],
  ['so\u00adlution', 'solution'],
])('%j reads as %j: 1, and 0 by the source', (answer, expected) => {
  expect(score(answer, expected)).toMatchObject({ value: 1, passed: true });
  expect(score(answer, expected, { source: true })).toMatchObject({ value: 0, passed: false });
});

test.each([
  ['10²', '102'],
  ['-5', '5'],
  ['3.14', '314'],
  ['C#', 'C'],
  ['Müller', 'Muller'],
  ['a*b', 'ab'],
  ['👍', '👎'],
  ['x < 5', 'x > 5'],
])('%j is not %j', (answer, expected) => {
  expect(score(answer, expected)).toMatchObject({ value: 0, passed: false });
});

test('accepts any of several expected answers, and the verdict names it', () => {
  expect(score('Yes', ['no', 'yes'])).toMatchObject({ value: 1, evidence: { reference: 'yes' } });
});

test('is not applicable to a case without an expected answer', () => {
  expect(score('x', undefined)).toEqual({
    status: 'not-applicable',
    reason: 'the question has no expected answer',
  });
  expect(score('x', [])).toMatchObject({ status: 'not-applicable' });
});
