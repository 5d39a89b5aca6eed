import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FoundNumber } from '../../../core/lib/numbers/find-numbers.ts';
import { asFoundNumber, isSameNumber } from '../../../core/lib/numbers/same-number.ts';
import { type NumberSearch, searchNumbers } from './search-numbers.ts';

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

/** Compares one number with the expected one in each of its possible meanings, without a search. */
function hasValue(
  found: FoundNumber,
  expected: FoundNumber,
  { tolerance, relativeTolerance }: Parameters<NumberSearch['has']>[1],
): boolean {
  const hundredth = (value: number) =>
    String(value).includes('e') ? value / 100 : Number(`${String(value)}e-2`);
  if (expected.exact.length > 15 && tolerance === 0 && relativeTolerance === 0)
    return isSameNumber({ ...found, currency: undefined }, { ...expected, currency: undefined });
  const wanted = expected.isPercent && !found.isPercent ? hundredth(expected.value) : expected.value;
  const allowed = Math.max(tolerance, relativeTolerance * Math.abs(wanted)) * (1 + 1e-9);
  const meanings = [found.value];
  if (found.isPercent && !expected.isPercent) meanings.push(hundredth(found.value));
  if (found.isParenthesized) meanings.push(...meanings.map((value) => -value));
  return meanings.some((value) => value === wanted || Math.abs(value - wanted) <= allowed);
}

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
