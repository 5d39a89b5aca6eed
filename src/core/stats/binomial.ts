import { betaPower, betaProbabilities } from './beta.ts';

/** A binomial distribution: the number of successes in `trials`, each with chance `p`, strictly between 0 and 1. */
export type BinomialShape = { readonly trials: number; readonly p: number };

/**
 * Returns the chance of exactly so many successes, 0 to `trials`; relative error near 1e-14.
 *
 * Method: {@link betaPower}, as the binomial coefficient is 1 / ((n + 1) B(k + 1, n − k + 1)).
 */
export function binomialProbability({
  successes,
  trials,
  p,
}: BinomialShape & { readonly successes: number }): number {
  const point = { x: p, y: 1 - p, a: successes + 1, b: trials - successes + 1 };
  return betaPower(point) / (point.x * point.y * (trials + 1));
}

/**
 * Returns the chance of at most so many successes; relative error as of {@link betaProbabilities}, also in the lower
 * tail.
 *
 * Method: P(X ≤ k) = I_{1−p}(n − k, k + 1) (Abramowitz & Stegun 26.5.24).
 */
export function binomialCdf({
  successes,
  trials,
  p,
}: BinomialShape & { readonly successes: number }): number {
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  return betaProbabilities({ x: 1 - p, y: p, a: trials - successes, b: successes + 1 }).lower;
}

/** R's allowance for rounding, so that a chance that is met exactly counts as met. */
const FUZZ = 64 * Number.EPSILON;

/** Returns the fewest successes that are not exceeded with at least the given chance. */
export function binomialQuantile({ chance, trials, p }: BinomialShape & { readonly chance: number }): number {
  let low = -1;
  let high = trials;
  while (high - low > 1) {
    const successes = Math.floor((low + high) / 2);
    if (binomialCdf({ successes, trials, p }) >= chance * (1 - FUZZ)) high = successes;
    else low = successes;
  }
  return high;
}
