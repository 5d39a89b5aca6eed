import type { Percentiles } from '../../schema/usage.ts';
import type { ClusteredMoments } from '../../stats/means/clustered-moments.ts';
import { nearestRankPlace, selectRank } from '../../stats/quantile.ts';
import { quantileRanks } from '../../stats/quantiles/quantile-interval.ts';
import { confidence } from './estimates.ts';

const shares = { p50: 0.5, p90: 0.9, p99: 0.99 } as const;

/**
 * The nearest-rank percentiles of at least one value, with limits. Moves the values.
 * @param cases - Of the same values: attempts of a case, and cases of a cluster, depend on each other, and are taken to say
 * together what one of them does.
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

/** Where the limits stand among n sorted values, from 0; undefined where there are too few. */
function limitPlaces(n: number, p: number, independent: number): readonly [number, number] | undefined {
  const { lowerRank, upperRank } = quantileRanks({ n: independent, p, confidence });
  if (lowerRank < 1 || upperRank > independent) return undefined;
  const each = n / independent;
  return [Math.max(1, Math.floor(lowerRank * each)) - 1, Math.min(n, Math.ceil(upperRank * each)) - 1];
}

/** The values that stand at some places of the sorted ones. */
function selectPlaces(values: Float64Array, places: readonly number[]): (place: number) => number {
  const found = new Map<number, number>();
  let last = values.length - 1;
  // Each is looked for among those that are not above the one before.
  for (const place of [...new Set(places)].toSorted((a, b) => b - a)) {
    found.set(place, selectRank(values, place, last));
    last = place;
  }
  return (place) => found.get(place) as number;
}

/** What one more of something is likely to cost. */
interface TypicalCost {
  add(cost: number): void;
  /** Mean and two standard deviations, so that most cost less; undefined before the first. */
  read(): number | undefined;
}

/** Starts with nothing known. Sums as in Welford, "Note on a method for calculating corrected sums" (1962). */
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
