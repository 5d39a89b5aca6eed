import { weightedMean } from './split-window.ts';
import type { WeightedSeries, Window } from './split-window.ts';

/** Steps between neighbours that are left out: those of a shift up and a shift down again. */
const trimmedSteps = 2;

/** Values from which on their steps tell the noise. */
export const leastForNoise = 8;

/**
 * Size of the noise from the steps between neighbours, which a shift of the level enters once; the two largest are
 * left out. It is too small by a factor that depends on the number of values alone.
 *
 * Method: J. von Neumann, Annals of Mathematical Statistics 12 (1941): half the mean square successive difference,
 * trimmed.
 */
export function noiseFromSteps(values: Float64Array): number {
  const squares = new Float64Array(values.length - 1);
  for (let place = 0; place < squares.length; place += 1) {
    squares[place] = ((values[place + 1] as number) - (values[place] as number)) ** 2;
  }
  const kept = squares.sort().subarray(0, -trimmedSteps);
  return Math.sqrt(kept.reduce((sum, square) => sum + square, 0) / kept.length / 2);
}

/** Pooled standard deviation around the means of segments, with its degrees of freedom. */
export function noiseWithin(
  series: WeightedSeries,
  segments: readonly Window[],
): { standardDeviation: number; degreesOfFreedom: number } {
  const degreesOfFreedom = Math.max(1, series.values.length - segments.length);
  let squares = 0;
  for (const segment of segments) {
    const { mean } = weightedMean(series, segment);
    for (const value of series.values.subarray(segment.start, segment.end)) squares += (value - mean) ** 2;
  }
  return { standardDeviation: Math.sqrt(squares / degreesOfFreedom), degreesOfFreedom };
}
