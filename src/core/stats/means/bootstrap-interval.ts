import { checkConfidence, checkDomain } from '../check-domain.ts';
import { groupByCluster, type Label } from '../cluster-interval.ts';
import {
  defaultConfidence,
  type DefinedInterval,
  type IntervalBasis,
  undefinedInterval,
  type UndefinedInterval,
} from '../interval.ts';
import { momentsOf } from '../moments.ts';
import { normalCdf, normalQuantile } from '../normal.ts';
import { quantile } from '../quantile.ts';
import { createRandom, type Random } from '../random.ts';

/** Options of {@link bootstrapInterval}. */
export type BootstrapOptions = {
  readonly values: readonly number[];
  /** The unit that is drawn as a whole, at the same positions: a source document, a conversation. */
  readonly clusters?: readonly (string | number)[];
  /** The category within which units are drawn, at the same positions, so that each category keeps its share. */
  readonly strata?: readonly (string | number)[];
  /** `bca` (corrected for bias and skew) by default. */
  readonly method?: 'bca' | 'percentile';
  /** The number of resamples, 10,000 by default; BCa's extreme quantiles need about as many. */
  readonly resamples?: number;
  /** The seed, 0 by default. The same seed gives the same interval. */
  readonly seed?: string | number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

type BootstrapBasis = IntervalBasis & {
  readonly resamples: number;
  readonly seed: string | number;
  /** A warning for a report, or null. */
  readonly caution: string | null;
};

/** An interval from resampling, with what is needed to reproduce it. */
export type BootstrapInterval = BootstrapBasis & (DefinedInterval | UndefinedInterval);

/** The number of units below which no bootstrap of a mean can be trusted. */
/** The largest distance from the mean: the acceleration takes cubes of distances. */
const LARGEST = 1e100;
const FEW_UNITS = 10;

/**
 * Returns the bootstrap interval of a mean, for few or skewed values. The values must be question means, never single
 * repeats. For pass and fail it has no advantage over {@link wilsonInterval}. Equal values, and a category of one
 * value, show no spread and have no interval.
 *
 * Method: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987): BCa, or the percentile interval; both take
 * quantiles of type 7. Ties with the estimate count half in the bias correction; the acceleration comes from the
 * jackknife over units.
 *
 * @throws RangeError when arrays differ in length, a value is not finite, a cluster lies in two categories, `resamples`
 * is not a whole number above 0, or the confidence is not strictly between 0 and 1.
 */
export function bootstrapInterval(options: BootstrapOptions): BootstrapInterval {
  const { values, resamples = 10_000, seed = 0, confidence = defaultConfidence, method = 'bca' } = options;
  checkConfidence(confidence);
  checkDomain(Number.isInteger(resamples) && resamples > 0, 'resamples', resamples, 'a whole number above 0');
  const { mean, n } = momentsOf(values);
  const isTooLarge = values.every(Number.isFinite) && values.some((value) => Math.abs(value) > LARGEST);
  const strata = unitsOf({ ...options, origin: isTooLarge ? 0 : mean });
  const units = strata.reduce((sum, stratum) => sum + stratum.units.length, 0);
  const basis: BootstrapBasis = {
    n,
    ...(options.clusters === undefined ? {} : { clusters: units }),
    confidence,
    method: method === 'bca' ? 'bca-bootstrap' : 'percentile-bootstrap',
    resamples,
    seed,
    caution: units < FEW_UNITS ? `only ${units} independent values: too few for a bootstrap` : null,
  };
  if (n === 0) return undefinedInterval({ ...basis, estimate: null, reason: 'no values' });
  if (isTooLarge) {
    const estimate = Number.isFinite(mean) ? mean : null;
    return undefinedInterval({ ...basis, estimate, reason: 'values are too large to cube' });
  }
  const limits = resampledLimits(strata, basis);
  if ('reason' in limits) return undefinedInterval({ ...basis, estimate: mean, ...limits });
  return {
    ...basis,
    status: 'defined',
    estimate: mean,
    lower: mean + limits.lower,
    upper: mean + limits.upper,
  };
}

/** Returns the limits as distances from the mean. */
function resampledLimits(
  strata: readonly DrawnStratum[],
  { confidence, method, resamples, seed }: BootstrapBasis,
): { lower: number; upper: number } | { reason: string } {
  if (strata.some(({ units }) => units.length === 1)) {
    const single = strata.length === 1 ? 'a single independent value' : 'a category with a single value';
    return { reason: `${single} shows no spread` };
  }
  const means = resampledMeans(strata, resamples, createRandom(seed));
  const tails = { lower: (1 - confidence) / 2, upper: (1 + confidence) / 2 };
  const levels = method === 'bca-bootstrap' ? bcaLevels({ means, strata, confidence }) : tails;
  if (levels === null || means[0] === means[resamples - 1]) {
    return { reason: 'the values do not vary enough to be resampled' };
  }
  const at = (p: number) => quantile({ values: means, p, method: 'linear' }).value as number;
  return { lower: at(levels.lower), upper: at(levels.upper) };
}

type Grouping = {
  readonly values: readonly number[];
  readonly clusters?: readonly Label[];
  readonly strata?: readonly Label[];
  /** The number subtracted from every value. */
  readonly origin: number;
};

/**
 * Groups values, as distances from an origin, by category and, within it, by cluster; without clusters every value is a
 * unit of its own.
 *
 * @throws RangeError when arrays differ in length or a cluster lies in two categories.
 */
function unitsOf({ values, clusters, strata, origin }: Grouping): DrawnStratum[] {
  const n = values.length;
  const lengths = { clusters: clusters?.length ?? n, strata: strata?.length ?? n };
  for (const [name, length] of Object.entries(lengths)) {
    checkDomain(length === n, `${name}.length`, length, `${n}`);
  }
  const places = Map.groupBy(values.keys(), (place) => strata?.[place]);
  const found = Array.from(places.values(), (inside) => {
    const distances = inside.map((place) => (values[place] as number) - origin);
    const labels = inside.map((place) => clusters?.[place] ?? place);
    return { share: inside.length / n, units: groupByCluster(distances, labels) };
  });
  if (clusters !== undefined) {
    const count = found.reduce((sum, { units }) => sum + units.length, 0);
    checkDomain(count === new Set(clusters).size, 'a cluster', 'in two categories', 'in one');
  }
  return found;
}

type Resampling = {
  /** The resampled means as distances from the estimate, sorted. */
  readonly means: Float64Array;
  /** The units as distances from the estimate. */
  readonly strata: readonly DrawnStratum[];
  readonly confidence: number;
};

/** The distance below which a resample equals the estimate, relative to the largest distance. */
const TIE = 1e-12;

/**
 * Returns the shares of resampled means below the two limits of a BCa interval, or null when all resampled means lie on
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

/** Returns the share of resampled means below the estimate, ties counting half. */
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
 * Returns Σ u³ / (6 (Σ u²)^1.5) over the influences u of the units. Within one stratum they are Efron's jackknife
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

/**
 * Returns, for each unit, the difference between the average mean of its stratum without one unit and the mean without
 * this unit, times the share of the stratum.
 */
function influencesOf({ share, units }: DrawnStratum): number[] {
  const totalOf = (field: keyof Unit) => units.reduce((sum, unit) => sum + unit[field], 0);
  const [sum, size] = [totalOf('sum'), totalOf('size')];
  const left = units.map((unit) => (sum - unit.sum) / (size - unit.size));
  const average = left.reduce((total, mean) => total + mean, 0) / units.length;
  const scale = (share * (units.length - 1)) / units.length;
  return left.map((mean) => scale * (average - mean));
}

/** The unit of drawing: one value, or a whole cluster of values. */
type Unit = { readonly size: number; readonly sum: number };

/** Units that are drawn only among themselves, and their share of all values. */
type DrawnStratum = { readonly share: number; readonly units: readonly Unit[] };

/**
 * Returns the means of resamples, sorted: in each, every stratum draws as many of its units as it has, with
 * replacement, and counts with its share.
 */
function resampledMeans(strata: readonly DrawnStratum[], resamples: number, random: Random): Float64Array {
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
    // As good as an unbiased whole number for counts far below 2^53, and twice as fast.
    const unit = Math.floor(random.next() * count);
    sum += sums[unit] as number;
    size += sizes[unit] as number;
  }
  return sum / size;
}
