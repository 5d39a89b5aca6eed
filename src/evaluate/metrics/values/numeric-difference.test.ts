import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { numericDifference } from './numeric-difference.ts';

const score = (answer: string | null, expected: string | string[], options = {}) =>
  scoreAnswer(numericDifference, answer, { options, expected: { answer: expected } });

// autoevals 0.4.1 in Python: NumericDiff()(output=given, expected=wanted).score
test.each([
  [105, 100, 0.975609756097561],
  [0, 0, 1],
  [0, 5, 0],
  [-3, 3, 0],
  [300, 100, 0.5],
  [442_300, 442_000.5, 0.9996613142251983],
])('%d for %d scores %d', (given, wanted, value) => {
  expect(valueOf(score(`It is ${given}.`, String(wanted)))).toBeCloseTo(value, 12);
  expect(valueOf(scoreAnswer(numericDifference, String(given), { options: { value: wanted } }))).toBeCloseTo(
    value,
    12,
  );
});

test('reads numbers however they are written, and picks the nearest, the first or the last', () => {
  expect(score('In 2024 it was $16.1k.', '16,144')).toMatchObject({
    value: 1 - 44 / 32_244,
    explanation: '16100 in place of 16144',
    evidence: { expected: 16_144, found: 16_100 },
  });
  expect(score('10, then 30', '30', { pick: 'first' })).toMatchObject({ value: 0.5 });
  expect(score('30, then 10', '30', { pick: 'last' })).toMatchObject({ value: 0.5 });
  expect(score('1.204', '1204', { decimalMark: ',' })).toMatchObject({ value: 1 });
  expect(score('10', ['30', 'ten: 10'])).toMatchObject({ value: 1 });
});

test('an answer without a number scores 0; without one expected number the metric is not applicable', () => {
  expect(score('I do not know.', '5', { threshold: 0.5 })).toMatchObject({ value: 0, passed: false });
  expect(score(null, '5')).toMatchObject({ value: 0, explanation: 'the answer states no number' });
  expect(score('5', 'five')).toEqual({ status: 'not-applicable', reason: 'the question expects no number' });
  expect(score('5', 'from 3 to 5')).toEqual({
    status: 'not-applicable',
    reason: 'the question expects several numbers: 3, 5',
  });
});

test('lies in [0, 1], is symmetric, and does not depend on the scale', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const likeness = (given: number, wanted: number) =>
    Number(valueOf(scoreAnswer(numericDifference, JSON.stringify(given), { options: { value: wanted } })));
  const plain = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(plain, plain, number, (given, wanted, other) => {
      const value = likeness(given, wanted);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(likeness(wanted, given)).toBe(value);
      expect(likeness(given * 8, wanted * 8)).toBeCloseTo(value, 12);
      expect(likeness(given, other)).toBeGreaterThanOrEqual(0);
    }),
  );
});
