import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparePlaces } from './trial-values.ts';

const compare = comparePlaces({ field: 'id', isDescending: false });

test('texts are in the order of the bytes of their UTF-8, as in a database', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\uffee', '😀', '😁', '日') });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other));
      expect(Math.sign(compare({ value: one, ordinal: 0 }, { value: other, ordinal: 0 }))).toBe(bytes);
    }),
  );
});
