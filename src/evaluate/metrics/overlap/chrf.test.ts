import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { chrf } from './chrf.ts';

const score = (answer: string | null, reference: string | string[], options = {}) =>
  scoreAnswer(chrf, answer, { options, expected: { answer: reference } });

test('recall counts beta times as much as precision', () => {
  // One order with 2 of 4 answer and 2 of 2 reference characters shared: F = (1 + b²)PR / (b²P + R).
  expect(score('abxy', 'ab', { characterOrder: 1 })).toMatchObject({ value: (5 * 0.5) / (4 * 0.5 + 1) });
  expect(score('abxy', 'ab', { characterOrder: 1, beta: 1 })).toMatchObject({ value: 1 / 1.5 });
});

test('an answer equal to the reference scores 1, an empty one 0; characters are code points', () => {
  expect(score('🙂🙃', '🙂🙃')).toMatchObject({ value: 1 });
  expect(score('🙂', '🙃', { characterOrder: 1 })).toMatchObject({ value: 0 });
  expect(score(null, 'x')).toMatchObject({ value: 0 });
});

test('is not applicable to a reference of white space', () => {
  expect(score('x', ' \n')).toMatchObject({ status: 'not-applicable' });
});
