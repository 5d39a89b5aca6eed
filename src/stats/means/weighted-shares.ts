import { checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import type { Interval } from '../interval.ts';

/** The share of one category with its limits, and how much the category counts. */
export type WeightedShare = {
  readonly share: Interval;
  /** At least 0; only the proportions of the weights to each other matter. */
  readonly weight: number;
};

/**
 * Weighted mean of shares of categories, with an interval that rests on the limits of each: near 0 and 1, and with few trials, it
 * keeps what Wilson's has over Student's t. A category of weight 0 is left out; one without trials leaves the mean
 * undefined.
 *
 * Method: G. Y. Zou & A. Donner, Statistics in Medicine 27 (2008), "method of variance estimates recovery": the distances
 * of the limits from the mean are the roots of Σ W² (distance of the category's limit)².
 *
 * @throws RangeError when a weight is negative or not finite, or none is above 0.
 */
export function weightedShares(shares: readonly WeightedShare[]): Interval {
  for (const [place, { weight }] of shares.entries()) {
    checkDomain(weight >= 0 && weight < Infinity, `weight ${place + 1}`, weight, 'finite and at least 0');
  }
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  checkDomain(total > 0, 'the sum of the weights', total, 'above 0');
  const counted = shares.filter(({ weight }) => weight > 0);
  const basis = {
    n: counted.reduce((sum, { share }) => sum + share.n, 0),
    confidence: counted[0]?.share.confidence ?? defaultConfidence,
    method: 'stratified-wilson',
  } as const;
  let [estimate, below, above] = [0, 0, 0];
  for (const { share, weight } of counted) {
    if (share.estimate === null || share.status === 'undefined') {
      const reason = 'a category has no trials';
      return { ...basis, status: 'undefined', estimate: null, lower: null, upper: null, reason };
    }
    const part = weight / total;
    estimate += part * share.estimate;
    below += (part * (share.estimate - share.lower)) ** 2;
    above += (part * (share.upper - share.estimate)) ** 2;
  }
  const [lower, upper] = [Math.max(0, estimate - Math.sqrt(below)), Math.min(1, estimate + Math.sqrt(above))];
  return { ...basis, status: 'defined', estimate, lower, upper };
}
