import type { FoundNumber } from '../../../core/lib/numbers/find-numbers.ts';
import { isSameNumber } from '../../../core/lib/numbers/same-number.ts';

/** A look-up in numbers in logarithmic time. */
export interface NumberSearch {
  /** Returns whether one of the numbers equals the expected one in any of its possible meanings. */
  has(expected: FoundNumber, tolerances: Tolerances): boolean;
  /** Returns whether one of the numbers, as written, is in a range, inclusive. */
  hasBetween(least: number, most: number): boolean;
}

/** Creates a look-up in the numbers of a text. */
export function searchNumbers(numbers: readonly FoundNumber[]): NumberSearch {
  const plain = meaningsOf(numbers.filter(({ isPercent }) => !isPercent));
  const percents = meaningsOf(numbers.filter(({ isPercent }) => isPercent));
  const shares = meaningsOf(
    numbers
      .filter(({ isPercent }) => isPercent)
      .map((number) => ({ ...number, value: percentOf(number.value) })),
  );
  const asWritten = Float64Array.from(numbers, ({ value }) => value).sort();
  return {
    has: (expected, tolerances) => {
      const { value, isPercent } = expected;
      if (isLong(expected, tolerances)) return numbers.some((found) => isSameAmount(found, expected));
      if (hasNear(percents, value, tolerances)) return true;
      if (isPercent) return hasNear(plain, percentOf(value), tolerances);
      return hasNear(plain, value, tolerances) || hasNear(shares, value, tolerances);
    },
    hasBetween: (least, most) => {
      const nearest = asWritten[placeOf(asWritten, least)];
      return nearest !== undefined && nearest <= most;
    },
  };
}

/** The digits that every double holds. */
const digitsOfDouble = 15;

/** Returns whether a number has to be equal digit by digit, and has digits that a double may lose. */
function isLong({ exact }: FoundNumber, { tolerance, relativeTolerance }: Tolerances): boolean {
  return exact.length > digitsOfDouble && tolerance === 0 && relativeTolerance === 0;
}

/** Returns whether two numbers are the same to the last digit, whatever their currencies. */
function isSameAmount(found: FoundNumber, expected: FoundNumber): boolean {
  return isSameNumber({ ...found, currency: undefined }, { ...expected, currency: undefined });
}

/** Returns the possible values of numbers in ascending order; a number in parentheses may also be negative. */
function meaningsOf(numbers: readonly FoundNumber[]): Float64Array {
  return Float64Array.from(
    numbers.flatMap(({ value, isParenthesized }) => (isParenthesized ? [value, -value] : [value])),
  ).sort();
}

function hasNear(sorted: Float64Array, target: number, tolerances: Tolerances): boolean {
  const place = placeOf(sorted, target);
  return [sorted[place - 1], sorted[place]].some(
    (value) => value !== undefined && isWithin(value, target, tolerances),
  );
}

/** Returns how many of the numbers are less than a value. */
function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The largest allowed distances from a number; the greater of the two counts. */
interface Tolerances {
  readonly tolerance: number;
  readonly relativeTolerance: number;
}

const slack = 1e-9;

/** Returns whether a value is within the larger of the tolerances of another. */
function isWithin(value: number, target: number, { tolerance, relativeTolerance }: Tolerances): boolean {
  const allowed = Math.max(tolerance, relativeTolerance * Math.abs(target));
  return value === target || Math.abs(value - target) <= allowed * (1 + slack);
}

/** Returns a hundredth, rounded as the decimal number: 33.3 becomes 0.333. */
function percentOf(value: number): number {
  const text = String(value);
  return text.includes('e') ? value / 100 : Number(`${text}e-2`);
}
