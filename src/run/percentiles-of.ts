import type { Percentiles } from '../schema/usage-summary.ts';
import { nearestRankPlace } from '../stats/quantile.ts';
import { selectRank } from '../stats/select-rank.ts';

/** The nearest-rank percentiles of at least one value. Moves the values. */
export function percentilesOf(values: Float64Array): Percentiles {
  const [at50, at90, at99] = [0.5, 0.9, 0.99].map((p) => nearestRankPlace(values.length, p)) as Places;
  // Each is looked for among those that are not above the one before.
  const p99 = selectRank(values, at99);
  const p90 = selectRank(values, at90, at99);
  const p50 = selectRank(values, at50, at90);
  return { p50, p90, p99 };
}

type Places = [number, number, number];
