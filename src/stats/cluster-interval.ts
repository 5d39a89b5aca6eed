import { checkConfidence } from './check-domain.ts';
import { createCompensatedSum } from './compensated-sum.ts';
import { groupByCluster } from './group-by-cluster.ts';
import type { Label } from './group-by-cluster.ts';
import { defaultConfidence } from './interval.ts';
import { momentsOf } from './moments.ts';
import { studentInterval, undefinedStudentInterval } from './student-interval.ts';
import type { StudentInterval } from './student-interval.ts';

/** Values and, at the same positions, the cluster (source document, conversation, template) each belongs to. */
export type ClusteredValues = {
  readonly values: readonly number[];
  readonly clusters: readonly (string | number)[];
  /** Confidence level, strictly between 0 and 1; 0.95 when not given. */
  readonly confidence?: number;
};

/**
 * Confidence interval for the mean of values that depend on each other within clusters but not across. It is
 * usually wider than the plain t interval and can be narrower. One cluster has a mean but no interval.
 *
 * Method: cluster-robust standard error CR1 (Liang & Zeger, Biometrika 73 (1986), times √(G / (G − 1))) with
 * Student's t on G − 1 degrees of freedom, for G clusters.
 *
 * @throws RangeError when the two arrays differ in length, a value is not finite, or the confidence is not
 * strictly between 0 and 1.
 */
export function clusterInterval(options: ClusteredValues): StudentInterval {
  const { values, clusters, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const count = groupByCluster(values, clusters).length;
  const basis = { n: values.length, clusters: count, confidence, method: 'cluster-robust-t' } as const;
  if (count === 0) {
    return undefinedStudentInterval({ ...basis, estimate: null, reason: 'no values' });
  }
  const { mean } = momentsOf(values);
  if (count === 1) {
    const reason = 'a single cluster shows no spread';
    return undefinedStudentInterval({ ...basis, estimate: mean, reason });
  }
  const standardError = clusterStandardError({ values, clusters, mean });
  return studentInterval({ ...basis, estimate: mean, standardError, degreesOfFreedom: count - 1 });
}

type Residuals = {
  readonly values: readonly number[];
  readonly clusters: readonly Label[];
  readonly mean: number;
};

/** √( G / (G − 1) · Σ over clusters of (Σ of distances from the mean)² ) / n. */
function clusterStandardError({ values, clusters, mean }: Residuals): number {
  const residuals = values.map((value) => value - mean);
  const sums = groupByCluster(residuals, clusters);
  const squares = createCompensatedSum();
  for (const { sum } of sums) {
    squares.add(sum ** 2);
  }
  const correction = sums.length / (sums.length - 1);
  return Math.sqrt(correction * squares.total()) / values.length;
}
