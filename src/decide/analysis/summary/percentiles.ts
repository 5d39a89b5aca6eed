import type { Percentiles } from '../../../core/schema/usage.ts';
import type { ClusteredMoments } from '../../../core/stats/means/clustered-moments.ts';
import { nearestRankPlace, selectRank } from '../../../core/stats/quantile.ts';
import { quantileRanks } from '../../../core/stats/quantiles/quantile-interval.ts';
import { confidence } from './estimates.ts';

const shares = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/**
 * Computes the nearest-rank percentiles of at least one value, with limits. The array is reordered.
 * @param cases - The cases of the same values: attempts at a case, and cases of a cluster, depend on each other, and
 * together count as one observation.
 */
export function percentilesOf(
  values: Float64Array,
  cases: Pick<ClusteredMoments, 'n' | 'spread'>,
): Percentiles {
  const n = values.length;
  const independent = cases.spread?.clusters ?? cases.n;
  const wanted = Object.entries(shares).map(([name, p]) => ({
    name,
    place: nearestRankPlace(n, p),
    limits: limitPlaces(n, p, independent),
  }));
  const valueAt = selectPlaces(
    values,
    wanted.flatMap(({ place, limits = [] }) => [place, ...limits]),
  );
  const percentiles = wanted.map(({ name, place }) => [name, valueAt(place)]);
  const intervals = wanted.flatMap(({ name, limits }) =>
    limits === undefined ? [] : [[name, { lower: valueAt(limits[0]), upper: valueAt(limits[1]) }]],
  );
  return {
    ...Object.fromEntries(percentiles),
    intervals: { ...Object.fromEntries(intervals), n: independent },
  };
}

/** Returns the places of the limits among n sorted values, from 0; undefined when there are too few values. */
function limitPlaces(n: number, p: number, independent: number): readonly [number, number] | undefined {
  const { lowerRank, upperRank } = quantileRanks({ n: independent, p, confidence });
  if (lowerRank < 1 || upperRank > independent) return undefined;
  const each = n / independent;
  return [Math.max(1, Math.floor(lowerRank * each)) - 1, Math.min(n, Math.ceil(upperRank * each)) - 1];
}

/** Selects the values at some places of the sorted array. */
function selectPlaces(values: Float64Array, places: readonly number[]): (place: number) => number {
  const found = new Map<number, number>();
  let last = values.length - 1;
  // Each place is searched only among the values that are not above the previous one.
  for (const place of [...new Set(places)].toSorted((a, b) => b - a)) {
    found.set(place, selectRank(values, place, last));
    last = place;
  }
  return (place) => found.get(place) as number;
}

/** The sums of the costs of some calls, as plain data, after Welford, "Note on a method for calculating corrected sums" (1962). */
export interface CostSums {
  readonly n: number;
  readonly mean: number;
  readonly squares: number;
}

/** Returns the sums with one more cost. */
export function addCost(
  { n, mean, squares }: CostSums = { n: 0, mean: 0, squares: 0 },
  cost: number,
): CostSums {
  const delta = cost - mean;
  const next = mean + delta / (n + 1);
  return { n: n + 1, mean: next, squares: squares + delta * (cost - next) };
}

/** Returns the mean plus two standard deviations, which most calls do not exceed; undefined without a call. */
export function typicalCost(sums: CostSums | undefined): number | undefined {
  return sums && sums.mean + 2 * Math.sqrt(sums.squares / Math.max(1, sums.n - 1));
}
