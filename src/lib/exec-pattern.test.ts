import { expect, test } from 'vitest';
import { patternWork, stepsFor } from './exec-pattern.ts';

const steps = (source: string, length: number, flags = 'u') =>
  stepsFor(patternWork(new RegExp(source, flags)), length);

/** By which power of the length the work grows. */
const powerOf = (source: string, flags = 'u') =>
  Math.round(Math.log2(steps(source, 2e6, flags) / steps(source, 1e6, flags)));

test.each([
  ['refund', 1],
  [String.raw`\b(?:cat|dog)s?\b`, 1],
  ['a{2,5}[b*+]', 1],
  [String.raw`\*\+[^\]*]`, 1],
  ['a+', 2],
  ['refund.*days?', 2],
  ['(?<amount>[0-9]+)[.,]([0-9]+)', 3],
  ['(a+|b*c+)', 3],
  ['(?=.*a)(?=.*b)', 3],
  ['(?:ab)*', 2],
  [String.raw`(a+)\1`, 3],
  ['a{2,}', 2],
  ['(a*){2}', 3],
])('without repetitions the work grows with the text, with each by a power more: %s', (source, power) => {
  expect(powerOf(source)).toBe(power);
});

test('braces that are no repetition are none', () => {
  expect(powerOf('a{,3}', '')).toBe(1);
  expect(powerOf(String.raw`\u{61}\p{L}`)).toBe(1);
});

test('ways and steps are counted', () => {
  expect(steps('abc', 100)).toBeGreaterThanOrEqual(300);
  expect(steps('(a|a)(a|a)(a|a)(a|a)', 100)).toBeGreaterThanOrEqual(100 * 2 ** 4);
  expect(steps('(a?){10}', 100)).toBeGreaterThanOrEqual(100 * 2 ** 10);
  expect(steps('a{1000}', 100)).toBeGreaterThanOrEqual(100 * 1000);
  expect(steps('(a|b*){40}', 100)).toBe(Infinity);
});

test('lengths that follow each other add up to the text, those of views ahead do not', () => {
  expect(steps('a*b*', 1000)).toBeGreaterThan(1000 ** 3 / 6);
  expect(steps('a*b*', 1000)).toBeLessThan(1000 ** 3 / 2);
  expect(steps('(?=a*)(?=b*)', 1000)).toBeGreaterThan(1000 ** 3);
});

test.each(['(a+)+', '(?:a|b)*', '((ab?)c)+', String.raw`(?:\w+\s?)*`, '(?:(?=a+)a)+'])(
  'nothing is known of %s',
  (source) => {
    expect(steps(source, 0)).toBe(Infinity);
  },
);

test('nothing is known of sets of texts, which stand for several lengths', () => {
  expect(steps(String.raw`[\q{abc|a}]`, 1, 'v')).toBe(Infinity);
});
