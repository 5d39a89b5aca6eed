import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { gleu } from './gleu.ts';

const score = (answer: string | null, reference: string | string[], options = {}) =>
  scoreAnswer(gleu, answer, { options, expected: { answer: reference } });

// The examples in the documentation of `sentence_gleu` of NLTK, which gives 0.0909…, 0.4393… and 0.1206….
test.each([
  ['the the the the the the the', 'the cat is on the mat', 2 / 22],
  [
    'It is a guide to action which ensures that the military always obeys the commands of the party',
    'It is a guide to action that ensures that the military will forever heed Party commands',
    29 / 66,
  ],
  [
    'It is to insure the troops forever hearing the activity guidebook that party direct',
    'It is a guide to action that ensures that the military will forever heed Party commands',
    7 / 58,
  ],
])('%j against %j → %d', (answer, reference, value) => {
  const options = { tokenizer: 'spaces', ignoreCase: false };
  expect(valueOf(score(answer, reference, options))).toBeCloseTo(value, 12);
});

test('is the lesser of precision and recall', () => {
  expect(score('a b', 'a b c', { maxOrder: 1 })).toMatchObject({
    value: 2 / 3,
    evidence: { precision: 1, recall: 2 / 3 },
  });
  expect(score('a b c', 'a b', { maxOrder: 1 })).toMatchObject({ value: 2 / 3 });
});

test('the default words have no letter case and no period at their end', () => {
  expect(score('It ends. Today...', 'it ends today')).toMatchObject({ value: 1 });
  expect(score('It ends.', 'it ends', { tokenizer: 'spaces', maxOrder: 1 })).toMatchObject({ value: 0.5 });
  expect(score('It ends', 'it ends', { ignoreCase: false, maxOrder: 1 })).toMatchObject({ value: 0.5 });
  expect(score('本社は東京', '本社は京都', { tokenizer: 'char', maxOrder: 1 })).toMatchObject({ value: 0.8 });
});

test('the best of several references counts; without words there is nothing to compare', () => {
  expect(score('a b', ['c', 'a b'])).toMatchObject({ value: 1, evidence: { reference: 'a b' } });
  expect(score(null, 'a')).toMatchObject({ value: 0 });
  expect(score('...', 'a')).toMatchObject({ value: 0 });
  expect(score('a', ['', ' . '])).toMatchObject({ status: 'not-applicable' });
  expect(scoreAnswer(gleu, 'a')).toMatchObject({ status: 'not-applicable' });
  expect(gleu.definition.options.safeParse({ minOrder: 3, maxOrder: 2 }).success).toBe(false);
});
