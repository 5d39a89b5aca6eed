import type { FoundNumber } from './find-numbers.ts';

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

/** How far a number may be off; the greater of the two counts. */
interface Tolerances {
  readonly tolerance: number;
  readonly relativeTolerance: number;
}

const slack = 1e-9;

/** Whether a number that was found is the expected one, in any of the ways it can be meant. */
export function hasValue(found: FoundNumber, expected: FoundNumber, tolerances: Tolerances): boolean {
  const target = expected.isPercent && !found.isPercent ? percentOf(expected.value) : expected.value;
  const values = [found.value];
  if (found.isPercent && !expected.isPercent) values.push(percentOf(found.value));
  if (found.isParenthesized) values.push(...values.map((value) => -value));
  return values.some((value) => isWithin(value, target, tolerances));
}

/** Whether a value is as near to another as it may be. */
function isWithin(value: number, target: number, { tolerance, relativeTolerance }: Tolerances): boolean {
  const allowed = Math.max(tolerance, relativeTolerance * Math.abs(target));
  return value === target || Math.abs(value - target) <= allowed * (1 + slack);
}

/** A hundredth, rounded as the decimal number is: 33.3 becomes 0.333. */
function percentOf(value: number): number {
  const text = String(value);
  return text.includes('e') ? value / 100 : Number(`${text}e-2`);
}
