import { logGamma } from '../gamma.ts';

/** A draw without replacement: `sampled` of `size` items, of which `marked` have a property. */
export type HypergeometricShape = {
  readonly size: number;
  readonly marked: number;
  readonly sampled: number;
};

/** Returns the chance that exactly `found` of the drawn items have the property. */
export function hypergeometricProbability({
  found,
  size,
  marked,
  sampled,
}: HypergeometricShape & { readonly found: number }): number {
  const { least, most } = supportOf({ size, marked, sampled });
  if (found < least || found > most) return 0;
  const logarithm =
    logChoose(marked, found) + logChoose(size - marked, sampled - found) - logChoose(size, sampled);
  return Math.exp(logarithm);
}

/**
 * Returns the chance that at most so many of the drawn items have the property.
 *
 * Method: the terms of the smaller tail, each from the one before it; the larger tail is the rest of 1.
 */
export function hypergeometricCdf({
  found,
  ...shape
}: HypergeometricShape & { readonly found: number }): number {
  const { least, most } = supportOf(shape);
  if (found < least) return 0;
  if (found >= most) return 1;
  const { size, marked, sampled } = shape;
  const isLow = found * size <= sampled * marked;
  return isLow ? tailFrom(found, -1, shape) : 1 - tailFrom(found + 1, 1, shape);
}

/** Returns the sum of the chances from a number on, downwards or upwards, away from the middle. */
function tailFrom(start: number, step: 1 | -1, shape: HypergeometricShape): number {
  const { size, marked, sampled } = shape;
  let term = hypergeometricProbability({ found: start, ...shape });
  let sum = term;
  for (let found = start; term > sum * 1e-17; found += step) {
    const low = step === 1 ? found : found - 1;
    const up = ((marked - low) * (sampled - low)) / ((low + 1) * (size - marked - sampled + low + 1));
    term *= step === 1 ? up : 1 / up;
    if (!(term > 0) || !Number.isFinite(term)) break;
    sum += term;
  }
  return Math.min(1, sum);
}

/** Returns the least and the largest number of drawn items that can have the property. */
function supportOf({ size, marked, sampled }: HypergeometricShape): { least: number; most: number } {
  return { least: Math.max(0, sampled + marked - size), most: Math.min(sampled, marked) };
}

function logChoose(of: number, chosen: number): number {
  return logGamma(of + 1) - logGamma(chosen + 1) - logGamma(of - chosen + 1);
}
