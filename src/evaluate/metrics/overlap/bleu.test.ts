import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { bleu } from './bleu.ts';

const score = (answer: string | null, reference: string | string[], options = {}) =>
  scoreAnswer(bleu, answer, { options, expected: { answer: reference } });

test('shows the components of the score: precisions, brevity penalty, lengths', () => {
  expect(score('the cat sat on', 'the cat sat on the mat')).toMatchObject({
    value: Math.exp(1 - 6 / 4),
    evidence: {
      precisions: [1, 1, 1, 1],
      brevityPenalty: Math.exp(-0.5),
      answerTokens: 4,
      referenceTokens: 6,
    },
  });
});

test('an answer equal to the reference never scores more than 1', () => {
  for (const text of ['Yes.', 'The total basis of the property is 442,300 dollars.']) {
    expect(score(text, text)).toMatchObject({ value: 1 });
  }
});

test('an empty answer scores 0; without a reference the metric is not applicable', () => {
  expect(score(null, 'something')).toMatchObject({ value: 0 });
  expect(score('x', ['', ' '])).toMatchObject({ status: 'not-applicable' });
  expect(scoreAnswer(bleu, 'x')).toMatchObject({ status: 'not-applicable' });
});

test('counts orders of n-grams only up to the longest one asked for', () => {
  expect(score('b a', 'a b', { maxOrder: 1 })).toMatchObject({ value: 1, evidence: { precisions: [1] } });
});
