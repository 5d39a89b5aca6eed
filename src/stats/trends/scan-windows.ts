import { createRandom, type Random } from '../random.ts';

/** Finds the split of any part of a window that stands out most. */
export type Scan = (window: Window) => Split;

/**
 * Looks through every stretch of neighbouring values for the split with the largest difference of means, in standard
 * errors. Each stretch is judged by what was known when its last value came, so what was seen once is seen again when
 * more values follow, and a shift back does not hide a shift.
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

/** A distance in sizes of the noise, cut off so that a single value that is far out does not look like a shift. */
function clip(distance: number, size: number): number {
  if (Math.abs(distance) >= farthest * size) return Math.sign(distance) * farthest;
  return distance / size;
}

/** The stretches with one end in turn, the shortest first. */
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
function insertSorted(numbers: number[], added: number): void {
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

/** What series without a shift are like. */
type NullSeries = {
  /** Standard errors of the values; 1 each where their common size is estimated. */
  readonly standardErrors: readonly number[];
  readonly isNoiseEstimated: boolean;
  readonly resamples: number;
  readonly seed: string | number;
};

/** Correlation of neighbours that series whose noise is estimated are simulated with. */
export const greatestCorrelation = 0.5;

const known = new Map<string, Float64Array>();
/** Series of different lengths that are looked at together, and no more. */
const mostKnown = 20;

/**
 * The splits that stand out most in simulated series of normal noise without any shift, in rising order. Where the noise
 * is estimated, neighbours are correlated by 0.5: what stands out less among values that do not depend on each other.
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

/** Gives the next value of a stationary autoregression of order one, scaled by its standard error. */
function correlatedNormals(random: Random, correlation: number): (error: number) => number {
  let state = nextNormal(random);
  const fresh = Math.sqrt(1 - correlation ** 2);
  return (error) => {
    state = correlation * state + fresh * nextNormal(random);
    return error * state;
  };
}

/** Method: G. E. P. Box & M. E. Muller, Annals of Mathematical Statistics 29 (1958). */
function nextNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** Values in order, each with its standard error. */
export type WeightedSeries = {
  readonly values: Float64Array;
  /** Standard errors, or 1 each where only their common size is unknown. */
  readonly standardErrors: Float64Array;
};

/** The values from `start` up to, but not including, `end`. */
export type Window = { readonly start: number; readonly end: number };

/** Where a window falls apart best. */
type Split = {
  /** The first value after the split. */
  readonly index: number;
  /** Weighted mean after the split minus the one before, in standard errors; signed. */
  readonly z: number;
};

/** Every way to split a window in two, in order, each side at least one value; weights are inverse variances. */
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
 * The split with the largest distance from 0; the first of equals. The window has two values or more. It makes no list
 * of all splits, since it is asked of every stretch of thousands of series.
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

/** Weighted mean of a window with its standard error. */
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

/** The inverse of the variance. Two divisions: a power takes ten times as long. */
function weightOf(standardError: number): number {
  return 1 / standardError / standardError;
}
