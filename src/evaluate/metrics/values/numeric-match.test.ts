import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { numericMatch } from './numeric-match.ts';

const score = (answer: string | null, options: Parameters<typeof numericMatch>[0]) =>
  scoreAnswer(numericMatch, answer, { options: { ...options } });

test.each<[Parameters<typeof numericMatch>[0], string, number]>([
  [{ value: 442300 }, 'The basis is $442,300.', 1],
  [{ value: 442300 }, 'About 442.3k dollars.', 1],
  [{ value: '442,300 dollars' }, '442.3 thousand', 1],
  [{ value: 442300 }, '442,301', 0],
  [{ value: 442300, tolerance: 1 }, '442,301', 1],
  [{ value: 442300, relativeTolerance: 0.01 }, '440,000', 1],
  [{ value: 442300, relativeTolerance: 0.001 }, '440,000', 0],
  [{ value: 0.3, tolerance: 0.1 }, '0.4', 1],
  [{ value: 1234567890 }, '1234567891', 0],
  [{ value: '12.5 %' }, '0.125', 1],
  [{ value: 0.333 }, '33.3 per cent', 1],
  [{ value: 12.5 }, '12.5%', 1],
  [{ value: '12.5 %' }, '12.5', 0],
  [{ value: -1204 }, 'a loss of (1,204)', 1],
  [{ value: 1204 }, 'the rent (1,204)', 1],
  [{ value: -5 }, '5', 0],
  [{ value: 3 }, '1, 2, 3', 1],
  [{ value: 3, pick: 'first' }, '1, 2, 3', 0],
  [{ value: 3, pick: 'last' }, '1, 2, 3', 1],
  [{ value: ['7', 8] }, 'eight or 8', 1],
  [{ value: '1.204', decimalMark: ',' }, '1204', 1],
  [{ value: 1.5, decimalMark: ',' }, '1,5', 1],
  [{ value: 5 }, 'no number', 0],
])('%j in %j → %d', (options, answer, value) => {
  expect(score(answer, options)).toMatchObject({ value, passed: value === 1 });
});

test('looks for every number of the expected answer; the best of several answers counts', () => {
  const expected = { answer: ['land 50,000 and building 392,300', 'three'] };
  expect(scoreAnswer(numericMatch, 'The land is 50000.', { expected })).toMatchObject({
    value: 0.5,
    passed: false,
    explanation: 'missing: 392,300',
    evidence: { expected: ['50,000', '392,300'], found: ['50000'], missing: ['392,300'] },
  });
});

test('a case that expects no number is not applicable; a missing answer states none', () => {
  expect(scoreAnswer(numericMatch, '5', { expected: { answer: 'five' } })).toMatchObject({
    status: 'not-applicable',
  });
  expect(valueOf(score(null, { value: 5 }))).toBe(0);
});

test('the expected number may be anywhere in the case, also as a JSON number', () => {
  const metadata = { facts: { rent: 16144 } };
  expect(
    scoreAnswer(numericMatch, '$16,144', { options: { from: 'metadata.facts.rent' }, metadata }),
  ).toMatchObject({
    value: 1,
  });
});
