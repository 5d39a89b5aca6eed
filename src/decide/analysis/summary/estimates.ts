import { type Estimate, hasFewClusters, isTooFew } from '../../../core/schema/estimate.ts';
import { isNeverNegative } from '../../../core/schema/metric.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Interval } from '../../../core/stats/interval.ts';
import type { BoundedMeans } from '../../../core/stats/means/bounded-means.ts';
import type { ClusteredMoments } from '../../../core/stats/means/clustered-moments.ts';
import { meanOfClusters, shareOfClusters } from '../../../core/stats/means/mean-of-clusters.ts';
import { wilsonInterval } from '../../../core/stats/proportion-interval.ts';

/** The confidence level of every interval in a report. */
export const confidence = 0.95;

/** Converts an interval to the form that is stored and shown. */
export function toEstimate({ estimate: value, lower, upper, n, method, ...rest }: Interval): Estimate {
  const { clusters, confidence: level } = rest;
  const counts = { n, clusters };
  const base = { value, lower, upper, ...counts, confidence: level, method };
  return rest.status === 'defined' ? base : { ...base, reason: rest.reason };
}

/** Limits an interval to the possible values. */
export function withinRange<T extends Pick<Estimate, 'lower' | 'upper'>>(
  estimate: T,
  [least, most]: readonly [number, number],
): T {
  const { lower, upper } = estimate;
  if (lower === null || upper === null) return estimate;
  return { ...estimate, lower: Math.max(least, lower), upper: Math.min(most, upper) };
}

/**
 * Returns the range of a mean: from 0 to 1 for shares, from 0 for times, amounts and lengths. Other units may be
 * negative.
 */
export function rangeOf(unit: string | undefined): readonly [number, number] {
  if (unit === undefined) return [0, 1];
  return isNeverNegative(unit) ? [0, Infinity] : [-Infinity, Infinity];
}

/** Returns the range of the difference of two means. */
function rangeOfDifference(unit: string | undefined): readonly [number, number] {
  return unit === undefined ? [-1, 1] : [-Infinity, Infinity];
}

/** Collected values of a measure, of which a mean is estimated. */
export interface MeasuredValues {
  moments(): ClusteredMoments;
  /** Returns the counts of a boolean measure; undefined without values, or unless all were 0 or 1. */
  truths(): Truths | undefined;
  /** Returns the interval of the mean of values in [0, 1]; undefined once one lay outside. */
  interval(confidence: number): Interval | undefined;
}

/**
 * Estimates the mean of values, which are shares in [0, 1] unless they have a unit: shares by Gaffke's bounds on both
 * sides, as gates do, so that one number has one interval; quantities by Student's t, cluster-robust when cases share
 * clusters. Shares that are all 0 or 1 have the interval of a proportion, unless their cases have different weights:
 * then only Gaffke's bounds cover as often as they say (`bench/weights.ts`).
 */
export function estimateMean(values: MeasuredValues, unit?: string): Estimate {
  const moments = values.moments();
  if (unit !== undefined) return estimateQuantity(moments, unit);
  const truths = values.truths();
  if (truths !== undefined && moments.effectiveCases === undefined) return estimateShare(moments, truths);
  const interval = values.interval(confidence) ?? meanOfClusters(moments, confidence);
  return withCautions(withinRange(withoutCertainty(toEstimate(interval)), [0, 1]), moments);
}

function estimateQuantity(moments: ClusteredMoments, unit: string): Estimate {
  const estimate = withoutCertainty(toEstimate(meanOfClusters(moments, confidence)));
  return withCautions(withinRange(estimate, rangeOf(unit)), moments, unit);
}

/** Estimates the mean of differences by the same methods: of shares in [−1, 1], or of quantities. */
export function estimateDifference(differences: BoundedMeans, unit?: string): Estimate {
  const moments = differences.current();
  const bounded = unit === undefined ? differences.interval(confidence) : undefined;
  if (bounded !== undefined) return withCautions(toEstimate(bounded), moments);
  const estimate = withoutCertainty(toEstimate(meanOfClusters(moments, confidence)));
  return withCautions(withinRange(estimate, rangeOfDifference(unit)), moments, unit);
}

/** Removes limits of zero width: quantities that are all equal would seem certain, although their spread is unknown. */
function withoutCertainty(estimate: Estimate): Estimate {
  const { lower, upper } = estimate;
  if (lower === null || upper === null || upper - lower >= 1e-12) return estimate;
  const reason = 'all values are equal, so their spread is unknown';
  return { ...estimate, lower: null, upper: null, reason };
}

/**
 * Estimates the share of trials with a boolean property. For independent trials this is a proportion with Wilson's
 * interval; if a case has several trials or shares a cluster, they depend on each other, and the interval is Wilson's
 * for the number of independent trials that are equally informative, see `shareOfClusters`.
 * @param truths - The counts; undefined when the values are shares of attempts.
 */
export function estimateShare(moments: ClusteredMoments, truths?: Truths): Estimate {
  return withCautions(toEstimate(intervalOfShare(moments, truths)), moments);
}

/** Estimates the share of trials with a boolean property from their collected values. */
export function estimateRate(values: MeasuredValues): Estimate {
  const moments = values.moments();
  if (moments.effectiveCases !== undefined) return estimateMean(values);
  return estimateShare(moments, values.truths() ?? { successes: 0, trials: 0 });
}

/** Computes the interval of a share by the methods of `estimateShare`. */
export function intervalOfShare(moments: ClusteredMoments, truths?: Truths): Interval {
  const isIndependent = truths?.trials === moments.n && moments.spread === undefined;
  return isIndependent ? wilsonInterval({ ...truths, confidence }) : shareOfClusters(moments, confidence);
}

/** Adds the cautions of an estimate: too few cases, too few clusters. */
export function withCautions(
  estimate: Estimate,
  { spread, effectiveCases }: Pick<ClusteredMoments, 'spread' | 'effectiveCases'> = {},
  unit?: string,
): Estimate {
  const isShared = spread !== undefined && spread.areSingles !== true;
  const clustered = {
    ...estimate,
    ...(isShared && { effectiveClusters: spread.effectiveClusters }),
    ...(effectiveCases !== undefined && { effectiveCases }),
  };
  return {
    ...clustered,
    ...(isTooFew(clustered, unit) && { tooFew: true as const }),
    ...(hasFewClusters(clustered) && { fewClusters: true as const }),
  };
}

/** A numbering of clusters by name, so that sums by cluster can be stored in arrays, with the weights of cases. */
export interface ClusterNumbers {
  /** Returns the number of a cluster, from 0; undefined for a case without one. */
  of(cluster: string | undefined): number | undefined;
  /** Returns the weight of a case in a mean; undefined where all cases weigh the same. */
  weightOf(testCase: Pick<Case, 'weight'>): number | undefined;
}

/**
 * Creates a numbering, with about 60 bytes for each cluster. Tallies of the same cases should share one.
 * @param dataset - The dataset of the run; without it, every case counts once.
 */
export function createClusterNumbers(dataset?: Pick<Run['dataset'], 'caseWeights'>): ClusterNumbers {
  const isWeighted = dataset?.caseWeights !== undefined;
  const numbers = new Map<string, number>();
  let last: string | undefined;
  let lastNumber = 0;
  return {
    weightOf: ({ weight = 1 }) => (isWeighted ? weight : undefined),
    of: (cluster) => {
      if (cluster === undefined) return undefined;
      // Cases of a cluster are mostly adjacent, and all tallies of a case ask for the same cluster.
      if (cluster === last) return lastNumber;
      last = cluster;
      const known = numbers.get(cluster);
      lastNumber = known ?? numbers.size;
      if (known === undefined) numbers.set(cluster, lastNumber);
      return lastNumber;
    },
  };
}

/** The counts of boolean values: the number of 1s, and of all. */
export interface Truths {
  readonly successes: number;
  readonly trials: number;
}

/** Creates a count of values that is defined as long as each is 0 or 1. */
export function createTruthCount() {
  const counts = { successes: 0, trials: 0 };
  let isTruth = true;
  return {
    add: (value: number): void => {
      counts.successes += value;
      counts.trials += 1;
      isTruth &&= value === 0 || value === 1;
    },
    /** Returns the counts; undefined without values, or once a value was neither 0 nor 1. */
    current: (): Truths | undefined => (isTruth && counts.trials > 0 ? { ...counts } : undefined),
  };
}
