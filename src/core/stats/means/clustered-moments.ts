import { createMoments, type Moments } from '../moments.ts';

/** The moments of values and the spread of their clusters; the spread is missing when no two values share a cluster. */
export type ClusteredMoments = Moments & {
  readonly spread?: ClusterSpread;
  /**
   * The number of values of equal weight with the same information: (Σ w)² / Σ w² (Kish, Survey Sampling, 1965). Present
   * only when the values have different weights; the mean and the spread are then weighted.
   */
  readonly effectiveCases?: number;
};

/** A sum of `size` shares in [0, 1] that belong together, and how many groups have that size and sum. */
export type Group = { readonly sum: number; readonly size: number; readonly count: number };

/** A collector of values with the clusters that some of them share. */
export type ClusteredMomentsAccumulator = {
  /**
   * Adds a value.
   * @param cluster - The number of its cluster, from 0; missing for a value that depends on no other.
   * @throws RangeError when the value is not finite.
   */
  add(value: number, cluster?: number): void;
  current(): ClusteredMoments;
  /** Returns the size and the sum of each cluster; values without a cluster are not among them. */
  clusterSums(): { readonly size: number; readonly sum: number }[];
};

/** Starts an empty accumulator: constant memory, and 12 bytes for each number of a cluster once there are clusters. */
export function createClusteredMoments(): ClusteredMomentsAccumulator {
  const all = createMoments();
  /** The values without a cluster that came after the first clustered one; `before` contains those before it. */
  let alone: ReturnType<typeof createMoments> | undefined;
  let before: Moments | undefined;
  let origin = 0;
  let sums = new Float64Array(0);
  let sizes = new Uint32Array(0);

  function addToCluster(value: number, cluster: number): void {
    if (cluster >= sizes.length) {
      const length = Math.max(16, 2 * sizes.length, cluster + 1);
      sums = resized(sums, new Float64Array(length));
      sizes = resized(sizes, new Uint32Array(length));
    }
    // Far from 0, a sum of distances keeps the digits that a sum of values loses.
    sums[cluster] = (sums[cluster] as number) + (value - origin);
    sizes[cluster] = (sizes[cluster] as number) + 1;
  }

  return {
    add: (value, cluster) => {
      if (cluster !== undefined && alone === undefined) {
        before = all.current();
        alone = createMoments();
        origin = value;
      }
      all.add(value);
      if (cluster !== undefined) addToCluster(value, cluster);
      else alone?.add(value);
    },
    current: () => {
      const moments = all.current();
      if (before === undefined || alone === undefined || sizes.every((size) => size < 2)) return moments;
      const spread = createClusterSpread(moments.n);
      for (const { n, mean, squares } of [before, alone.current()]) {
        spread.addAlone(n, squares + n * (mean - moments.mean) ** 2);
      }
      for (const [place, size] of sizes.entries()) {
        if (size > 0) spread.addCluster(size, (sums[place] as number) - size * (moments.mean - origin));
      }
      return { ...moments, spread: spread.summarize() };
    },
    clusterSums: () =>
      Array.from(sizes, (size, place) => ({ size, sum: (sums[place] as number) + size * origin })).filter(
        ({ size }) => size > 0,
      ),
  };
}

/** Returns the number of clusters as an interval states it: absent when no two values share one. */
export function namedClusters(spread: ClusterSpread | undefined): { readonly clusters?: number } {
  return spread === undefined || spread.areSingles === true ? {} : { clusters: spread.clusters };
}

function resized<Numbers extends Float64Array | Uint32Array>(old: Numbers, longer: Numbers): Numbers {
  longer.set(old);
  return longer;
}

/** The spread of clusters of dependent values about the common mean. */
type ClusterSpread = {
  /** The number of clusters; a value without a cluster counts as one. */
  readonly clusters: number;
  /** Present when no two values share a cluster: what differs are their weights. */
  readonly areSingles?: true;
  /** The number of clusters of equal size with the same information: n² / Σ size² (Kish, Survey Sampling, 1965). */
  readonly effectiveClusters: number;
  /** The variance of the mean, CR1: Liang & Zeger, Biometrika 73 (1986), times G / (G − 1); NaN for one cluster. */
  readonly variance: number;
  /**
   * The variance of the mean, CR2: each cluster's part divided by 1 − size / n, which makes it unbiased for independent
   * values however unequal the clusters are (Bell & McCaffrey, Survey Methodology 28 (2002)). Clusters of one size have
   * the same in both.
   */
  readonly unbiasedVariance: number;
  /** Satterthwaite's degrees of freedom of the CR2 variance, by the same source; G − 1 for clusters of one size. */
  readonly degreesOfFreedom: number;
};

/**
 * Creates a collector of clusters, each with its size and the sum of its distances from the common mean.
 * @param n - The number of values of all clusters together, or the sum of their weights.
 */
export function createClusterSpread(n: number) {
  const total = { clusters: 0, squares: 0, unbiased: 0, sizes: 0, parts: 0, partSquares: 0 };

  function add(count: number, size: number, squares: number): void {
    if (count === 0) return;
    const part = size ** 2 / (n - size);
    total.clusters += count;
    total.squares += squares;
    total.unbiased += squares / (1 - size / n);
    total.sizes += count * size ** 2;
    total.parts += count * part;
    total.partSquares += count * part ** 2;
  }

  return {
    /** Adds values that are clusters of their own, with the sum of their squared distances. */
    addAlone: (count: number, squares: number): void => add(count, 1, squares),
    /** Adds a cluster; with weights, the sum of its weights and of its weighted distances. */
    addCluster: (size: number, sum: number): void => add(1, size, sum ** 2),
    summarize: (): ClusterSpread => ({
      clusters: total.clusters,
      effectiveClusters: n ** 2 / total.sizes,
      variance: ((total.clusters / (total.clusters - 1)) * total.squares) / n ** 2,
      unbiasedVariance: total.unbiased / n ** 2,
      degreesOfFreedom: n ** 2 / (total.sizes + total.parts ** 2 - total.partSquares),
    }),
  };
}
