import type { Percentiles } from '../schema/usage-summary.ts';
import { quantile } from '../stats/quantile.ts';

/** The nearest-rank percentiles of at least one value. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort();
  const at = (p: number) => quantile({ values: sorted, p, method: 'nearest-rank' }).value as number;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
