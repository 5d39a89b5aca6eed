import { checkConfidence, checkDomain } from '../check-domain.ts';
import type { Label } from '../cluster-interval.ts';
import {
  defaultConfidence,
  type DefinedInterval,
  type IntervalBasis,
  undefinedInterval,
  type UndefinedInterval,
} from '../interval.ts';
import { createRandom } from '../random.ts';
import { drawUnits, percentileLimits, placesByCluster } from '../resampled-limits.ts';
import { kendall } from './kendall.ts';
import { productMoment } from './pearson.ts';
import { type PairedLists, spearman } from './spearman.ts';

/** Options of {@link correlationBootstrap}. */
export type CorrelationBootstrapOptions = PairedLists & {
  readonly coefficient: 'pearson' | 'spearman' | 'kendall';
  /** The unit that is drawn as a whole, at the same positions: a conversation, a user. */
  readonly clusters?: readonly Label[];
  /** The number of resamples; 2,000 by default. */
  readonly resamples?: number;
  /** The seed, 0 by default. The same seed gives the same interval. */
  readonly seed?: string | number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A correlation with its bootstrap interval, and what is needed to reproduce it. */
export type CorrelationBootstrap = IntervalBasis & {
  readonly coefficient: CorrelationBootstrapOptions['coefficient'];
  readonly resamples: number;
  readonly seed: string | number;
  /** The number of resamples in which a list did not vary; they count as beyond both limits. */
  readonly undefinedResamples: number;
  /** A warning for a report, or null. */
  readonly caution: string | null;
} & (DefinedInterval | UndefinedInterval);

/** The number of units below which no bootstrap of a correlation can be trusted. */
const fewUnits = 10;

const coefficients = {
  pearson: productMoment,
  spearman: (lists: PairedLists) => spearman(lists).value,
  kendall: (lists: PairedLists) => kendall(lists).value,
};

/**
 * Returns a correlation with an interval that assumes neither normal values nor independent pairs: whole clusters are
 * drawn. All resamples alike, as for a coefficient of ±1, show no spread and set no limits.
 *
 * Method: the percentile bootstrap over clusters (Davison & Hinkley, Bootstrap Methods (1997), section 3.8).
 *
 * @throws RangeError when lists differ in length, a value is not finite, `resamples` is not a whole number above 0, or
 * the confidence is not strictly between 0 and 1.
 */
export function correlationBootstrap(options: CorrelationBootstrapOptions): CorrelationBootstrap {
  const { a, b, coefficient, clusters, resamples = 2000, seed = 0, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(Number.isInteger(resamples) && resamples > 0, 'resamples', resamples, 'a whole number above 0');
  const compute = coefficients[coefficient];
  const estimate = compute({ a, b });
  const units = placesByCluster(a.length, clusters);
  const found =
    estimate === null ? new Float64Array(0) : resample({ a, b }, compute, { units, resamples, seed });
  const undefinedResamples = found.filter(Number.isNaN).length;
  const basis = {
    n: a.length,
    ...(clusters !== undefined && { clusters: units.length }),
    confidence,
    method: 'percentile-bootstrap',
    coefficient,
    resamples,
    seed,
    undefinedResamples,
    caution:
      units.length < fewUnits ? `only ${units.length} independent units: too few for a bootstrap` : null,
  } as const;
  if (estimate === null) {
    const reason = a.length < 2 ? 'fewer than two pairs' : 'one of the lists does not vary';
    return undefinedInterval({ ...basis, estimate, reason });
  }
  const { lower, upper } = percentileLimits(found, confidence);
  if (lower === null || upper === null) {
    return undefinedInterval({ ...basis, estimate, reason: 'too many resamples do not vary' });
  }
  if (lower === upper)
    return undefinedInterval({ ...basis, estimate, reason: 'the resamples show no spread' });
  return { ...basis, status: 'defined', estimate, lower, upper };
}

type Resampling = {
  readonly units: readonly (readonly number[])[];
  readonly resamples: number;
  readonly seed: string | number;
};

/** Returns the coefficient of every resample; NaN where there is none. */
function resample(
  { a, b }: PairedLists,
  compute: (lists: PairedLists) => number | null,
  { units, resamples, seed }: Resampling,
): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: resamples }, () => {
    const places = drawUnits(units, random).flat();
    const pick = (list: ArrayLike<number>) => Float64Array.from(places, (place) => list[place] as number);
    return compute({ a: pick(a), b: pick(b) }) ?? Number.NaN;
  });
}
