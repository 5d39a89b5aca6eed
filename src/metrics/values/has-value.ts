import type { FoundNumber } from './find-numbers.ts';

/** How far a number may be off; the greater of the two counts. */
export interface Tolerances {
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
export function isWithin(
  value: number,
  target: number,
  { tolerance, relativeTolerance }: Tolerances,
): boolean {
  const allowed = Math.max(tolerance, relativeTolerance * Math.abs(target));
  return value === target || Math.abs(value - target) <= allowed * (1 + slack);
}

/** A hundredth, rounded as the decimal number is: 33.3 becomes 0.333. */
export function percentOf(value: number): number {
  const text = String(value);
  return text.includes('e') ? value / 100 : Number(`${text}e-2`);
}
