import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence, type Interval } from '../interval.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import {
  studentInterval,
  type StudentInterval,
  type StudentPoint,
  tooLarge,
  undefinedStudentInterval,
} from '../student-t.ts';
import type { ClusteredMoments } from './clustered-moments.ts';

/** The values of one category and its weight: its share of real traffic, not of the test set. */
export type Stratum = {
  readonly values: readonly number[];
  /** The weight, at least 0; only the ratios of weights matter. */
  readonly weight: number;
};

/**
 * Returns the weighted mean over categories, with a t interval. A category of weight 0 is ignored; one without values
 * leaves the mean undefined, one with a single value leaves the interval undefined.
 *
 * Method: W. G. Cochran, Sampling Techniques (1977), section 5: SE² = Σ W² s² / n, with Satterthwaite's effective
 * degrees of freedom (5.16).
 *
 * @throws RangeError when a value is not finite, a weight is negative or not finite, no weight is above 0, or the
 * confidence is not strictly between 0 and 1.
 */
export function stratifiedMean(options: {
  readonly strata: readonly Stratum[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): StudentInterval {
  const strata = options.strata.map(({ values, weight }) => ({ weight, moments: momentsOf(values) }));
  return stratifiedMeanOf(strata, options.confidence);
}

/** A category whose values were collected one at a time. */
export type CollectedStratum = Pick<Stratum, 'weight'> & { readonly moments: ClusteredMoments };

/**
 * Returns {@link stratifiedMean} of values that were collected one at a time; values that share a cluster of their
 * category depend on each other.
 */
function stratifiedMeanOf(
  collected: readonly CollectedStratum[],
  confidence = defaultConfidence,
): StudentInterval {
  checkConfidence(confidence);
  const strata = weighStrata(collected);
  const n = strata.reduce((sum, { moments }) => sum + moments.n, 0);
  const basis = { n, confidence, method: 'stratified-t' } as const;
  if (strata.some(({ moments }) => moments.n === 0)) {
    return undefinedStudentInterval({ ...basis, estimate: null, reason: 'a category has no values' });
  }
  const origin = (strata[0] as WeighedStratum).moments.mean;
  const estimate =
    origin + strata.reduce((sum, { share, moments }) => sum + share * (moments.mean - origin), 0);
  if (strata.some(({ moments }) => unitsOf(moments) === 1)) {
    const reason = 'a category with a single value shows no spread';
    return undefinedStudentInterval({ ...basis, estimate, reason });
  }
  const spread = spreadOf(strata);
  if (spread === undefined) return undefinedStudentInterval({ ...basis, estimate: null, reason: tooLarge });
  return studentInterval({ ...basis, estimate, ...spread });
}

type WeighedStratum = { readonly share: number; readonly moments: ClusteredMoments };

/** Returns the number of values, or of clusters of them. */
function unitsOf({ n, spread }: ClusteredMoments): number {
  return spread?.clusters ?? n;
}

/** Returns the strata of weight above 0, with weights that sum to 1. */
function weighStrata(strata: readonly CollectedStratum[]): WeighedStratum[] {
  for (const [place, { weight }] of strata.entries()) {
    checkDomain(weight >= 0 && weight < Infinity, `weight ${place + 1}`, weight, 'finite and at least 0');
  }
  const total = strata.reduce((sum, { weight }) => sum + weight, 0);
  checkDomain(total > 0, 'the sum of the weights', total, 'above 0');
  return strata
    .filter(({ weight }) => weight > 0)
    .map(({ moments, weight }) => ({ share: weight / total, moments }));
}

/** Returns the standard error and degrees of freedom; undefined where they overflow. */
function spreadOf(strata: readonly WeighedStratum[]): Omit<StudentPoint, 'estimate'> | undefined {
  const parts = strata.map(({ share, moments: { spread, ...moments } }) => ({
    variance: share ** 2 * (spread?.unbiasedVariance ?? varianceOf(moments) / moments.n),
    degreesOfFreedom: spread?.degreesOfFreedom ?? moments.n - 1,
  }));
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  const most = parts.reduce((sum, part) => sum + part.degreesOfFreedom, 0);
  const standardError = Math.sqrt(variance);
  if (!Number.isFinite(variance)) return undefined;
  if (variance === 0) return { standardError, degreesOfFreedom: most };
  const inverse = parts.reduce(
    (sum, part) => sum + (part.variance / variance) ** 2 / part.degreesOfFreedom,
    0,
  );
  return { standardError, degreesOfFreedom: Math.min(most, 1 / inverse) };
}

/** The share of one category with its limits, and the weight of the category. */
export type WeightedShare = {
  readonly share: Interval;
  /** The weight, at least 0; only the ratios of weights matter. */
  readonly weight: number;
};

/**
 * Returns the weighted mean of shares or bounded means of categories, with an interval based on the limits of each: near
 * 0 and 1, and with few values, it keeps the advantages of Wilson's and Gaffke's intervals over Student's t. A category of weight 0 is ignored;
 * one without trials leaves the mean undefined.
 *
 * Method: G. Y. Zou & A. Donner, Statistics in Medicine 27 (2008), "method of variance estimates recovery": the
 * distances of the limits from the mean are the roots of Σ W² (distance of the category's limit)².
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
    method: counted.every(({ share }) => share.method === 'gaffke')
      ? 'stratified-gaffke'
      : 'stratified-wilson',
  } as const;
  let [estimate, below, above] = [0, 0, 0];
  for (const { share, weight } of counted) {
    if (share.estimate === null || share.status === 'undefined') {
      const reason = 'a category has no attempts';
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
