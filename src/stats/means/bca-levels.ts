import { normalCdf, normalQuantile } from '../normal.ts';
import type { DrawnStratum, Unit } from './resampled-means.ts';

type Resampling = {
  /** Resampled means as distances from the estimate, sorted. */
  readonly means: Float64Array;
  /** Units as distances from the estimate. */
  readonly strata: readonly DrawnStratum[];
  readonly confidence: number;
};

/** Relative to the largest distance: below it a resample is as good as the estimate. */
const TIE = 1e-12;

/**
 * The shares of resampled means below the two limits of a BCa interval, or null when all resampled means lie on
 * one side of the estimate.
 *
 * Method: Efron & Tibshirani, An Introduction to the Bootstrap (1993), eqs. 14.9 to 14.15.
 */
export function bcaLevels({
  means,
  strata,
  confidence,
}: Resampling): { lower: number; upper: number } | null {
  const bias = normalQuantile(shareBelow(means));
  if (!Number.isFinite(bias)) return null;
  const a = acceleration(strata);
  const level = (z: number) => normalCdf(bias + (bias + z) / (1 - a * (bias + z)));
  const z = -normalQuantile((1 - confidence) / 2);
  return { lower: level(-z), upper: level(z) };
}

/** Share of resampled means below the estimate, ties counting half. */
function shareBelow(means: Float64Array): number {
  const largest = Math.max(-(means[0] as number), means.at(-1) as number);
  let twice = 0;
  for (const mean of means) {
    if (mean < -TIE * largest) twice += 2;
    else if (mean <= TIE * largest) twice += 1;
  }
  return twice / (2 * means.length);
}

/**
 * Σ u³ / (6 (Σ u²)^1.5) over the influences u of the units. Within one stratum they are Efron's jackknife
 * differences; several strata are joined as in Davison & Hinkley, Bootstrap Methods (1997), section 5.3.2.
 */
function acceleration(strata: readonly DrawnStratum[]): number {
  let squares = 0;
  let cubes = 0;
  for (const u of strata.flatMap(influencesOf)) {
    squares += u ** 2;
    cubes += u ** 3;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** How far leaving a unit out moves the mean of its stratum from the average of such means, times its share. */
function influencesOf({ share, units }: DrawnStratum): number[] {
  const totalOf = (field: keyof Unit) => units.reduce((sum, unit) => sum + unit[field], 0);
  const [sum, size] = [totalOf('sum'), totalOf('size')];
  const left = units.map((unit) => (sum - unit.sum) / (size - unit.size));
  const average = left.reduce((total, mean) => total + mean, 0) / units.length;
  const scale = (share * (units.length - 1)) / units.length;
  return left.map((mean) => scale * (average - mean));
}
