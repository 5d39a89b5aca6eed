import type { Percentiles } from '../schema/usage-summary.ts';
import { quantileOfSorted } from '../stats/quantile.ts';

/** The nearest-rank percentiles of at least one value. Puts the values into order. */
export function percentilesOf(values: Float64Array): Percentiles {
  const sorted = values.sort();
  const at = (p: number) => quantileOfSorted(sorted, { p, method: 'nearest-rank' });
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
