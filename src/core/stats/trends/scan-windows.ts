/** A function that finds the most prominent split of a window at any look. */
export type Scan = (window: Window) => Split;

/**
 * Creates a search for the split with the largest difference of means, in standard errors, of a window as it grew value
 * by value: each look is judged by what was known then, so a split found once is found again when more values follow,
 * and a shift back does not hide a shift.
 */
export function createScan(series: WeightedSeries, leastNoise: number | null): Scan {
  const startAt: Looks =
    leastNoise === null
      ? (start) => (end) => bestSplit(series, { start, end })
      : clippedLooks(series.values, leastNoise);
  return ({ start, end }) => {
    const splitAt = startAt(start);
    let best: Split = { index: start + 1, z: 0 };
    for (let last = start + 2; last <= end; last += 1) {
      const split = splitAt(last);
      if (Math.abs(split.z) > Math.abs(best.z)) best = split;
    }
    return best;
  };
}

/** Returns a function of the best splits of windows with one start, to be called for one end after the other. */
type Looks = (start: number) => (end: number) => Split;

/** Creates the looks at values in sizes of the noise around the median of those seen so far. */
function clippedLooks(values: Float64Array, leastNoise: number): Looks {
  const noise = noiseFromSteps(values, leastNoise);
  const near = new Float64Array(values.length);
  const clipped = { values: near, standardErrors: new Float64Array(values.length).fill(1) };
  return (start) => {
    const sorted = [values[start] as number];
    return (end) => {
      insertSorted(sorted, values[end - 1] as number);
      const size = noise[end] as number;
      if (size === Infinity) return { index: start + 1, z: 0 };
      const middle = medianOfSorted(sorted);
      for (let place = start; place < end; place += 1) {
        near[place] = clip((values[place] as number) - middle, size);
      }
      return bestSplit(clipped, { start, end });
    };
  };
}

/** Returns the split with the largest distance from 0; the first of equal ones. */
function bestSplit(series: WeightedSeries, window: Window): Split {
  return splitsOf(series, window).reduce((best, split) =>
    Math.abs(split.z) > Math.abs(best.z) ? split : best,
  );
}

/** Limits a distance, in sizes of the noise, so that a single outlier does not look like a shift. */
function clip(distance: number, size: number): number {
  if (Math.abs(distance) >= farthest * size) return Math.sign(distance) * farthest;
  return distance / size;
}

/** The least number of values whose steps show the noise. */
export const leastForNoise = 8;

/**
 * The farthest distance from the median, in sizes of the noise, that counts; a value farther away counts as this far.
 */
export const farthest = 4.5;

/**
 * Returns the size of the noise after each value, by the number of values up to then, from the steps between
 * neighbours; a shift affects one step, an outlier two. Infinite for too few values.
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

/** Inserts a number into numbers in ascending order. */
function insertSorted(numbers: number[], added: number): void {
  let place = numbers.length;
  numbers.push(added);
  for (; place > 0 && (numbers[place - 1] as number) > added; place -= 1) {
    numbers[place] = numbers[place - 1] as number;
  }
  numbers[place] = added;
}

/** Returns the median of at least one number in ascending order. */
export function medianOfSorted(numbers: readonly number[]): number {
  const half = numbers.length >> 1;
  const upper = numbers[half] as number;
  return numbers.length % 2 === 1 ? upper : ((numbers[half - 1] as number) + upper) / 2;
}

/** Returns the pooled standard deviation around the means of segments, with its degrees of freedom. */
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

/** Values in order, each with its standard error. */
export type WeightedSeries = {
  readonly values: Float64Array;
  /** Standard errors, or 1 each when only their common size is unknown. */
  readonly standardErrors: Float64Array;
};

/** The values from `start` up to, but not including, `end`. */
export type Window = { readonly start: number; readonly end: number };

/** The best split of a window. */
type Split = {
  /** The first value after the split. */
  readonly index: number;
  /** Weighted mean after the split minus the one before, in standard errors; signed. */
  readonly z: number;
};

/**
 * Yields every way to split a window in two, in order, with at least one value on each side; weights are inverse
 * variances.
 */
export function splitsOf({ values, standardErrors }: WeightedSeries, { start, end }: Window): Split[] {
  let [weightAfter, sumAfter] = [0, 0];
  for (let place = start; place < end; place += 1) {
    const weight = weightOf(standardErrors[place] as number);
    weightAfter += weight;
    sumAfter += weight * (values[place] as number);
  }
  const splits: Split[] = [];
  let [weightBefore, sumBefore] = [0, 0];
  for (let index = start + 1; index < end; index += 1) {
    const weight = weightOf(standardErrors[index - 1] as number);
    const weighted = weight * (values[index - 1] as number);
    weightBefore += weight;
    sumBefore += weighted;
    weightAfter -= weight;
    sumAfter -= weighted;
    const difference = sumAfter / weightAfter - sumBefore / weightBefore;
    const z = difference * Math.sqrt((weightBefore * weightAfter) / (weightBefore + weightAfter));
    splits.push({ index, z });
  }
  return splits;
}

/** Returns the weighted mean of a window with its standard error. */
export function weightedMean(
  { values, standardErrors }: WeightedSeries,
  { start, end }: Window,
): { mean: number; standardError: number } {
  let [weights, sum] = [0, 0];
  for (let place = start; place < end; place += 1) {
    const weight = weightOf(standardErrors[place] as number);
    weights += weight;
    sum += weight * (values[place] as number);
  }
  return { mean: sum / weights, standardError: weights ** -0.5 };
}

/** Returns the inverse of the variance. Two divisions are ten times faster than a power. */
function weightOf(standardError: number): number {
  return 1 / standardError / standardError;
}
