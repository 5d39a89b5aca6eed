import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoreAnswer, valueOf } from '../../../../test/support/score-answer.ts';
import { countCommonSubsequence, rouge } from './rouge.ts';

const score = (answer: string, reference: string | string[], options = {}) =>
  scoreAnswer(rouge, answer, { options, expected: { answer: reference } });

test("equals the example of the package's documentation", () => {
  const fox = 'The quick brown fox jumps over the lazy dog';
  const dog = 'The quick brown dog jumps on the log.';
  // README of rouge_score: rouge1 P 0.75, R 0.667; rougeL P 0.625, R 0.556.
  expect(score(dog, fox, { type: 'rouge-1' })).toMatchObject({
    evidence: { precision: 0.75, recall: 6 / 9 },
  });
  expect(score(dog, fox)).toMatchObject({ evidence: { precision: 0.625, recall: 5 / 9 } });
});

test('of several references the one with the highest F-measure decides, whichever measure is the value', () => {
  const verdict = score('a b c d', ['a', 'a b c e'], { type: 'rouge-1', measure: 'recall' });
  expect(verdict).toMatchObject({ value: 0.75, evidence: { reference: 'a b c e' } });
});

test('is not applicable to a reference without a word; the unicode tokenizer sees every script', () => {
  expect(() => score('東京です', '本社は東京です')).toThrow(
    expect.objectContaining({
      code: 'text-not-read',
      message:
        'ROUGE reads a-z and 0-9 only (`tokenizer: unicode` reads all scripts): 7 of 7 letters and signs of the expected answer are not read',
    }),
  );
  expect(score('東京です', '本社は東京です', { tokenizer: 'unicode', measure: 'precision' })).toMatchObject({
    value: 1,
  });
  expect(score('x', '')).toMatchObject({ status: 'not-applicable' });
  expect(score('x', '—')).toMatchObject({ status: 'not-applicable' });
});

test('lies in [0, 1], is 1 for the reference itself, and F is symmetric', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'dd'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, words, fc.constantFrom('rouge-1', 'rouge-2', 'rouge-l'), (given, wanted, type) => {
      const value = valueOf(score(given.join(' '), wanted.join(' '), { type }));
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(valueOf(score(wanted.join(' '), given.join(' '), { type }))).toBeCloseTo(Number(value), 12);
      expect(valueOf(score(given.join(' '), given.join(' ')))).toBe(1);
    }),
  );
});

test('two very long texts have no ROUGE-L, but the other measures', () => {
  const answer = 'a b c '.repeat(40_000);
  const reference = 'd c b '.repeat(40_000);
  expect(() => score(answer, reference)).toThrow(
    expect.objectContaining({
      code: 'too-long',
      message: '120,000 and 120,000 words are too many to be compared one by one',
    }),
  );
  expect(score(answer, reference, { type: 'rouge-1' })).toMatchObject({ value: expect.closeTo(2 / 3) });
  expect(score(answer, answer)).toMatchObject({ value: 1 });
});

/** Computes the length by its definition, with a table of all prefixes. */
function byTable(first: readonly string[], second: readonly string[]): number {
  let above = Array.from({ length: second.length + 1 }, () => 0);
  for (const item of first) {
    const row = [0];
    for (const [index, other] of second.entries()) {
      row.push(item === other ? above[index]! + 1 : Math.max(row[index]!, above[index + 1]!));
    }
    above = row;
  }
  return above.at(-1)!;
}

test('returns the length of the longest common subsequence', () => {
  expect(countCommonSubsequence(Array.from('XMJYAUZ'), Array.from('MZJAWXU'))).toBe(4);
  expect(countCommonSubsequence([], Array.from('abc'))).toBe(0);
  expect(countCommonSubsequence(Array.from('abc'), [])).toBe(0);
  expect(countCommonSubsequence(Array.from('abc'), Array.from('abc'))).toBe(3);
  expect(countCommonSubsequence(Array.from('aXbYc'), Array.from('aZbWc'), 9)).toBe(3);
  expect(countCommonSubsequence(Array.from('aXbYc'), Array.from('aZbWc'), 8)).toBeUndefined();
});

test.each([1, 2, 3, 40])(
  'equals the definition across the boundaries of blocks: %i different items',
  (most) => {
    const items = fc.array(fc.integer({ min: 1, max: most }).map(String), { maxLength: 150, size: 'max' });
    fc.assert(
      fc.property(items, items, (first, second) => {
        expect(countCommonSubsequence(first, second)).toBe(byTable(first, second));
      }),
      { numRuns: 200 },
    );
  },
);

test('ROUGE-Lsum compares line by line, and counts no word more often than it stands in both texts', () => {
  const type = 'rouge-lsum';
  const reference = 'rent is high\npets cost money';
  expect(score('pets cost money\nrent is high', reference, { type })).toMatchObject({ value: 1 });
  expect(score('pets cost money\nrent is high', reference)).toMatchObject({ value: 0.5 });
  expect(score('the', 'the\nthe', { type })).toMatchObject({ evidence: { precision: 1, recall: 0.5 } });
  const long = 'a b c '.repeat(3000);
  expect(() => score(long, `d ${long}`, { type })).toThrow(expect.objectContaining({ code: 'too-long' }));
});
