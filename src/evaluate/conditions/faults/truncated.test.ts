import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { truncated } from './truncated.ts';

function corrupt(result: Json, seed = 1): Json {
  if (!('corrupt' in truncated)) throw new Error('it does not corrupt');
  return truncated.corrupt(result, createRandom(seed));
}

const rows = Array.from({ length: 12 }, (_, id) => ({ id }));

test('the last rows of a list are missing, never all of them', () => {
  const cut = corrupt(rows) as Json[];
  expect(cut.length).toBeGreaterThan(0);
  expect(cut.length).toBeLessThan(12);
  expect(cut).toEqual(rows.slice(0, cut.length));
  expect(corrupt([1, 2])).toEqual([1]);
});

test('the longest list inside an object is cut, and nothing else', () => {
  const cut = corrupt({ total: 12, facets: ['a', 'b'], results: rows }) as { results: Json[] };
  expect(cut).toMatchObject({ total: 12, facets: ['a', 'b'] });
  expect(cut.results.length).toBeLessThan(12);
});

test('a result without anything long loses the end of its JSON', () => {
  expect(corrupt([{ count: 3, total: 11_100 }])).toMatch(/^\[\{"cou/);
  expect('[{"count":3,"total":11100}]').toContain(corrupt([{ count: 3, total: 11_100 }]) as string);
});

test('a text keeps its beginning, in whole characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 4 }), fc.nat(), (text, seed) => {
      const cut = corrupt(text, seed) as string;
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThan(text.length);
      expect(cut.isWellFormed()).toBe(text.slice(0, cut.length).isWellFormed());
    }),
  );
});
