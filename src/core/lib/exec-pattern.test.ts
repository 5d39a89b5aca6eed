import { expect, test } from 'vitest';
import { mostSteps } from './exec-pattern.ts';

const steps = (source: string, length: number, flags = 'u') => mostSteps(new RegExp(source, flags), length);

/** The power of the length with which the bound grows. */
const powerOf = (source: string, flags = 'u') =>
  Math.round(Math.log2(steps(source, 2e6, flags) / steps(source, 1e6, flags)));

test.each([
  ['refund', 1],
  [String.raw`\b(?:cat|dog)s?\b`, 1],
  ['[b*+]', 1],
  [String.raw`\*\+[^\]*]`, 1],
  ['a+', 2],
  ['refund.*days?', 2],
  ['(?<amount>[0-9]+)[.,]([0-9]+)', 3],
  ['(a+|b*c+)', 4],
  ['(?=.*a)(?=.*b)', 3],
  [String.raw`(a+)\1`, 3],
  [String.raw`(?<n>a+)\k<n>`, 3],
  [String.raw`\\1`, 1],
  ['a{2,}', 2],
])('each repetition and back-reference raises the bound by a power of the length: %s', (source, power) => {
  expect(powerOf(source)).toBe(power);
});

test('the bound counts ways and steps', () => {
  expect(steps('abc', 100)).toBeGreaterThanOrEqual(300);
  expect(steps('(a|a)(a|a)(a|a)(a|a)', 100)).toBeGreaterThanOrEqual(100 * 2 ** 4);
  expect(steps('a?'.repeat(10), 100)).toBeGreaterThanOrEqual(100 * 2 ** 10);
  expect(steps('a*b*', 1000)).toBeGreaterThan(1000 ** 3 / 6);
  expect(steps('(?=a*)(?=b*)', 1000)).toBeGreaterThan(1000 ** 3);
});

test.each(['(a+)+', '(?:a|b)*', '((ab?)c)+', String.raw`(?:\w+\s?)*`, '(?:(?=a+)a)+', '(a?){10}'])(
  'a repeated group has no bound: %s',
  (source) => {
    expect(steps(source, 0)).toBe(Infinity);
  },
);

test('sets of strings, which stand for several lengths, have no bound', () => {
  expect(steps(String.raw`[\q{abc|a}]`, 1, 'v')).toBe(Infinity);
});
