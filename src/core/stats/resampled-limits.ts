import { checkDomain } from './check-domain.ts';
import type { Label } from './cluster-interval.ts';
import type { Random } from './random.ts';

/** The limits of a bootstrap interval; null where the resamples set none. */
export type ResampledLimits = { readonly lower: number | null; readonly upper: number | null };

/**
 * Returns the percentile limits of an estimate from its resamples. A resample without an estimate is NaN and counts as
 * below the lower and above the upper limit, an unbounded one is an infinity; a limit that falls on one of them is null.
 *
 * Method: Efron & Tibshirani, An Introduction to the Bootstrap (1993), ch. 13, with quantiles of type 7.
 */
export function percentileLimits(estimates: Float64Array, confidence: number): ResampledLimits {
  const tail = (1 - confidence) / 2;
  const at = (unknown: number, p: number) => {
    const sorted = estimates.map((value) => (Number.isNaN(value) ? unknown : value)).sort();
    const position = (sorted.length - 1) * p;
    const low = sorted[Math.floor(position)] as number;
    const high = sorted[Math.ceil(position)] as number;
    const value = low === high ? low : low + (position - Math.floor(position)) * (high - low);
    return Number.isFinite(value) ? value : null;
  };
  return { lower: at(-Infinity, tail), upper: at(Infinity, 1 - tail) };
}

/**
 * Returns the positions of the values of every cluster, in the order of the clusters' first values; without clusters,
 * every value is one.
 *
 * @throws RangeError when there are not as many labels as values.
 */
export function placesByCluster(n: number, clusters?: readonly Label[]): readonly (readonly number[])[] {
  if (clusters === undefined) return Array.from({ length: n }, (_, place) => [place]);
  checkDomain(clusters.length === n, 'clusters.length', clusters.length, `${n}`);
  return [...Map.groupBy(clusters.keys(), (place) => clusters[place]).values()];
}

/** Draws as many units as there are, with replacement. */
export function drawUnits<Unit>(units: readonly Unit[], random: Random): Unit[] {
  return units.map(() => units[random.integer(units.length)] as Unit);
}
