import { checkConfidence, checkDomain } from './check-domain.ts';
import { createCompensatedSum } from './compensated-sum.ts';
import type { CompensatedSum } from './compensated-sum.ts';
import { undefinedInterval } from './interval.ts';
import type { Interval } from './interval.ts';
import { studentTQuantile } from './student-t.ts';

/** Values and, at the same positions, the cluster (source document, conversation, template) each belongs to. */
export type ClusteredValues = {
  readonly values: readonly number[];
  readonly clusters: readonly (string | number)[];
  /** Confidence level, strictly between 0 and 1. */
  readonly confidence: number;
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
export function clusterInterval({ values, clusters, confidence }: ClusteredValues): Interval {
  checkConfidence(confidence);
  checkDomain(clusters.length === values.length, 'clusters.length', clusters.length, `${values.length}`);
  values.forEach((value, i) => {
    checkDomain(Number.isFinite(value), `value ${i + 1}`, value, 'finite');
  });
  const n = values.length;
  const basis = { n, clusters: new Set(clusters).size, confidence, method: 'cluster-robust-t' } as const;
  if (n === 0) {
    return undefinedInterval({ ...basis, estimate: null, reason: 'no values' });
  }
  const mean = meanOf(values);
  if (basis.clusters === 1) {
    return undefinedInterval({ ...basis, estimate: mean, reason: 'a single cluster shows no spread' });
  }
  const t = -studentTQuantile({ p: (1 - confidence) / 2, degreesOfFreedom: basis.clusters - 1 });
  const margin = t * clusterStandardError({ values, clusters, mean });
  return { ...basis, status: 'defined', estimate: mean, lower: mean - margin, upper: mean + margin };
}

/** √( G / (G − 1) · Σ over clusters of (Σ of distances from the mean)² ) / n. */
function clusterStandardError({
  values,
  clusters,
  mean,
}: Omit<ClusteredValues, 'confidence'> & { readonly mean: number }): number {
  const residuals = new Map<string | number, CompensatedSum>();
  values.forEach((value, i) => {
    const cluster = clusters[i] as string | number;
    const sum = residuals.get(cluster) ?? createCompensatedSum();
    residuals.set(cluster, sum);
    sum.add(value - mean);
  });
  const squares = createCompensatedSum();
  for (const sum of residuals.values()) {
    squares.add(sum.total() ** 2);
  }
  const correction = residuals.size / (residuals.size - 1);
  return Math.sqrt(correction * squares.total()) / values.length;
}

/** Mean about the first value, so that equal values give exactly that value. */
function meanOf(values: readonly number[]): number {
  const origin = values[0] as number;
  const shifted = createCompensatedSum();
  for (const value of values) {
    shifted.add(value - origin);
  }
  return origin + shifted.total() / values.length;
}
