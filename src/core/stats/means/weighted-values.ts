import { checkDomain } from '../check-domain.ts';
import { createCompensatedSum } from '../compensated-sum.ts';
import { type ClusteredMoments, createClusterSpread, type Group } from './clustered-moments.ts';

/** Values of different weights, with the clusters that some of them share. */
export type WeightedValues = {
  /** Returns the weighted mean with the weighted spread. */
  moments(): ClusteredMoments;
  /**
   * Returns the sum and the size of every cluster: its size is the sum of its weights, on a scale on which the mean weight
   * is 1. A value without a cluster is its own.
   * @param range - The least and the greatest possible value.
   */
  groups(range: readonly [number, number]): Group[];
};

/** A collector of values with weights. */
export type WeightedValuesCollector = {
  /**
   * Adds a value.
   * @param weight - A finite number above 0; only the ratios of weights matter.
   * @param cluster - The number of its cluster, from 0; missing for a value that depends on no other.
   * @throws RangeError when the weight is not a finite number above 0.
   */
  add(value: number, weight: number, cluster?: number): void;
  /** Returns the values added so far; undefined while they all have one weight, so that no weighting is needed. */
  current(): WeightedValues | undefined;
};

/** Starts an empty collector: 20 bytes for each value, because no two values of different weights count together. */
export function createWeightedValues(): WeightedValuesCollector {
  const rows: Rows = { values: [], weights: [], clusters: [] };
  let isUneven = false;
  return {
    add: (value, weight, cluster = -1) => {
      checkDomain(weight > 0 && weight < Infinity, 'weight', weight, 'a finite number above 0');
      isUneven ||= rows.weights.length > 0 && rows.weights[0] !== weight;
      rows.values.push(value);
      rows.weights.push(weight);
      rows.clusters.push(cluster);
    },
    current: () =>
      isUneven ? { moments: () => momentsOf(rows), groups: (range) => groupsOf(rows, range) } : undefined,
  };
}

/**
 * Collects lists at the same positions. Clusters are any labels.
 * @throws RangeError when lists differ in length, or a weight is not a finite number above 0.
 */
export function collectWeighted({
  values,
  clusters,
  weights,
}: {
  readonly values: readonly number[];
  readonly clusters?: readonly (string | number)[];
  readonly weights: readonly number[];
}): WeightedValuesCollector {
  checkDomain(weights.length === values.length, 'weights.length', weights.length, `${values.length}`);
  if (clusters !== undefined)
    checkDomain(clusters.length === values.length, 'clusters.length', clusters.length, `${values.length}`);
  const numbers = new Map<string | number, number>();
  for (const label of clusters ?? []) if (!numbers.has(label)) numbers.set(label, numbers.size);
  const collector = createWeightedValues();
  for (const [place, value] of values.entries())
    collector.add(
      value,
      weights[place] as number,
      clusters && numbers.get(clusters[place] as string | number),
    );
  return collector;
}

/** The sums of a cluster. */
type Sums = { size: number; sum: number };

type Rows = {
  readonly values: number[];
  readonly weights: number[];
  /** −1 for a value without a cluster. */
  readonly clusters: number[];
};

/** Returns the weighted mean, with the spread in which the size of a cluster is the sum of its weights. */
function momentsOf({ values, weights, clusters }: Rows): ClusteredMoments {
  const n = values.length;
  const scale = scaleOf(weights);
  const [origin] = values as [number];
  const sum = createCompensatedSum();
  for (const [place, value] of values.entries())
    sum.add((weights[place] as number) * scale * (value - origin));
  const mean = origin + sum.total() / n;
  const spread = createClusterSpread(n);
  const shared = new Map<number, Sums>();
  let [squares, squaredWeights, areSingles] = [0, 0, true];
  for (const [place, value] of values.entries()) {
    const weight = (weights[place] as number) * scale;
    const distance = weight * (value - mean);
    squares += distance * (value - mean);
    squaredWeights += weight ** 2;
    const cluster = clusters[place] as number;
    if (cluster === -1) spread.addCluster(weight, distance);
    else areSingles = !addTo(shared, cluster, { size: weight, sum: distance }) && areSingles;
  }
  for (const { size, sum: distances } of shared.values()) spread.addCluster(size, distances);
  const effectiveCases = n ** 2 / squaredWeights;
  const summary = spread.summarize();
  return { n, mean, squares, effectiveCases, spread: areSingles ? { ...summary, areSingles } : summary };
}

function groupsOf({ values, weights, clusters }: Rows, [low, high]: readonly [number, number]): Group[] {
  const scale = scaleOf(weights);
  const alone: Group[] = [];
  const shared = new Map<number, Sums>();
  for (const [place, value] of values.entries()) {
    const size = (weights[place] as number) * scale;
    const sum = size * Math.min(1, Math.max(0, (value - low) / (high - low)));
    const cluster = clusters[place] as number;
    if (cluster === -1) alone.push({ sum, size, count: 1 });
    else addTo(shared, cluster, { size, sum });
  }
  const together = Array.from(shared.values(), ({ size, sum }) => ({
    sum: Math.min(size, sum),
    size,
    count: 1,
  }));
  return [...alone, ...together];
}

/** Adds a value to its cluster, and returns whether the cluster had one before. */
function addTo(
  shared: Map<number, Sums>,
  cluster: number,
  { size, sum }: Pick<Group, 'size' | 'sum'>,
): boolean {
  const known = shared.get(cluster);
  if (known === undefined) {
    shared.set(cluster, { size, sum });
    return false;
  }
  known.size += size;
  known.sum += sum;
  return true;
}

/** Returns the factor by which the mean weight becomes 1. */
function scaleOf(weights: readonly number[]): number {
  const sum = createCompensatedSum();
  for (const weight of weights) sum.add(weight);
  return weights.length / sum.total();
}
