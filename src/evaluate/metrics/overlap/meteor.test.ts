import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { meteor } from './meteor.ts';

const score = (answer: string | null, reference: string | string[], options = {}) =>
  scoreAnswer(meteor, answer, { options, expected: { answer: reference } });

test('equals the example in the documentation of NLTK, which needs no synonyms', () => {
  const answer =
    'It is a guide to action which ensures that the military always obeys the commands of the party';
  const reference = 'It is a guide to action that ensures that the military will forever heed Party commands';
  expect(valueOf(score(answer, reference))).toBeCloseTo(0.6944, 4);
  expect(score('non matching hypothesis', 'this is a cat')).toMatchObject({ value: 0 });
});

test('recall counts nine times as much as precision, and another order costs up to half', () => {
  const [precision, recall] = [2 / 4, 2 / 2];
  const mean = (precision * recall) / (0.9 * precision + 0.1 * recall);
  expect(score('a b x y', 'a b')).toMatchObject({
    value: expect.closeTo((1 - 0.5 * (1 / 2) ** 3) * mean, 12),
    evidence: { matched: 2, chunks: 1 },
  });
  expect(score('b a', 'a b')).toMatchObject({ value: 0.5, evidence: { matched: 2, chunks: 2 } });
  expect(score('b a', 'a b', { gamma: 0 })).toMatchObject({ value: 1 });
});

test('words pair by their stems and by listed synonyms', () => {
  expect(score('leases', 'leasing')).toMatchObject({ evidence: { matched: 1 } });
  expect(score('two flats', 'two apartments')).toMatchObject({ evidence: { matched: 1 } });
  const synonyms = [
    ['flat', 'apartment', 'home'],
    ['home', 'house'],
  ];
  expect(score('two flats', 'two apartments', { synonyms })).toMatchObject({ evidence: { matched: 2 } });
  // `home` is in both groups, but that does not make one group of them.
  expect(score('home', 'house', { synonyms })).toMatchObject({ evidence: { matched: 1 } });
  expect(score('flat', 'house', { synonyms })).toMatchObject({ value: 0 });
});

test('the best of several references counts; without words there is nothing to compare', () => {
  expect(score('a b', ['c', 'a b'])).toMatchObject({ evidence: { matched: 2, reference: 'a b' } });
  expect(score(null, 'a')).toMatchObject({ value: 0 });
  expect(score('a', ['', '...'])).toMatchObject({ status: 'not-applicable' });
  expect(scoreAnswer(meteor, 'a')).toMatchObject({ status: 'not-applicable' });
});
