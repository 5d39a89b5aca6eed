import { weightedMean } from './split-window.ts';
import type { WeightedSeries, Window } from './split-window.ts';

/** Values from which on their steps tell the noise. */
export const leastForNoise = 8;

/** So far beyond the middle, in sizes of the noise, a value counts; one that is farther away counts for no more. */
export const farthest = 3;

/**
 * The size of the noise as each value was added, by the number of values up to then: from the steps between
 * neighbours, which a shift enters once and a value that is far out twice. Infinite where there are too few.
 *
 * Method: median absolute successive difference, for normal values (J. von Neumann, Annals of Mathematical Statistics
 * 12 (1941), with the median in place of the mean square, as F. R. Hampel, JASA 69 (1974), takes it).
 */
export function noiseFromSteps(values: Float64Array, least: number): Float64Array {
  const sizes = new Float64Array(values.length + 1).fill(Infinity);
  const steps: number[] = [];
  for (let count = 2; count <= values.length; count += 1) {
    insertSorted(steps, Math.abs((values[count - 1] as number) - (values[count - 2] as number)));
    if (count >= leastForNoise) sizes[count] = Math.max(least, medianOfSorted(steps) / medianStep);
  }
  return sizes;
}

/** Median absolute difference of two values with a standard normal distribution: √2 Φ⁻¹(3/4). */
const medianStep = 0.9538725524141903;

/** Puts a number in its place among numbers in rising order. */
export function insertSorted(numbers: number[], added: number): void {
  let place = numbers.length;
  numbers.push(added);
  for (; place > 0 && (numbers[place - 1] as number) > added; place -= 1) {
    numbers[place] = numbers[place - 1] as number;
  }
  numbers[place] = added;
}

/** The median of numbers in rising order, at least one. */
export function medianOfSorted(numbers: readonly number[]): number {
  const half = numbers.length >> 1;
  const upper = numbers[half] as number;
  return numbers.length % 2 === 1 ? upper : ((numbers[half - 1] as number) + upper) / 2;
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
