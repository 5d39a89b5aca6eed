import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalQuantile } from '../normal.ts';
import { studentTQuantile } from '../student-t.ts';
import { findSplits, type FoundSplit } from './find-splits.ts';
import { greatestCorrelation } from './null-maxima.ts';
import {
  farthest,
  leastForNoise,
  medianOfSorted,
  noiseFromSteps,
  noiseWithin,
  splitsOf,
  weightedMean,
  type WeightedSeries,
  type Window,
} from './scan-windows.ts';

/** Options of {@link changePoints}: values in the order of time, and their uncertainty. */
export type ChangePointOptions = {
  readonly values: readonly number[];
  /**
   * The standard error of each value, above 0. By default, the noise has one size, which is estimated from the values.
   */
  readonly standardErrors?: readonly number[];
  /** The least size of estimated noise, in the unit of the values; 0 by default. */
  readonly leastNoise?: number;
  /** 1 minus the chance of any false mark at any look, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
  /**
   * The number of values up to which the series may grow, with a look after each, before the chance of a false mark is
   * used up; 30 by default, and never less than the number of values.
   */
  readonly looks?: number;
  /** The number of simulated series for the p-values; 1999 by default, fewer for more than 50 values. */
  readonly resamples?: number;
  /** The seed; 0 by default. */
  readonly seed?: string | number;
};

/** The properties that every search for change points states. */
export type ChangePointBasis = {
  readonly n: number;
  readonly confidence: number;
  readonly method: 'binary-segmentation';
  /** The source of the size of the noise. */
  readonly noise: 'given' | 'estimated';
  readonly looks: number;
  readonly resamples: number;
  readonly seed: string | number;
};

/** The largest value that can be squared safely. */
const largestValue = 1e150;

/** The default number of looks: a month of nightly runs. */
const defaultLooks = 30;

/** The shifts of a series in the order of time, or the reason why they cannot be searched for. */
export type ChangePoints = ChangePointBasis &
  (
    | { readonly status: 'defined'; readonly changePoints: readonly ChangePoint[] }
    | { readonly status: 'undefined'; readonly changePoints: null; readonly reason: string }
  );

/**
 * Finds where the level of a series shifts. A series without any shift that is looked at after each of `looks` values
 * is marked at any of these looks with a chance of 1 − confidence at most.
 *
 * With standard errors, the values are taken to be independent and normal with these errors; values that share a source
 * of error, such as the same questions, differ by less: then fewer shifts are found, not more. Without, the noise may
 * have neighbours that are correlated by up to 0.5 and one value in ten far out; more of either marks more.
 *
 * Method: binary segmentation (L. Y. Vostrikova, Soviet Mathematics Doklady 24 (1981)) on the largest standardised
 * difference of means (A. Sen & M. S. Srivastava, Annals of Statistics 3 (1975)) over all splits at all looks. Its
 * p-value is simulated, seeded. Where the noise is estimated, its size is the median step between neighbours, and values
 * count as at most 4.5 of these away from the median of those seen so far.
 * The range of a shift is the likelihood-ratio set of D. Siegmund, International Statistical Review 56 (1988).
 *
 * @throws RangeError when a value is not finite or larger than 1e150, a standard error is not positive and finite,
 * there are not as many as values, the least noise is negative, looks is not a whole number from 1 on, resamples is not
 * a whole number from 99 on, or confidence is not strictly between 0 and 1.
 */
export function changePoints(options: ChangePointOptions): ChangePoints {
  const { values, standardErrors, confidence = defaultConfidence, seed = 0 } = options;
  checkOptions(options);
  const looks = Math.max(values.length, options.looks ?? defaultLooks);
  const resamples = options.resamples ?? (looks <= 50 ? 1999 : 499);
  const noise = standardErrors === undefined ? 'estimated' : 'given';
  const n = values.length;
  const basis = {
    n,
    confidence,
    method: 'binary-segmentation',
    noise,
    looks,
    resamples,
    seed,
  } as const;
  const least = noise === 'given' ? 2 : leastForNoise;
  if (n < least) {
    const reason = `${n === 0 ? 'no' : n} ${n === 1 ? 'value' : 'values'}, of ${least} that it takes`;
    return { ...basis, status: 'undefined', changePoints: null, reason };
  }
  const series = {
    values: Float64Array.from(values),
    standardErrors:
      standardErrors === undefined ? new Float64Array(n).fill(1) : Float64Array.from(standardErrors),
  };
  const leastNoise = noise === 'given' ? null : (options.leastNoise ?? 0);
  const found = findSplits(series, { confidence, resamples, seed, looks, leastNoise });
  return {
    ...basis,
    status: 'defined',
    changePoints: describeChanges(series, found, { confidence, leastNoise }),
  };
}

function checkOptions(options: ChangePointOptions): void {
  const {
    values,
    standardErrors,
    confidence = defaultConfidence,
    leastNoise = 0,
    looks = defaultLooks,
    resamples = 1999,
  } = options;
  checkConfidence(confidence);
  checkDomain(leastNoise >= 0 && leastNoise < Infinity, 'leastNoise', leastNoise, 'finite and at least 0');
  const isLooks = Number.isSafeInteger(looks) && looks >= 1;
  checkDomain(isLooks, 'looks', looks, 'a whole number from 1 on');
  const isCount = Number.isSafeInteger(resamples) && resamples >= 99;
  checkDomain(isCount, 'resamples', resamples, 'a whole number from 99 on');
  for (const [place, value] of values.entries()) {
    checkDomain(Number.isFinite(value), `value ${place + 1}`, value, 'finite');
    checkDomain(Math.abs(value) <= largestValue, `value ${place + 1}`, value, 'from -1e150 to 1e150');
  }
  if (standardErrors === undefined) return;
  const { length } = standardErrors;
  checkDomain(
    length === values.length,
    'the number of standard errors',
    length,
    `the number of values (${values.length})`,
  );
  for (const [place, error] of standardErrors.entries()) {
    checkDomain(error > 0 && error < Infinity, `standard error ${place + 1}`, error, 'positive and finite');
  }
}

/** The certainty of statements about changes. */
type ChangeLevel = {
  readonly confidence: number;
  /** The least size of estimated noise; null when the standard errors are the noise. */
  readonly leastNoise: number | null;
};

/** Describes each shift that was found: its place, its range of places, and its size. */
function describeChanges(
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

/** Limits values far from the median of their segment to the farthest distance that counts, as the search does. */
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
 * Returns the first and the last place of a shift that is nearly as likely as the best one.
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

/** A place where the level of a series shifts. */
export type ChangePoint = {
  /** The first value after the shift. */
  readonly index: number;
  /** The first and the last place, both included, between which the shift lies with the confidence. */
  readonly earliest: number;
  readonly latest: number;
  /** Mean after the shift, up to the next one, minus the mean before it. */
  readonly difference: number;
  /** Confidence limits of the difference. */
  readonly lower: number;
  readonly upper: number;
  /** The p-value, corrected for all places in the series. */
  readonly pValue: number;
};
