import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FoundNumber } from '../../../core/lib/numbers/find-numbers.ts';
import { asFoundNumber } from '../../../core/lib/numbers/same-number.ts';
import { hasValue, searchNumbers } from './search-numbers.ts';

const values = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(0.1, 0.2, 0.3, 0.30000000000000004, 12.5, 0.125, 33.3, 0.333, 1e-9, 1e21, 123456.789, -0),
);
const numbers: fc.Arbitrary<FoundNumber> = fc
  .record({ value: values, isPercent: fc.boolean(), isParenthesized: fc.boolean() })
  .map(({ value, ...rest }) => ({ ...asFoundNumber(value), ...rest }));
const tolerances = fc.record({
  tolerance: fc.constantFrom(0, 0, 0.1, 1, 0.005),
  relativeTolerance: fc.constantFrom(0, 0, 0.1, 0.01),
});

test('finds what a comparison with each number finds', () => {
  fc.assert(
    fc.property(fc.array(numbers), numbers, tolerances, (given, expected, allowed) => {
      const isThere = given.some((found) => hasValue(found, expected, allowed));
      return searchNumbers(given).has(expected, allowed) === isThere;
    }),
    { numRuns: 5000 },
  );
});

test('finds what lies between two values, inclusive', () => {
  fc.assert(
    fc.property(fc.array(numbers), values, values, (given, least, most) => {
      const isThere = given.some(({ value }) => value >= least && value <= most);
      expect(searchNumbers(given).hasBetween(least, most)).toBe(isThere);
    }),
  );
  const [five] = fc.sample(numbers, 1).map((number) => ({ ...number, value: 5 }));
  expect(searchNumbers([five!]).hasBetween(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(true);
  expect(searchNumbers([]).hasBetween(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(false);
});
