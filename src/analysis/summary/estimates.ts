import { type Estimate, hasFewClusters, isTooFew } from '../../schema/estimate.ts';
import type { Interval } from '../../stats/interval.ts';
import type { ClusteredMoments } from '../../stats/means/clustered-moments.ts';
import { meanOfClusters, shareOfClusters } from '../../stats/means/mean-of-clusters.ts';
import { wilsonInterval } from '../../stats/proportion-interval.ts';

/** The confidence level of every interval in a report. */
export const confidence = 0.95;

/** An interval in the form in which it is kept and shown. */
export function toEstimate({ estimate: value, lower, upper, n, method, ...rest }: Interval): Estimate {
  const { clusters, confidence: level } = rest;
  const counts = { n, ...(clusters !== undefined && { clusters }) };
  const base = { value, lower, upper, ...counts, confidence: level, method };
  return rest.status === 'defined' ? base : { ...base, reason: rest.reason };
}

/** The same, but values that are all equal have no interval: one of no width would claim a certainty they do not give. */
function toSpreadEstimate(interval: Interval): Estimate {
  const estimate = toEstimate(interval);
  if (estimate.lower === null || estimate.upper === null) return estimate;
  if (estimate.upper - estimate.lower >= 1e-12) return estimate;
  return {
    ...estimate,
    lower: null,
    upper: null,
    reason: 'all values are equal, so their spread is unknown',
  };
}

/** The same estimate with limits that do not leave what is possible. */
export function withinRange<T extends Pick<Estimate, 'lower' | 'upper'>>(
  estimate: T,
  [least, most]: readonly [number, number],
): T {
  const { lower, upper } = estimate;
  if (lower === null || upper === null) return estimate;
  return { ...estimate, lower: Math.max(least, lower), upper: Math.min(most, upper) };
}

/** What a mean can be: of shares from 0 to 1, of times, amounts and lengths from 0 on. Other units may have a sign. */
export function rangeOf(unit: string | undefined): readonly [number, number] {
  if (unit === undefined) return [0, 1];
  return neverNegative.includes(unit) ? [0, Infinity] : [-Infinity, Infinity];
}

const neverNegative: readonly string[] = [
  'ms',
  's',
  'USD',
  'tokens',
  'characters',
  'words',
  'turns',
  'calls',
];

/** What the difference of two means can be. */
export function rangeOfDifference(unit: string | undefined): readonly [number, number] {
  return unit === undefined ? [-1, 1] : [-Infinity, Infinity];
}

/** What is known of values beside their moments. */
export interface ValueKind {
  /** undefined for shares in [0, 1]. */
  readonly unit?: string | undefined;
  /** Where all values are 0 or 1. */
  readonly truths?: Truths | undefined;
}

/**
 * The mean of values, which are shares in [0, 1] unless they have a unit: Student's t, cluster-robust where cases share
 * clusters. Shares that are all 0 or 1 have the interval of passes, so that one number has one interval.
 */
export function estimateMean(moments: ClusteredMoments, { unit, truths }: ValueKind = {}): Estimate {
  if (unit === undefined && truths !== undefined) return estimateShare(moments, truths);
  const interval = meanOfClusters(moments, confidence);
  const estimate = unit === undefined ? toSpreadEstimate(interval) : toEstimate(interval);
  return withCautions(withinRange(estimate, rangeOf(unit)), moments, unit);
}

/** The mean of differences, with the same methods. */
export function estimateDifference(moments: ClusteredMoments, unit?: string): Estimate {
  const estimate = toSpreadEstimate(meanOfClusters(moments, confidence));
  return withCautions(withinRange(estimate, rangeOfDifference(unit)), moments, unit);
}

/**
 * The share of trials of which something is true. Of independent ones this is a proportion with Wilson's interval; where a
 * case has several or shares a cluster, they depend on each other, and it is Wilson's of as many independent ones as would
 * say as much, see `shareOfClusters`.
 * @param truths - undefined when the values are shares of attempts themselves.
 */
export function estimateShare(moments: ClusteredMoments, truths?: Truths): Estimate {
  return withCautions(toEstimate(intervalOfShare(moments, truths)), moments);
}

/** The same as an interval. */
export function intervalOfShare(moments: ClusteredMoments, truths?: Truths): Interval {
  const isIndependent = truths?.trials === moments.n && moments.spread === undefined;
  return isIndependent ? wilsonInterval({ ...truths, confidence }) : shareOfClusters(moments, confidence);
}

/** Says beside an estimate what to beware of. */
export function withCautions(
  estimate: Estimate,
  { spread }: Pick<ClusteredMoments, 'spread'> = {},
  unit?: string,
): Estimate {
  const clustered = { ...estimate, ...(spread && { effectiveClusters: spread.effectiveClusters }) };
  return {
    ...clustered,
    ...(isTooFew(clustered, unit) && { tooFew: true as const }),
    ...(hasFewClusters(clustered) && { fewClusters: true as const }),
  };
}

/** Numbers clusters by their names, so that sums by cluster can be kept in arrays. */
export interface ClusterNumbers {
  /** The number of a cluster, from 0; undefined for a case without one. */
  of(cluster: string | undefined): number | undefined;
}

/** Starts a numbering, in memory of some 60 bytes a cluster. What counts the same cases should share one. */
export function createClusterNumbers(): ClusterNumbers {
  const numbers = new Map<string, number>();
  let last: string | undefined;
  let lastNumber = 0;
  return {
    of: (cluster) => {
      if (cluster === undefined) return undefined;
      // Cases of a cluster mostly follow each other, and everything counted of a case asks for the same one.
      if (cluster === last) return lastNumber;
      last = cluster;
      const known = numbers.get(cluster);
      lastNumber = known ?? numbers.size;
      if (known === undefined) numbers.set(cluster, lastNumber);
      return lastNumber;
    },
  };
}

/** How many values are true, 1, of those that can be 1 or 0 only. */
export interface Truths {
  readonly successes: number;
  readonly trials: number;
}

/** Counts values for as long as each is 0 or 1. */
export function createTruthCount() {
  const counts = { successes: 0, trials: 0 };
  let isTruth = true;
  return {
    add: (value: number): void => {
      counts.successes += value;
      counts.trials += 1;
      isTruth &&= value === 0 || value === 1;
    },
    /** undefined without values, or once one was neither. */
    current: (): Truths | undefined => (isTruth && counts.trials > 0 ? { ...counts } : undefined),
  };
}
