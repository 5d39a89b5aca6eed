import { expect, test } from 'vitest';
import { createPassageSearch } from './search-passages.ts';

const passages = ['red red apple', 'red car', 'blue sky over the sea'].map((text, index) => ({
  id: `d#${index + 1}`,
  document: 'd',
  headings: [],
  text,
}));

test('passages are ranked by BM25', () => {
  const hits = createPassageSearch(passages).find('Red apples?');
  // Computed by hand, with N = 3, mean length (3 + 2 + 4) / 3 = 3 ("the" does not count):
  // idf(red) = ln(1 + 1.5 / 2.5) = 0.470004, idf(apple) = ln(1 + 2.5 / 1.5) = 0.980829.
  // d#1: 0.470004 · 2 · 2.2 / (2 + 1.2) + 0.980829 · 2.2 / 2.2; d#2: 0.470004 · 2.2 / (1 + 1.2 · (0.25 + 0.75 · 2 / 3)).
  expect(hits.map(({ item }) => item.id)).toEqual(['d#1', 'd#2']);
  expect(hits[0]?.score).toBeCloseTo(0.470004 * 1.375 + 0.980829, 5);
  expect(hits[1]?.score).toBeCloseTo((0.470004 * 2.2) / 1.9, 5);
});

test('a heading counts as words of its passage, and nothing is found without a shared word', () => {
  const search = createPassageSearch([
    { id: 'x#1', document: 'x', headings: ['Opening hours'], text: 'nine' },
  ]);
  expect(search.find('opening hour?')).toHaveLength(1);
  expect(search.find('price')).toEqual([]);
});
