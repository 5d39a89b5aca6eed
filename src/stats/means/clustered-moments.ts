import { createMoments } from '../moments.ts';
import type { Moments } from '../moments.ts';
import { createClusterSpread } from './cluster-spread.ts';
import type { ClusterSpread } from './cluster-spread.ts';

/** Moments of values, and how their clusters spread; missing when no two values share a cluster. */
export type ClusteredMoments = Moments & { readonly spread?: ClusterSpread };

/** Collects values with the clusters that some of them share. */
export type ClusteredMomentsAccumulator = {
  /**
   * Adds a value.
   * @param cluster - Its number, from 0; missing for a value that depends on no other.
   * @throws RangeError when the value is not finite.
   */
  add(value: number, cluster?: number): void;
  current(): ClusteredMoments;
};

/** Starts an empty accumulator: constant memory, and 12 bytes for each number of a cluster once there are clusters. */
export function createClusteredMoments(): ClusteredMomentsAccumulator {
  const all = createMoments();
  /** Values without a cluster, after the first with one; those before are `before`. */
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
  };
}

function resized<Numbers extends Float64Array | Uint32Array>(old: Numbers, longer: Numbers): Numbers {
  longer.set(old);
  return longer;
}
