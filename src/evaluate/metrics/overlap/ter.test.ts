import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../../core/lib/text/edit-distance.ts';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { ter } from './ter.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';

const score = (answer: string | null, reference: string | string[], options = {}) =>
  scoreAnswer(ter, answer, { options, expected: { answer: reference } });

test('a run of words in another place is one edit', () => {
  expect(score('in 2024 the income rose', 'the income rose in 2024')).toMatchObject({
    value: 1 / 5,
    unit: 'edits/word',
    evidence: { edits: 1, referenceWords: 5 },
  });
});

test('is 0 for an equal answer, 1 for none, and may exceed 1', () => {
  expect(score('The lease ends.', 'the lease ends.')).toMatchObject({ value: 0 });
  expect(score(null, 'the lease ends')).toMatchObject({ value: 1 });
  expect(score('a b c d', 'x y')).toMatchObject({ value: 2 });
});

test('the fewest edits to any reference count, for each word of a mean reference', () => {
  expect(score('a b', ['a b c d', 'a b'])).toMatchObject({ value: 0, evidence: { referenceWords: 3 } });
  expect(score('a x', ['a b c d', 'a b'])).toMatchObject({ value: 1 / 3 });
  expect(score('x', ['', ' '])).toMatchObject({ status: 'not-applicable' });
  expect(scoreAnswer(ter, 'x')).toMatchObject({ status: 'not-applicable' });
});

// sacreBLEU 2.6.0: TER().sentence_score(answer, [reference]).score / 100, where the order in which shifts that save
// equally much are tried makes a difference.
test.each([
  [
    '2 8 7 7 11 7 11 13 1 1 3 1 5 8 1 14 9 8 13 6 6 9 6 0 11 5 13 4 5 6',
    '10 9 3 8 12 11 12 4 11 9 2 3 6 0 14 10 13 8 2 3 0 2 12',
    1.1304347826086956,
  ],
  [
    '4 1 2 3 0 1 4 0 3 5 4 5 4 1 4 2 1 2 3 5 5',
    '4 1 2 3 0 2 1 4 0 3 1 4 4 5 4 5 2 2 3 5 5 1',
    0.18181818181818182,
  ],
  [
    '11 7 11 12 13 4 13 4 2 7 9 11 1 13 11 14',
    '13 4 4 2 10 7 11 7 11 13 12 9 11 1 13 11 14',
    0.4705882352941176,
  ],
])('%s against %s → %d', (answer, reference, value) => {
  expect(valueOf(score(answer, reference))).toBeCloseTo(value, 12);
});

test('a limit decides whether the verdict passes', () => {
  expect(score('a x', 'a b', { max: 0.5 })).toMatchObject({ passed: true });
  expect(score('y x', 'a b', { max: 0.5 })).toMatchObject({ passed: false });
  expect(score('y x', 'a b')).not.toHaveProperty('passed', expect.any(Boolean));
});

test('is at most the rate of edits without shifts, and 0 only for equal words', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, words, (given, wanted) => {
      const value = Number(valueOf(score(given.join(' '), wanted.join(' '))));
      expect(value).toBeLessThanOrEqual((editDistance(given, wanted) ?? 0) / wanted.length + 1e-12);
      expect(value === 0).toBe(given.join(' ') === wanted.join(' '));
    }),
  );
});

test.skipIf(!isReleaseTested)(
  'texts that are too long are not measured (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `w${(index * 7919) % 997}`);
    expect(() => score(words.join(' '), words.toReversed().join(' '))).toThrow(
      expect.objectContaining({
        code: 'too-long',
        message: '20,000 and 20,000 words are too many to search for shifts',
      }),
    );
  },
);
