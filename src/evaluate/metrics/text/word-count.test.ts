import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { wordCount } from './word-count.ts';

// The counts of promptfoo 0.123.1, `text.trim().split(/\s+/).filter((word) => word.length > 0).length`.
test.each([
  ['', 0],
  [null, 0],
  [' \n\t ', 0],
  ['The total basis is 442,300 dollars.', 6],
  ['one  two\nthree\u00a0four\u3000five', 5],
  ['state-of-the-art — yes', 3],
  ['本社は東京にあります。', 1],
  ['\ufeffmark', 1],
])('%j has %d words between white space', (answer, value) => {
  const verdict = scoreAnswer(wordCount, answer, { options: { words: 'spaced' } });
  expect(verdict).toEqual({ status: 'scored', value, unit: 'words' });
});

test.each(['本社は東京にあります。', '总部位于北京 since 2001', 'สำนักงานอยู่ในกรุงเทพ'])(
  '%j is not one word: a script without spaces is not measured unless told what a word is',
  (answer) => {
    expect(() => scoreAnswer(wordCount, answer, { options: { max: 3 } })).toThrow(
      expect.objectContaining({
        code: 'text-not-read',
        message: expect.stringContaining('`words: unicode`'),
      }),
    );
    expect(scoreAnswer(wordCount, answer, { options: { max: 3, words: 'spaced' } })).toMatchObject({
      passed: true,
    });
  },
);

test('a few words of such a script in another text change nothing; Korean writes spaces', () => {
  expect(scoreAnswer(wordCount, 'The office is in 東京 now')).toMatchObject({ value: 6 });
  expect(scoreAnswer(wordCount, '본사는 서울에 있습니다.')).toMatchObject({ value: 3 });
});

test('words of scripts without spaces can be counted', () => {
  const options = { words: 'unicode' };
  expect(scoreAnswer(wordCount, '本社は東京にあります。', { options })).toMatchObject({ value: 6 });
  expect(scoreAnswer(wordCount, 'one — two', { options })).toMatchObject({ value: 2 });
});

test('bounds decide whether the verdict passes', () => {
  const passes = (answer: string, options: object) => {
    const verdict = scoreAnswer(wordCount, answer, { options });
    return verdict.status === 'scored' ? verdict.passed : verdict.status;
  };
  expect(passes('a b c', { max: 3 })).toBe(true);
  expect(passes('a b c d', { max: 3 })).toBe(false);
  expect(passes('a', { min: 2 })).toBe(false);
  expect(passes('a b', { min: 2, max: 2 })).toBe(true);
  expect(passes('a b', { exact: 2 })).toBe(true);
  expect(passes('a b c', { exact: 2 })).toBe(false);
  expect(passes('a', { exact: 2 })).toBe(false);
  expect(passes('', { exact: 0 })).toBe(true);
});

test('contradictory bounds are refused', () => {
  const faultOf = (options: object) =>
    wordCount.definition.options.safeParse(options).error?.issues[0]?.message;
  expect(faultOf({ exact: 2, max: 3 })).toBe('set `exact`, or `min` and `max`');
  expect(faultOf({ min: 3, max: 2 })).toBe('`min` must not be more than `max`');
  expect(faultOf({ min: 2, max: 2 })).toBeUndefined();
});
