import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { oneOf } from './one-of.ts';

const values = ['positive', 'negative', 'not sure', 'very negative'];

test.each<[string | null, number]>([
  ['positive', 1],
  [' **Positive.** ', 1],
  ['"Not  Sure"', 1],
  ['ｐｏｓｉｔｉｖｅ', 1],
  ['It is positive', 0],
  ['positively', 0],
  ['', 0],
  [null, 0],
])('%j is a member → %d', (answer, value) => {
  expect(scoreAnswer(oneOf, answer, { options: { values } })).toMatchObject({ value, passed: value === 1 });
});

test.each<[string, number, string[]]>([
  ['I would say positive!', 1, ['positive']],
  ['It is very negative.', 1, ['very negative']],
  ['positive or negative', 0, ['positive', 'negative']],
  ['a positively good one', 0, []],
])('%j mentions exactly one member → %d', (answer, value, found) => {
  const verdict = scoreAnswer(oneOf, answer, { options: { values, mode: 'mention' } });
  expect(verdict).toMatchObject({ value, evidence: { found: expect.arrayContaining(found) } });
});

test('finds members of a script without spaces as words', () => {
  const options = { values: ['東京', '大阪'], mode: 'mention' };
  expect(scoreAnswer(oneOf, '本社は東京にあります', { options })).toMatchObject({ value: 1 });
});

test('without values the list is in the case; a case without a list is not applicable', () => {
  expect(scoreAnswer(oneOf, 'b', { expected: { answer: ['a', 'b'] } })).toMatchObject({ value: 1 });
  expect(scoreAnswer(oneOf, 'b')).toMatchObject({ status: 'not-applicable' });
});

test('typography and the form of characters do not count', () => {
  const values = ['can\u2019t say', 'STRASSE', '10²'];
  const score = (answer: string) => valueOf(scoreAnswer(oneOf, answer, { options: { values } }));
  expect(["can't say", 'Straße', '10^2', '102'].map(score)).toEqual([1, 1, 1, 0]);
});
