import type { Percentiles } from '../../schema/usage.ts';
import type { ClusteredMoments } from '../../stats/means/clustered-moments.ts';
import { nearestRankPlace, selectRank } from '../../stats/quantile.ts';
import { quantileRanks } from '../../stats/quantiles/quantile-interval.ts';
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

/** The typical cost of one more call. */
interface TypicalCost {
  add(cost: number): void;
  /** Returns the mean plus two standard deviations, which most calls do not exceed; undefined before the first. */
  read(): number | undefined;
}

/**
 * Creates a typical cost without data. The sums follow Welford, "Note on a method for calculating corrected sums"
 * (1962).
 */
export function createTypicalCost(): TypicalCost {
  let [n, mean, squares] = [0, 0, 0];
  return {
    add: (cost) => {
      n += 1;
      const delta = cost - mean;
      mean += delta / n;
      squares += delta * (cost - mean);
    },
    read: () => (n === 0 ? undefined : mean + 2 * Math.sqrt(squares / Math.max(1, n - 1))),
  };
}
