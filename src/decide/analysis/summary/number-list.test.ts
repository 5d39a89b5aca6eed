import { expect, test } from 'vitest';
import { createNumberList } from './number-list.ts';

test.each([0, 1, 63, 64, 65, 320, 200_000])('a list returns its %i numbers unchanged', (count) => {
  const list = createNumberList();
  for (let index = 0; index < count; index += 1) list.push(index / 7);
  expect(list).toHaveLength(count);
  expect(list.toArray()).toEqual(Float64Array.from({ length: count }, (_, index) => index / 7));
});

test('numbers can be added after a copy was made', () => {
  const list = createNumberList();
  list.push(1);
  const first = list.toArray();
  list.push(2);
  expect([first, list.toArray()]).toEqual([Float64Array.of(1), Float64Array.of(1, 2)]);
});
