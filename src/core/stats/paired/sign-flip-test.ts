import { checkDomain } from '../check-domain.ts';
import { groupByCluster } from '../cluster-interval.ts';
import { momentsOf } from '../moments.ts';
import { createRandom } from '../random.ts';
import { differencesOf, type PairedValues } from './differences.ts';

/** Options of {@link signFlipTest}. */
export type SignFlipOptions = PairedValues & {
  /**
   * The cluster of each question at the same positions, when questions depend on each other. A cluster is flipped as a
   * whole.
   */
  readonly clusters?: readonly (string | number)[];
  /** The number of random flips when there are too many patterns to try all; 10,000 by default. */
  readonly resamples?: number;
  /** The seed, 0 by default. The same seed gives the same p-value. */
  readonly seed?: string | number;
};

/** The result of a sign-flip test, or the reason why there is none. */
export type SignFlipTest = {
  /** The number of differences. */
  readonly n: number;
  /** The number of distinct clusters, when given. */
  readonly clusters?: number;
  readonly method: 'sign-flip-exact' | 'sign-flip-random';
  /** The number of sign patterns tried: all of them, or the random ones. */
  readonly resamples: number;
  /** The seed; null when all patterns were tried, because nothing was random. */
  readonly seed: string | number | null;
} & (
  | { readonly status: 'defined'; readonly estimate: number; readonly pValue: number }
  | { readonly status: 'undefined'; readonly estimate: null; readonly pValue: null; readonly reason: string }
);

/** The most units other than 0 for which all sign patterns are tried. */
const MOST_EXACT = 20;

/** The tolerance for equal sums, relative to the sum of all distances. */
const TIE = 1e-12;

/**
 * Tests two bots on the same questions by permutation, two-sided: if they do not differ, each difference could as well
 * have had the other sign. If all differences are 0, p is 1.
 *
 * Method: R. A. Fisher, The Design of Experiments (1935), section 21. For up to 20 differences (or clusters) other than
 * 0 all sign patterns are counted; for more, p = (hits + 1) / (flips + 1) of random ones (Phipson & Smyth, Statistical
 * Applications in Genetics and Molecular Biology 9 (2010)).
 *
 * @throws RangeError when lists differ in length, a value is not finite, or `resamples` is not a whole number above 0.
 */
export function signFlipTest(options: SignFlipOptions): SignFlipTest {
  const { resamples = 10_000, seed = 0 } = options;
  checkDomain(Number.isInteger(resamples) && resamples > 0, 'resamples', resamples, 'a whole number above 0');
  const differences = differencesOf(options);
  const { n, mean: estimate } = momentsOf(differences);
  const sums = unitSums(differences, options.clusters);
  const units = Float64Array.from(sums.filter((sum) => sum !== 0));
  const isExact = units.length <= MOST_EXACT;
  const basis = {
    n,
    ...(options.clusters === undefined ? {} : { clusters: sums.length }),
    method: isExact ? 'sign-flip-exact' : 'sign-flip-random',
    resamples: isExact ? 2 ** units.length : resamples,
    seed: isExact ? null : seed,
  } as const;
  if (n === 0) return { ...basis, status: 'undefined', estimate: null, pValue: null, reason: 'no values' };
  const least = leastExtreme(units);
  if (!Number.isFinite(estimate) || !Number.isFinite(least)) {
    const reason = 'differences are too large to add';
    return { ...basis, status: 'undefined', estimate: null, pValue: null, reason };
  }
  const pValue = isExact
    ? countExtremePatterns(units, least) / basis.resamples
    : (countRandomHits({ units, least, resamples, seed }) + 1) / (resamples + 1);
  return { ...basis, status: 'defined', estimate, pValue };
}

function unitSums(values: readonly number[], clusters: SignFlipOptions['clusters']): readonly number[] {
  return clusters === undefined ? values : groupByCluster(values, clusters).map(({ sum }) => sum);
}

/** Returns the |sum| from which a pattern is as extreme as the one observed, allowing for rounding. */
function leastExtreme(units: Float64Array): number {
  const total = units.reduce((sum, unit) => sum + unit, 0);
  const scale = units.reduce((sum, unit) => sum + Math.abs(unit), 0);
  return Math.abs(total) - TIE * scale;
}

type Flips = Required<Pick<SignFlipOptions, 'resamples' | 'seed'>> & {
  readonly units: Float64Array;
  readonly least: number;
};

function countRandomHits({ units, least, resamples, seed }: Flips): number {
  const random = createRandom(seed);
  let hits = 0;
  for (let flip = 0; flip < resamples; flip += 1) {
    let sum = 0;
    let signs = 0;
    for (let place = 0; place < units.length; place += 1) {
      signs = place % 32 === 0 ? random.integer(2 ** 32) : signs >>> 1;
      sum += (signs & 1) === 0 ? (units[place] as number) : -(units[place] as number);
    }
    if (Math.abs(sum) >= least) hits += 1;
  }
  return hits;
}

/** Counts the patterns of signs, of 2^n, whose sum is at least `least` away from 0. */
function countExtremePatterns(units: Float64Array, least: number): number {
  const countFrom = (place: number, sum: number): number => {
    if (place === units.length) return Math.abs(sum) >= least ? 1 : 0;
    const unit = units[place] as number;
    return countFrom(place + 1, sum + unit) + countFrom(place + 1, sum - unit);
  };
  return countFrom(0, 0);
}
