import type { Interval } from '../interval.ts';
import {
  boundsOfGroups,
  chancesOfShare,
  checkRange,
  GRID,
  groupsOnGrid,
  type MirroredGroups,
  MOST_DIFFERENT,
  shareOf,
} from './bounded-mean.ts';
import {
  type ClusteredMoments,
  createClusteredMoments,
  type Group,
  namedClusters,
} from './clustered-moments.ts';
import { createWeightedValues, type WeightedValuesCollector } from './weighted-values.ts';

/** A collector of values with a known least and greatest possible value, with the clusters that some of them share. */
export type BoundedMeans = {
  /**
   * Adds a value.
   * @param cluster - The number of its cluster, from 0; missing for a value that depends on no other.
   * @param weight - Its weight, for every value or for none; only the ratios of weights matter.
   * @throws RangeError when the value is not finite, or the weight is not a finite number above 0.
   */
  add(value: number, cluster?: number, weight?: number): void;
  current(): ClusteredMoments;
  /**
   * Returns what `boundedMeanInterval` returns for all values added so far, with its two-sided confidence; undefined once
   * a value lay outside the range.
   */
  interval(confidence: number): Interval | undefined;
  /**
   * Returns the one-sided p-values of "the mean is at most this" and "the mean is at least this", by the same method;
   * undefined without values, or once one lay outside the range.
   */
  chances(mean: number): { readonly above: number; readonly below: number } | undefined;
  /** Counts the clusters by the sign of their sum, a value without a cluster being its own. */
  signs(): { readonly above: number; readonly below: number };
};

/**
 * Starts an empty collector. It keeps how often each value occurs, and from 2,000 different ones on only counts on a grid
 * of 2,000 (16 kB), so that memory does not grow with the values; each number of a cluster takes 12 bytes, and each value
 * with a weight 20. Values of one weight have the numbers of values without any.
 */
export function createBoundedMeans(range: readonly [number, number] = [0, 1]): BoundedMeans {
  checkRange(range);
  const [low, high] = range;
  const moments = createClusteredMoments();
  const alone = createShareCounts();
  const signs = { above: 0, below: 0 };
  let weighted: WeightedValuesCollector | undefined;
  let isBounded = true;

  const toGroup = ({ sum, size }: { readonly sum: number; readonly size: number }): Group => ({
    sum: Math.min(size, Math.max(0, (sum - size * low) / (high - low))),
    size,
    count: 1,
  });
  const groups = (): MirroredGroups => {
    const uneven = weighted?.current();
    if (uneven !== undefined) return groupsOnGrid(uneven.groups(range));
    const { up, down } = alone.current();
    const clustered = groupsOnGrid(moments.clusterSums().map(toGroup));
    return { up: [...up, ...clustered.up], down: [...down, ...clustered.down] };
  };

  const current = () => weighted?.current()?.moments() ?? moments.current();

  return {
    add: (value, cluster, weight) => {
      moments.add(value, cluster);
      if (weight !== undefined) {
        weighted ??= createWeightedValues();
        weighted.add(value, weight, cluster);
      }
      if (cluster === undefined) countSign(signs, value);
      if (!isBounded) return;
      const share = shareOf(value, range);
      if (share === undefined) {
        isBounded = false;
        alone.clear();
      } else if (cluster === undefined) alone.add(share);
    },
    current,
    interval: (confidence) => {
      if (!isBounded) return undefined;
      const { n, mean, spread } = current();
      const found = boundsOfGroups(groups(), {
        n,
        ...namedClusters(spread),
        mean: n === 0 ? null : mean,
        range,
        confidence: (1 + confidence) / 2,
      });
      return { ...found, confidence };
    },
    chances: (mean) =>
      isBounded && moments.current().n > 0
        ? chancesOfShare(groups(), (mean - low) / (high - low))
        : undefined,
    signs: () => {
      const all = { ...signs };
      // The sum of a cluster whose values cancel each other out is rounding noise.
      for (const { sum, size } of moments.clusterSums())
        if (Math.abs(sum) > 1e-12 * size) countSign(all, sum);
      return all;
    },
  };
}

function countSign(signs: { above: number; below: number }, value: number): void {
  if (value > 0) signs.above += 1;
  else if (value < 0) signs.below += 1;
}

/** Creates counts of shares in [0, 1]: exact for few different ones, otherwise on a grid, downwards for either bound. */
function createShareCounts() {
  let exact: Map<number, number> | undefined = new Map();
  let up = new Uint32Array(0);
  let down = new Uint32Array(0);

  function addToGrid(share: number, count: number): void {
    const [below, above] = [Math.floor(share * GRID), Math.floor((1 - share) * GRID)];
    up[below] = (up[below] as number) + count;
    down[above] = (down[above] as number) + count;
  }

  function spread(counts: ReadonlyMap<number, number>): void {
    up = new Uint32Array(GRID + 1);
    down = new Uint32Array(GRID + 1);
    for (const [share, count] of counts) addToGrid(share, count);
    exact = undefined;
  }

  return {
    add: (share: number): void => {
      if (exact === undefined) {
        addToGrid(share, 1);
        return;
      }
      exact.set(share, (exact.get(share) ?? 0) + 1);
      if (exact.size > MOST_DIFFERENT) spread(exact);
    },
    clear: (): void => {
      exact = new Map();
    },
    current: (): MirroredGroups => {
      if (exact === undefined) return { up: onGrid(up), down: onGrid(down) };
      return groupsOnGrid(Array.from(exact, ([sum, count]) => ({ sum, size: 1, count })));
    },
  };
}

function onGrid(counts: Uint32Array): Group[] {
  return Array.from(counts, (count, place) => ({ sum: place / GRID, size: 1, count })).filter(
    ({ count }) => count > 0,
  );
}
