import fc from 'fast-check';
import { expect, test } from 'vitest';
import { includesText } from './includes-text.ts';

test('it says what includes says, for texts that are short and for long ones', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', '🙂', '\ud83d'), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, pieces, fc.constantFrom(1, 3, 700), (text, wanted, times) => {
      const [long, part] = [text.join('').repeat(times), wanted.join('').repeat(Math.max(1, times - 1))];
      expect(includesText(long, part)).toBe(long.includes(part));
    }),
    { numRuns: 3000 },
  );
});

test('ends for long texts that almost hold each other', () => {
  const wanted = `${'ab'.repeat(30_000)}a${'ab'.repeat(30_000)}`;
  expect(includesText('ab'.repeat(200_000), wanted)).toBe(false);
  expect(includesText(`${'ab'.repeat(200_000)}${wanted}c`, wanted)).toBe(true);
});
