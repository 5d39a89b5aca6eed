import { expect, test } from 'vitest';
import { asNote, inBrackets, inWords, listOf, toSentence, withArticle } from './evaluate.ts';

test('joins lists as in a sentence', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => listOf(items))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(listOf(['a', 'b'], 'or')).toBe('a or b');
});

test('converts names to words and keeps other signs', () => {
  expect(['correct_time', 'error-handling', 'a - b', 'x'].map(inWords)).toEqual([
    'correct time',
    'error handling',
    'a - b',
    'x',
  ]);
  expect([withArticle('hard_failure'), withArticle('own-goal')]).toEqual(['a hard failure', 'an own goal']);
});

test('converts a clause to a sentence once', () => {
  expect([toSentence('it works'), toSentence('Does it?')]).toEqual(['It works.', 'Does it?']);
});

test('fits an explanation into brackets, on one line of limited length', () => {
  expect(inBrackets('−0.25', undefined)).toBe(' (−0.25)');
  expect(inBrackets(undefined, '')).toBe('');
  expect(asNote(' no answer.\n')).toBe('no answer');
  expect(asNote('wait...')).toBe('wait...');
  expect(asNote('x'.repeat(500))?.length).toBe(160);
  expect(asNote('\u001b[31mred')).toBe('␛[31mred');
});
