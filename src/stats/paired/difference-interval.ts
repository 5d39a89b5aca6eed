import { clusterInterval } from '../cluster-interval.ts';
import { meanInterval } from '../mean-interval.ts';
import { undefinedStudentInterval } from '../student-interval.ts';
import type { StudentInterval } from '../student-interval.ts';
import { differencesOf } from './differences.ts';
import type { PairedValues } from './differences.ts';

/** Paired scores, and where questions depend on each other, the cluster of each at the same positions. */
export type ClusteredPairs = PairedValues & {
  readonly clusters?: readonly (string | number)[];
  /** Confidence level, strictly between 0 and 1; 0.95 when not given. */
  readonly confidence?: number;
};

/** Against the largest difference: a standard error below it is rounding noise. */
const NOISE = 1e-14;

/**
 * The t interval of the mean difference, cluster-robust where clusters are given. Differences without any spread
 * leave it undefined: an interval of no width would claim a certainty that they do not give.
 *
 * @throws RangeError when lists differ in length, a value is not finite, or the confidence is not strictly between
 * 0 and 1.
 */
export function differenceInterval(pairs: ClusteredPairs): StudentInterval {
  const values = differencesOf(pairs);
  const { clusters, ...rest } = pairs;
  const options = { values, ...(rest.confidence === undefined ? {} : { confidence: rest.confidence }) };
  const interval = clusters === undefined ? meanInterval(options) : clusterInterval({ ...options, clusters });
  if (interval.status === 'undefined') return interval;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (interval.standardError > NOISE * largest) return interval;
  const { estimate, n, confidence, method } = interval;
  const basis = {
    n,
    confidence,
    method,
    ...(interval.clusters === undefined ? {} : { clusters: interval.clusters }),
  };
  return undefinedStudentInterval({ ...basis, estimate, reason: 'the differences do not vary' });
}
