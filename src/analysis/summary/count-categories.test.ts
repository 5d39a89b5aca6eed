import { expect, test } from 'vitest';
import { countCategories } from './count-categories.ts';

test('categories are counted in the order in which they first occur, page after page', () => {
  const counts = countCategories([{ category: 'z' }, { category: 'a' }, {}]);
  expect([...counts]).toEqual([
    ['z', 1],
    ['a', 1],
    ['uncategorized', 1],
  ]);
  expect([...countCategories([{ category: 'z' }, { category: 'b' }], counts)]).toEqual([
    ['z', 2],
    ['a', 1],
    ['uncategorized', 1],
    ['b', 1],
  ]);
});
