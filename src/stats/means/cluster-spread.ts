/** How values that depend on each other within clusters spread about their common mean. */
export type ClusterSpread = {
  /** Clusters, a value without one being a cluster of its own. */
  readonly clusters: number;
  /** Clusters of equal size that would say as much: n² / Σ size² (Kish, Survey Sampling, 1965). */
  readonly effectiveClusters: number;
  /** Variance of the mean, CR1: Liang & Zeger, Biometrika 73 (1986), times G / (G − 1); NaN for one cluster. */
  readonly variance: number;
  /**
   * The same, CR2: each cluster's part over 1 − size / n, which makes it unbiased for independent values however unequal
   * the clusters are (Bell & McCaffrey, Survey Methodology 28 (2002)). Clusters of one size have the same in both.
   */
  readonly unbiasedVariance: number;
  /** Satterthwaite's degrees of freedom of that, by the same source; G − 1 for clusters of one size. */
  readonly degreesOfFreedom: number;
};

/**
 * Adds up what clusters say, each by its size and the sum of its distances from the common mean.
 * @param n - Values of all clusters together.
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
    /** Values that are clusters of their own, with the sum of their squared distances. */
    addAlone: (count: number, squares: number): void => add(count, 1, squares),
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
