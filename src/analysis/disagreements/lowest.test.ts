import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLowest } from './lowest.ts';

test('the ids of the three lowest, the first of equals first, each by its lowest value', () => {
  const offer = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(fc.array(offer), (offers) => {
      const lowest = createLowest();
      for (const [id, value] of offers) lowest.offer(id, value);
      const inOrder = offers.toSorted(([, one], [, other]) => one - other).map(([id]) => id);
      expect(lowest.ids()).toEqual([...new Set(inOrder)].slice(0, 3));
    }),
  );
});
