import { checkConfidence, checkDomain } from './check-domain.ts';
import { type CompensatedSum, createCompensatedSum } from './compensated-sum.ts';
import { defaultConfidence } from './interval.ts';
import { createClusterSpread } from './means/clustered-moments.ts';
import { meanOfClusters } from './means/mean-of-clusters.ts';
import { collectWeighted } from './means/weighted-values.ts';
import { momentsOf } from './moments.ts';
import { studentInterval, type StudentInterval, tooLarge, undefinedStudentInterval } from './student-t.ts';

/** Values, each with the cluster (source document, conversation, template) it belongs to, at the same positions. */
export type ClusteredValues = {
  readonly values: readonly number[];
  readonly clusters: readonly (string | number)[];
  /** The weight of each value, at the same positions; only their ratios matter. Each counts once by default. */
  readonly weights?: readonly number[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
  /**
   * The correction of the standard error for few clusters; `CR2` by default. `CR1`, with t on G − 1 degrees of freedom
   * for G clusters, is what many other programs print. Both are the same for clusters of one size; `CR1` is too narrow
   * where a few clusters outweigh the others.
   */
  readonly correction?: 'CR1' | 'CR2';
};

/**
 * Returns the confidence interval for the mean of values that depend on each other within clusters but not across. It
 * is usually wider than the plain t interval and can be narrower. One cluster has a mean but no interval. With weights
 * the size of a cluster is the sum of its weights, and the correction is always CR2.
 *
 * Method: cluster-robust standard error CR2 with Student's t on Satterthwaite's degrees of freedom (Bell & McCaffrey,
 * Survey Methodology 28 (2002)); CR1: Liang & Zeger, Biometrika 73 (1986), times √(G / (G − 1)).
 *
 * @throws RangeError when the two arrays differ in length, a value is not finite, or the confidence is not strictly
 * between 0 and 1.
 */
export function clusterInterval(options: ClusteredValues): StudentInterval {
  const { values, clusters, weights, confidence = defaultConfidence, correction = 'CR2' } = options;
  checkConfidence(confidence);
  const weighted = weights && collectWeighted({ values, clusters, weights }).current();
  if (weighted !== undefined) return meanOfClusters(weighted.moments(), confidence);
  const { mean, n } = momentsOf(values);
  // Distances from an infinite mean would be refused as values that are not finite.
  const isTooLarge =
    n > 0 && values.every(Number.isFinite) && !values.every((value) => Number.isFinite(value - mean));
  const groups = groupByCluster(
    values.map((value) => (isTooLarge ? value : value - mean)),
    clusters,
  );
  const basis = { n, clusters: groups.length, confidence, method: 'cluster-robust-t' } as const;
  if (n === 0) return undefinedStudentInterval({ ...basis, estimate: null, reason: 'no values' });
  if (isTooLarge) return undefinedStudentInterval({ ...basis, estimate: null, reason: tooLarge });
  if (groups.length === 1) {
    const reason = 'a single cluster shows no spread';
    return undefinedStudentInterval({ ...basis, estimate: mean, reason });
  }
  const spread = createClusterSpread(n);
  for (const { size, sum } of groups) spread.addCluster(size, sum);
  const { variance, unbiasedVariance, degreesOfFreedom } = spread.summarize();
  const uncertainty =
    correction === 'CR1'
      ? { standardError: Math.sqrt(variance), degreesOfFreedom: groups.length - 1 }
      : { standardError: Math.sqrt(unbiasedVariance), degreesOfFreedom };
  return studentInterval({ ...basis, estimate: mean, ...uncertainty });
}

/** The name of a cluster or stratum. */
export type Label = string | number;

/** The size and the sum of values that belong together. */
type Cluster = { readonly label: Label; readonly size: number; readonly sum: number };

/**
 * Groups values by cluster, in the order of the clusters' first values. The labels are at the same positions as the
 * values.
 *
 * @throws RangeError when the two arrays differ in length or a value is not finite.
 */
export function groupByCluster(values: readonly number[], clusters: readonly Label[]): Cluster[] {
  checkDomain(clusters.length === values.length, 'clusters.length', clusters.length, `${values.length}`);
  const groups = new Map<Label, { size: number; sum: CompensatedSum }>();
  for (const [place, value] of values.entries()) {
    if (!Number.isFinite(value)) checkDomain(false, `value ${place + 1}`, value, 'finite');
    const label = clusters[place] as Label;
    const group = groups.get(label) ?? { size: 0, sum: createCompensatedSum() };
    groups.set(label, group);
    group.size += 1;
    group.sum.add(value);
  }
  return Array.from(groups, ([label, { size, sum }]) => ({ label, size, sum: sum.total() }));
}
