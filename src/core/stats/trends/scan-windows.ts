/** A function that finds the most prominent split of any part of a window. */
export type Scan = (window: Window) => Split;

/**
 * Creates a search through every range of neighbouring values for the split with the largest difference of means, in
 * standard errors. Each range is judged by what was known when its last value arrived, so a split found once is found
 * again when more values follow, and a shift back does not hide a shift.
 *
 * Method: all intervals of wild binary segmentation (P. Fryzlewicz, Annals of Statistics 42 (2014)).
 */
export function createScan(series: WeightedSeries, leastNoise: number | null): Scan {
  const ranges = leastNoise === null ? rangesOf(series) : clippedRangesOf(series.values, leastNoise);
  return (window) => scan(window, ranges);
}

/** The ranges of values that share an end, each longer by one value at its start than the one before. */
interface Ranges {
  /** Begins with the range of the last value alone. */
  begin(end: number): void;
  /** Adds the value before the range. Returns a limit that no split of the range exceeds, in standard errors. */
  extend(start: number): number;
  /** Returns the best split of the range. */
  split(window: Window): Split;
}

/** Creates the ranges of values with known standard errors. */
function rangesOf({ values, standardErrors }: WeightedSeries): Ranges {
  const weighted = { values, weights: standardErrors.map(weightOf) };
  const reach = createReach(weighted);
  return {
    begin: () => reach.forget(),
    extend: (start) => reach.extend(start, 0),
    split(window) {
      const split = bestSplit(weighted, window);
      reach.remember(split, window);
      return split;
    },
  };
}

/** Creates the ranges of values in sizes of the noise around the median of the range. */
function clippedRangesOf(values: Float64Array, leastNoise: number): Ranges {
  const noise = noiseFromSteps(values, leastNoise);
  const clipped = {
    values: new Float64Array(values.length),
    weights: new Float64Array(values.length).fill(1),
  };
  const reach = createReach(clipped);
  let sorted: number[] = [];
  /** The size of the noise, the median of the range, and that around which values are clipped now. */
  let [size, middle, centre] = [Infinity, 0, 0];
  const clipAt = (place: number): void => {
    clipped.values[place] = clip((values[place] as number) - centre, size);
  };
  return {
    begin(end) {
      reach.forget();
      sorted = [values[end - 1] as number];
      size = noise[end] as number;
    },
    extend(start) {
      if (size === Infinity) return 0;
      insertSorted(sorted, values[start] as number);
      middle = medianOfSorted(sorted);
      clipAt(start);
      return reach.extend(start, Math.abs(middle - centre) / size);
    },
    split(window) {
      if (size === Infinity) return noSplit(window.start);
      centre = middle;
      for (let place = window.start; place < window.end; place += 1) clipAt(place);
      const split = bestSplit(clipped, window);
      reach.remember(split, window);
      return split;
    },
  };
}

/** The way from the best split of one range to a limit for those of longer ones. */
interface Reach {
  forget(): void;
  /** Keeps the best split of a range, and its mean. */
  remember(split: MeanSplit, window: Window): void;
  /** Adds a value; all values may have been moved by up to a distance, in standard errors, each in the same direction. */
  extend(start: number, moved: number): number;
}

/**
 * Creates the limit that spares most ranges their search for a split. A split is a projection of the values on a unit
 * vector. For a longer range, the part of this vector within the shorter one is a constant, which the mean removes, and
 * at most the vector of a split there. So the square of a split grows by at most the squares of the added values around
 * the mean of the shorter range. Values that move by between 0 and a distance change a projection by at most half of it
 * times the root of their number.
 */
function createReach({ values, weights }: WeightedValues): Reach {
  let [best, mean, size, squares, added] = [Infinity, 0, 0, 0, 0];
  return {
    forget() {
      best = Infinity;
    },
    remember(split, { start, end }) {
      best = Math.abs(split.z);
      mean = split.mean;
      size = end - start;
      squares = 0;
      added = 0;
    },
    extend(start, moved) {
      squares += (weights[start] as number) * ((values[start] as number) - mean) ** 2;
      added += 1;
      const within = best + (moved / 2) * Math.sqrt(size);
      const beyond = Math.sqrt(squares) + moved * Math.sqrt(added);
      return Math.sqrt(within * within + beyond * beyond) * (1 + rounding) + rounding;
    },
  };
}

/** More than the rounding of a limit, relative and in standard errors. */
const rounding = 1e-9;

const noSplit = (start: number): Split => ({ index: start + 1, z: 0 });

/** Limits a distance, in sizes of the noise, so that a single outlier does not look like a shift. */
function clip(distance: number, size: number): number {
  if (Math.abs(distance) >= farthest * size) return Math.sign(distance) * farthest;
  return distance / size;
}

/** Scans the ranges that share an end, the shortest first, but for those that cannot have a better split. */
function scan({ start, end }: Window, ranges: Ranges): Split {
  let best = noSplit(start);
  for (let last = start + 2; last <= end; last += 1) {
    ranges.begin(last);
    for (let first = last - 2; first >= start; first -= 1) {
      if (ranges.extend(first) < Math.abs(best.z)) continue;
      const split = ranges.split({ start: first, end: last });
      if (Math.abs(split.z) > Math.abs(best.z)) best = split;
    }
  }
  return best;
}

/** The least number of values whose steps show the noise. */
export const leastForNoise = 8;

/**
 * The farthest distance from the median, in sizes of the noise, that counts; a value farther away counts as this far.
 */
export const farthest = 3;

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

/** Values in order, each with its weight, the inverse of its variance. */
type WeightedValues = { readonly values: Float64Array; readonly weights: Float64Array };

/** The best split of a window, with the weighted mean of the window. */
type MeanSplit = Split & { readonly mean: number };

/**
 * Returns the split with the largest distance from 0; the first of equal ones. The window has at least two values. It
 * builds no list of splits, because it is called for many ranges of thousands of series.
 */
function bestSplit({ values, weights }: WeightedValues, { start, end }: Window): MeanSplit {
  let [weight, sum] = [0, 0];
  for (let place = start; place < end; place += 1) {
    const own = weights[place] as number;
    weight += own;
    sum += own * (values[place] as number);
  }
  const mean = sum / weight;
  let [before, excess] = [0, 0];
  let [index, z] = [start + 1, 0];
  for (let place = start; place < end - 1; place += 1) {
    const own = weights[place] as number;
    before += own;
    excess -= own * ((values[place] as number) - mean);
    const found = excess * Math.sqrt(weight / (before * (weight - before)));
    if (Math.abs(found) > Math.abs(z)) [index, z] = [place + 1, found];
  }
  return { index, z, mean };
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
