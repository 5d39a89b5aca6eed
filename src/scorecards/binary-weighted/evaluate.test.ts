import { expect, test } from 'vitest';
import { asNote, inBrackets, inWords, listOf, toSentence, withArticle } from './evaluate.ts';

test('lists are read out', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => listOf(items))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(listOf(['a', 'b'], 'or')).toBe('a or b');
});

test('names are said in words, and signs stay signs', () => {
  expect(['correct_time', 'error-handling', 'a - b', 'x'].map(inWords)).toEqual([
    'correct time',
    'error handling',
    'a - b',
    'x',
  ]);
  expect([withArticle('hard_failure'), withArticle('own-goal')]).toEqual(['a hard failure', 'an own goal']);
});

test('a clause becomes a sentence, once', () => {
  expect([toSentence('it works'), toSentence('Does it?')]).toEqual(['It works.', 'Does it?']);
});

test('what a metric says fits into brackets, on one line and not too long', () => {
  expect(inBrackets('−0.25', undefined)).toBe(' (−0.25)');
  expect(inBrackets(undefined, '')).toBe('');
  expect(asNote(' no answer.\n')).toBe('no answer');
  expect(asNote('wait...')).toBe('wait...');
  expect(asNote('x'.repeat(500))?.length).toBe(160);
  expect(asNote('\u001b[31mred')).toBe('␛[31mred');
});
