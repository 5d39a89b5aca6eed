import { normalQuantile } from '../normal.ts';
import { studentTQuantile } from '../student-t.ts';
import type { ChangePoint } from './change-point.ts';
import { farthest, medianOfSorted, noiseFromSteps, noiseWithin } from './estimate-noise.ts';
import type { FoundSplit } from './find-splits.ts';
import { greatestCorrelation } from './null-maxima.ts';
import { splitsOf, weightedMean } from './split-window.ts';
import type { WeightedSeries, Window } from './split-window.ts';

/** How sure the statements about changes are to be. */
export type ChangeLevel = {
  readonly confidence: number;
  /** The least size of noise that is estimated; null where the standard errors are the noise. */
  readonly leastNoise: number | null;
};

/** What can be said of each shift that was found: where exactly, between which values at the widest, and by how much. */
export function describeChanges(
  raw: WeightedSeries,
  found: readonly FoundSplit[],
  { confidence, leastNoise }: ChangeLevel,
): ChangePoint[] {
  const indices = found.map(({ index }) => index);
  const segments = segmentsOf(raw, indices);
  const series = leastNoise === null ? raw : withoutOutliers(raw, segments, leastNoise);
  const noise = noiseOf(series, segments, leastNoise);
  const tail = (1 - confidence) / 2;
  const quantile =
    noise.degreesOfFreedom === null
      ? -normalQuantile(tail)
      : -studentTQuantile({ p: tail, degreesOfFreedom: noise.degreesOfFreedom });
  return found.map(({ pValue }, place) => {
    const [start, index, end] = [
      indices[place - 1] ?? 0,
      indices[place] as number,
      indices[place + 1] ?? Infinity,
    ];
    const window = { start, end: Math.min(end, series.values.length) };
    const before = weightedMean(series, { start, end: index });
    const after = weightedMean(series, { start: index, end: window.end });
    const difference = after.mean - before.mean;
    const margin = quantile * noise.scale * Math.hypot(before.standardError, after.standardError);
    const range = rangeOf(series, window, { confidence, scale: noise.scale });
    return { index, ...range, difference, lower: difference - margin, upper: difference + margin, pValue };
  });
}

function segmentsOf({ values }: WeightedSeries, indices: readonly number[]): Window[] {
  const bounds = [0, ...indices, values.length];
  return indices.concat(values.length).map((end, place) => ({ start: bounds[place] as number, end }));
}

/** Takes what lies far from the median of its segment to the farthest that it counts for, as the search does. */
function withoutOutliers(
  { values, standardErrors }: WeightedSeries,
  segments: readonly Window[],
  leastNoise: number,
): WeightedSeries {
  const reach = farthest * (noiseFromSteps(values, leastNoise)[values.length] as number);
  const kept = values.slice();
  for (const { start, end } of segments) {
    const middle = medianOfSorted([...values.slice(start, end).sort()]);
    for (let place = start; place < end; place += 1) {
      kept[place] = Math.min(Math.max(values[place] as number, middle - reach), middle + reach);
    }
  }
  return { values: kept, standardErrors };
}

function noiseOf(
  series: WeightedSeries,
  segments: readonly Window[],
  leastNoise: number | null,
): { scale: number; degreesOfFreedom: number | null } {
  if (leastNoise === null) return { scale: 1, degreesOfFreedom: null };
  const { standardDeviation, degreesOfFreedom } = noiseWithin(series, segments);
  // Means of values whose neighbours are correlated by r vary by (1 + r) / (1 − r) times as much, in variance.
  const inflation = Math.sqrt((1 + greatestCorrelation) / (1 - greatestCorrelation));
  return { scale: inflation * Math.max(standardDeviation, leastNoise), degreesOfFreedom };
}

/**
 * The first and the last place of a shift that the data speak about as loudly as about the best one, nearly.
 *
 * Method: Siegmund (1988): log likelihood within −ln(1 − √confidence) of the largest.
 */
function rangeOf(
  series: WeightedSeries,
  window: Window,
  { confidence, scale }: { readonly confidence: number; readonly scale: number },
): { earliest: number; latest: number } {
  const splits = splitsOf(series, window);
  const largest = Math.max(...splits.map(({ z }) => z * z));
  const reach = -2 * Math.log1p(-Math.sqrt(confidence)) * scale * scale;
  const near = splits.filter(({ z }) => largest - z * z <= reach).map(({ index }) => index);
  return { earliest: near[0] as number, latest: near.at(-1) as number };
}
