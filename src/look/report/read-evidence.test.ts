import { expect, test } from 'vitest';
import { describeTerm } from './read-evidence.ts';

test('a term is described with the word in which it was found, or in which it only stands', () => {
  const seen = {
    metric: 'keywords',
    found: ['1299', 'lamp'],
    missing: ['legal', 'fee'],
    quotes: new Map([
      ['1299', '$1,299.00'],
      ['legal', 'illegal'],
    ]),
  };
  expect([...seen.found, ...seen.missing].map((term) => describeTerm(term, seen))).toEqual([
    '1299 (as “$1,299.00”)',
    'lamp',
    'legal (only inside “illegal”)',
    'fee',
  ]);
});
