import type { FoundNumber } from './find-numbers.ts';
import { isWithin, percentOf, type Tolerances } from './has-value.ts';

/** Looks numbers up among others; each look-up takes logarithmic time. */
export interface NumberSearch {
  /** Whether one of them is the expected number, as `hasValue` has it. */
  has(expected: FoundNumber, tolerances: Tolerances): boolean;
  /** Whether one of them, as it stands, is at least and at most so much. */
  hasBetween(least: number, most: number): boolean;
}

/** Makes a search in the numbers of a text. */
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
    has: ({ value, isPercent }, tolerances) => {
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

/** What numbers can mean, in order: those in parentheses also below zero. */
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

/** How many of the numbers are less than a value. */
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
