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
