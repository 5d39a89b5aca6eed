import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { answerLength } from './answer-length.ts';

test.each([
  ['', 0],
  [null, 0],
  ['hello', 5],
  ['🙂👍🏽', 3],
  ['e\u0301', 2],
  ['\ud83d', 1],
  ['\udc4d\ud83d', 2],
  ['日本\n', 3],
])('%j has %d code points', (answer, value) => {
  expect(scoreAnswer(answerLength, answer)).toEqual({ status: 'scored', value, unit: 'characters' });
});

test('bounds decide whether the verdict passes', () => {
  const passes = (answer: string, options: object) => scoreAnswer(answerLength, answer, { options });
  expect(passes('abc', { max: 3 })).toMatchObject({ passed: true });
  expect(passes('abcd', { max: 3 })).toMatchObject({ passed: false });
  expect(passes('', { min: 1 })).toMatchObject({ passed: false });
});
