import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { politeness } from './politeness.ts';

test.each([
  ['Yes.', 0],
  [null, 0],
  ['PLEASE wait', 0.5],
  ['please please please', 0.5],
  ['Sorry, please wait', 1],
  ['Sorry, I am happy to help. I can help. Please ask.', 1],
  ['I was displeased', 0.5],
])('%j → %d', (answer, value) => {
  expect(scoreAnswer(politeness, answer)).toMatchObject({ status: 'scored', value });
});

test('names the phrases found, which can be chosen', () => {
  const options = { markers: ['Bitte', 'bitte', 'gerne'] };
  expect(scoreAnswer(politeness, 'Bitte sehr', { options })).toMatchObject({
    value: 0.5,
    evidence: { found: ['bitte'] },
  });
});
