import type { Random } from '../random.ts';

/** What is drawn together: one value, or a whole cluster of them. */
export type Unit = { readonly size: number; readonly sum: number };

/** Units drawn among themselves only, and the share of all values that they hold. */
export type DrawnStratum = { readonly share: number; readonly units: readonly Unit[] };

/**
 * Means of resamples, sorted: in each, every stratum draws as many of its units as it has, with replacement, and
 * counts with its share.
 */
export function resampledMeans(
  strata: readonly DrawnStratum[],
  resamples: number,
  random: Random,
): Float64Array {
  const means = new Float64Array(resamples);
  for (const { share, units } of strata) {
    const sums = Float64Array.from(units, ({ sum }) => sum);
    const sizes = Float64Array.from(units, ({ size }) => size);
    for (let resample = 0; resample < resamples; resample += 1) {
      means[resample] = (means[resample] as number) + share * drawMean({ sums, sizes, random });
    }
  }
  return means.sort();
}

type Draw = { readonly sums: Float64Array; readonly sizes: Float64Array; readonly random: Random };

function drawMean({ sums, sizes, random }: Draw): number {
  const count = sums.length;
  let sum = 0;
  let size = 0;
  for (let draw = 0; draw < count; draw += 1) {
    // As good as a fair whole number for counts far below 2^53, and twice as fast.
    const unit = Math.floor(random.next() * count);
    sum += sums[unit] as number;
    size += sizes[unit] as number;
  }
  return sum / size;
}
