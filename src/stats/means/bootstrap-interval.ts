import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence, undefinedInterval } from '../interval.ts';
import type { DefinedInterval, IntervalBasis, UndefinedInterval } from '../interval.ts';
import { momentsOf } from '../moments.ts';
import { quantile } from '../quantile.ts';
import { createRandom } from '../random.ts';
import { bcaLevels } from './bca-levels.ts';
import { resampledMeans } from './resampled-means.ts';
import type { DrawnStratum } from './resampled-means.ts';
import { unitsOf } from './units-of.ts';

/** Values to resample, and how. */
export type BootstrapOptions = {
  readonly values: readonly number[];
  /** At the same positions, what is drawn together as a whole: a source document, a conversation. */
  readonly clusters?: readonly (string | number)[];
  /** At the same positions, the category within which is drawn, so that each keeps its share. */
  readonly strata?: readonly (string | number)[];
  /** `bca` (corrected for bias and skew) when not given. */
  readonly method?: 'bca' | 'percentile';
  /** 10,000 when not given; BCa's far quantiles need about as many. */
  readonly resamples?: number;
  /** 0 when not given. The same seed gives the same interval. */
  readonly seed?: string | number;
  /** Confidence level, strictly between 0 and 1; 0.95 when not given. */
  readonly confidence?: number;
};

type BootstrapBasis = IntervalBasis & {
  readonly resamples: number;
  readonly seed: string | number;
  /** A warning fit for a report, or null. */
  readonly caution: string | null;
};

/** An interval made by resampling, with what it takes to make it again. */
export type BootstrapInterval = BootstrapBasis & (DefinedInterval | UndefinedInterval);

/** Below so many units no bootstrap of a mean can be trusted. */
/** The acceleration takes the cube of distances. */
const LARGEST = 1e100;
const FEW_UNITS = 10;

/**
 * Bootstrap interval for a mean, for few or skewed values. Give question means, never single repeats. For pass and
 * fail it adds nothing to {@link wilsonInterval}. Equal values, and a category of one value, show no spread and
 * have no interval.
 *
 * Method: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987): BCa, or the percentile interval; both
 * take quantiles of type 7. Ties with the estimate count half in the bias correction; the acceleration comes from
 * the jackknife over units.
 *
 * @throws RangeError when arrays differ in length, a value is not finite, a cluster lies in two categories,
 * `resamples` is not a whole number above 0, or the confidence is not strictly between 0 and 1.
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

/** The limits as distances from the mean. */
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
