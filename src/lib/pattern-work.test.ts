import { expect, test } from 'vitest';
import { patternWork, stepsFor } from './pattern-work.ts';

const degreeOf = (source: string, flags = 'u') => patternWork(new RegExp(source, flags)).degree;
const factorOf = (source: string, flags = 'u') => patternWork(new RegExp(source, flags)).factor;

test('without repetitions the work grows with the text, with each repetition by one power more', () => {
  expect(degreeOf('refund')).toBe(1);
  expect(degreeOf(String.raw`\b(?:cat|dog)s?\b`)).toBe(1);
  expect(degreeOf('a{2,5}[b*+]')).toBe(1);
  expect(degreeOf(String.raw`\*\+[^\]*]`)).toBe(1);
  expect(degreeOf('a+')).toBe(2);
  expect(degreeOf('refund.*days?')).toBe(2);
  expect(degreeOf('(?<amount>[0-9]+)[.,]([0-9]+)')).toBe(3);
  expect(degreeOf('(a+|b*c+)')).toBe(3);
  expect(degreeOf('(?=.*a)(?=.*b)')).toBe(3);
  expect(degreeOf('(?:ab)*')).toBe(2);
  expect(degreeOf(String.raw`(a+)\1`)).toBe(3);
  expect(degreeOf('a{2,}')).toBe(2);
  expect(degreeOf('a{,3}', '')).toBe(1);
});

test('the factor counts ways and steps', () => {
  expect(factorOf('abc')).toBeGreaterThanOrEqual(3);
  expect(factorOf('(a|a)(a|a)(a|a)(a|a)')).toBeGreaterThanOrEqual(2 ** 4);
  expect(factorOf('(a?){10}')).toBeGreaterThanOrEqual(2 ** 10);
  expect(factorOf('a{1000}')).toBeGreaterThanOrEqual(1000);
});

test.each(['(a+)+', '(?:a|b)*', '((ab?)c)+', String.raw`(?:\w+\s?)*`, '(?:(?=a+)a)+'])(
  'nothing is known of %s',
  (source) => {
    expect(factorOf(source)).toBe(Infinity);
    expect(stepsFor(patternWork(new RegExp(source)), 0)).toBe(Infinity);
  },
);

test('nothing is known of sets of texts, which stand for several lengths', () => {
  expect(factorOf(String.raw`[\q{abc|a}]`, 'v')).toBe(Infinity);
});
