import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../test/support/score-answer.ts';
import { editSimilarity } from './edit-similarity.ts';

const score = (answer: string | null, reference: string | string[], options = {}) =>
  scoreAnswer(editSimilarity, answer, { options, expected: { answer: reference } });

test.each([
  ['kitten', 'sitting', 1 - 3 / 7],
  ['', '', 1],
  [null, 'abc', 0],
  ['🙂a', '🙃a', 0.5],
  ['abc', 'ABC', 0],
])('%j against %j → %d', (answer, reference, value) => {
  expect(score(answer, reference)).toMatchObject({ status: 'scored', value });
});

test('can ignore case and white space, and compare words in place of characters', () => {
  expect(score('A  b', 'a b', { ignoreCase: true, ignoreWhitespace: true })).toMatchObject({ value: 1 });
  expect(score('the red house', 'the blue house', { unit: 'words' })).toMatchObject({
    value: 1 - 1 / 3,
    evidence: { edits: 1, of: 3 },
  });
});

test('compares very long texts only when they are much alike', () => {
  const text = 'The rent is due on the first. '.repeat(10_000);
  expect(score(`${text}Never.`, `Yes. ${text}`)).toMatchObject({ evidence: { edits: 11, of: 300_006 } });
  const other = 'Pets are not allowed at all!! '.repeat(10_000);
  expect(() => score(text, other)).toThrow(expect.objectContaining({ code: 'too-long' }));
  expect(score(text, 'short')).toMatchObject({ status: 'scored' });
});
