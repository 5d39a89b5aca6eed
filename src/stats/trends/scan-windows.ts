import { createRandom, type Random } from '../random.ts';

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
  if (leastNoise === null) return (window) => scan(window, (stretch) => bestSplit(series, stretch));
  const { values } = series;
  const noise = noiseFromSteps(values, leastNoise);
  const clipped = {
    values: new Float64Array(values.length),
    standardErrors: new Float64Array(values.length).fill(1),
  };
  return (window) => {
    let sorted: number[] = [];
    return scan(window, (stretch) => {
      const { start, end } = stretch;
      if (end - start === 2) sorted = [values[end - 1] as number];
      insertSorted(sorted, values[start] as number);
      const size = noise[end] as number;
      if (size === Infinity) return noSplit(start);
      const middle = medianOfSorted(sorted);
      for (let place = start; place < end; place += 1) {
        clipped.values[place] = clip((values[place] as number) - middle, size);
      }
      return bestSplit(clipped, stretch);
    });
  };
}

const noSplit = (start: number): Split => ({ index: start + 1, z: 0 });

/** Limits a distance, in sizes of the noise, so that a single outlier does not look like a shift. */
function clip(distance: number, size: number): number {
  if (Math.abs(distance) >= farthest * size) return Math.sign(distance) * farthest;
  return distance / size;
}

/** Scans the ranges that share an end, the shortest first. */
function scan({ start, end }: Window, splitOf: (stretch: Window) => Split): Split {
  let best = noSplit(start);
  for (let last = start + 2; last <= end; last += 1) {
    for (let first = last - 2; first >= start; first -= 1) {
      const split = splitOf({ start: first, end: last });
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

/** Properties of simulated series without a shift. */
type NullSeries = {
  /** Standard errors of the values; 1 each when their common size is estimated. */
  readonly standardErrors: readonly number[];
  readonly isNoiseEstimated: boolean;
  readonly resamples: number;
  readonly seed: string | number;
};

/** The correlation of neighbours in simulated series whose noise is estimated. */
export const greatestCorrelation = 0.5;

const known = new Map<string, Float64Array>();
/** The most lengths of series that are cached. */
const mostKnown = 20;

/**
 * Returns the largest split statistics of simulated series of normal noise without a shift, in ascending order. When
 * the noise is estimated, neighbours are correlated by 0.5, which is conservative for independent values.
 */
export function nullMaxima(simulated: NullSeries): Float64Array {
  const { standardErrors, isNoiseEstimated, resamples, seed } = simulated;
  const first = standardErrors[0] as number;
  const isUniform = standardErrors.every((error) => error === first);
  if (!isUniform) return simulate(simulated);
  const key = JSON.stringify([standardErrors.length, isNoiseEstimated, resamples, seed]);
  const maxima = known.get(key) ?? simulate({ ...simulated, standardErrors: standardErrors.map(() => 1) });
  if (known.size >= mostKnown) known.clear();
  known.set(key, maxima);
  return maxima;
}

function simulate({ standardErrors, isNoiseEstimated, resamples, seed }: NullSeries): Float64Array {
  const random = createRandom(seed).fork('without a shift');
  const errors = Float64Array.from(standardErrors);
  const correlation = isNoiseEstimated ? greatestCorrelation : 0;
  const maxima = new Float64Array(resamples);
  for (let round = 0; round < resamples; round += 1) {
    const values = errors.map(correlatedNormals(random, correlation));
    const scan = createScan({ values, standardErrors: errors }, isNoiseEstimated ? 0 : null);
    maxima[round] = Math.abs(scan({ start: 0, end: values.length }).z);
  }
  return maxima.sort();
}

/** Returns a generator of a stationary autoregression of order one, scaled by the standard error of each value. */
function correlatedNormals(random: Random, correlation: number): (error: number) => number {
  let state = nextNormal(random);
  const fresh = Math.sqrt(1 - correlation ** 2);
  return (error) => {
    state = correlation * state + fresh * nextNormal(random);
    return error * state;
  };
}

/**
 * Draws a standard normal number.
 *
 * Method: G. E. P. Box & M. E. Muller, Annals of Mathematical Statistics 29 (1958).
 */
function nextNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
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

/**
 * Returns the split with the largest distance from 0; the first of equal ones. The window has at least two values. It
 * builds no list of splits, because it is called for every range of thousands of series.
 */
function bestSplit({ values, standardErrors }: WeightedSeries, { start, end }: Window): Split {
  let [weight, sum] = [0, 0];
  for (let place = start; place < end; place += 1) {
    const own = weightOf(standardErrors[place] as number);
    weight += own;
    sum += own * (values[place] as number);
  }
  const mean = sum / weight;
  let [before, excess] = [0, 0];
  let [index, z] = [start + 1, 0];
  for (let place = start; place < end - 1; place += 1) {
    const own = weightOf(standardErrors[place] as number);
    before += own;
    excess -= own * ((values[place] as number) - mean);
    const found = excess * Math.sqrt(weight / (before * (weight - before)));
    if (Math.abs(found) > Math.abs(z)) [index, z] = [place + 1, found];
  }
  return { index, z };
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
