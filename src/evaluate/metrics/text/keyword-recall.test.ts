import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { keywordRecall } from './keyword-recall.ts';

const score = (answer: string | null, expected: string | string[] | undefined, options = {}) =>
  scoreAnswer(keywordRecall, answer, { options, expected: { answer: expected } });

test.each([
  ['You can reset it in Settings.', 'Reset it in "settings"!', 1],
  ['Reset it', 'Reset it in settings', 0.5],
  ['reset reset reset', 'reset the reset', 0.5],
  ['anything', '', 0],
  ['anything', ' \u001c\u0085', 0],
  [null, 'word', 0],
  ['- ... -', '... word', 0.5],
  ['...', '!?', 1],
  ["don't", 'dont', 0],
  ['“quoted”', 'quoted', 0],
])('%j against %j → %d', (answer, expected, value) => {
  expect(score(answer, expected)).toMatchObject({ status: 'scored', value });
});

test('names the missing words, and a threshold decides whether it passes', () => {
  expect(score('the basis', 'the total basis', { threshold: 0.6 })).toMatchObject({
    passed: true,
    evidence: { missing: ['total'], expected: 3 },
  });
  expect(score('the basis', 'the total basis').status === 'scored').toBe(true);
  expect(score('the basis', 'the total basis')).toMatchObject({ passed: undefined });
});

test('the best of several expected answers counts', () => {
  expect(score('rent received', ['rental income', 'rent received in full'])).toMatchObject({ value: 2 / 4 });
});

test('is not applicable to a case without an expected answer', () => {
  expect(score('x', undefined)).toMatchObject({ status: 'not-applicable' });
});
