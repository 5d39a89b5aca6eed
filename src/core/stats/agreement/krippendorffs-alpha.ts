import { checkConfidence, checkDomain } from '../check-domain.ts';
import {
  defaultConfidence,
  type DefinedInterval,
  type IntervalBasis,
  undefinedInterval,
  type UndefinedInterval,
} from '../interval.ts';
import { quantile } from '../quantile.ts';
import { createRandom } from '../random.ts';
import { type Category, type RatedItems, ratingProfiles } from './rating-table.ts';

/** The scale of ratings: it decides how far two categories differ. */
export type RatingScale = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/** Options of {@link krippendorffsAlpha}. */
export type AlphaOptions = RatedItems & {
  /** `nominal` by default. `interval` and `ratio` need numbers, `ordinal` categories in the order of the scale. */
  readonly scale?: RatingScale;
  /** The number of resamples, 10,000 by default; 0 for none. */
  readonly resamples?: number;
  /** The seed, 0 by default. The same seed gives the same interval. */
  readonly seed?: string | number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** Krippendorff's alpha with its bootstrap interval, or the reason why there is none; `n` is the number of items used. */
export type Alpha = IntervalBasis & {
  /** The number of items with fewer than two ratings, which are ignored. */
  readonly leftOut: number;
  readonly resamples: number;
  readonly seed: string | number;
} & (DefinedInterval | UndefinedInterval);

/** The largest share of resamples without a value with which the others still give an interval. */
const mostUndefined = 0.05;

/**
 * Measures the reliability of any number of raters, some of whom may not have rated every item: 1 without disagreement,
 * 0 for what chance gives. When all ratings are alike it is undefined, never 1.
 *
 * Method: K. Krippendorff, Content Analysis (2004), ch. 11: 1 − D_o / D_e over the pairs of ratings of items with at
 * least two; the percentile bootstrap draws items. Resamples in which all ratings are alike have no alpha and are left
 * out; there is no interval if they are more than 5 %.
 *
 * @throws RangeError when a rating does not fit the scale or the categories, `resamples` is not a whole number of at
 * least 0, or the confidence is not strictly between 0 and 1.
 */
export function krippendorffsAlpha(options: AlphaOptions): Alpha {
  const { scale = 'nominal', resamples = 10_000, seed = 0, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(
    Number.isInteger(resamples) && resamples >= 0,
    'resamples',
    resamples,
    'a whole number of at least 0',
  );
  const { categories, profiles, profileOfItem } = ratingProfiles(options);
  const items = profileOfItem.filter((place) => (profiles[place]?.ratings ?? 0) >= 2);
  const leftOut = options.ratings.length - items.length;
  const basis = {
    n: items.length,
    leftOut,
    confidence,
    method: 'percentile-bootstrap',
    resamples,
    seed,
  } as const;
  const alphaOf = createAlpha(
    profiles.map(({ counts }) => counts),
    distancesOn(scale, categories),
  );
  if (items.length === 0)
    return undefinedInterval({ ...basis, estimate: null, reason: 'no item has two ratings' });
  const estimate = alphaOf(tally(profiles.length, items.length, (place) => items[place] as number));
  if (estimate === null) return undefinedInterval({ ...basis, estimate, reason: 'all ratings are alike' });
  if (resamples === 0) return undefinedInterval({ ...basis, estimate, reason: 'nothing was resampled' });
  const random = createRandom(seed);
  const drawn: number[] = [];
  for (let resample = 0; resample < resamples; resample += 1) {
    const draw = () => items[Math.floor(random.next() * items.length)] as number;
    const alpha = alphaOf(tally(profiles.length, items.length, draw));
    if (alpha !== null) drawn.push(alpha);
  }
  const reason = reasonOfNone(drawn, resamples);
  if (reason !== null) return undefinedInterval({ ...basis, estimate, reason });
  const at = (p: number) => quantile({ values: drawn, p, method: 'linear' }).value as number;
  return {
    ...basis,
    status: 'defined',
    estimate,
    lower: at((1 - confidence) / 2),
    upper: at((1 + confidence) / 2),
  };
}

function reasonOfNone(drawn: readonly number[], resamples: number): string | null {
  if (resamples - drawn.length > mostUndefined * resamples) {
    return 'in more than 5 % of the resamples all ratings are alike';
  }
  return drawn.every((alpha) => alpha === drawn[0]) ? 'the agreement does not vary between items' : null;
}

/** Counts how often each profile was drawn. */
function tally(profiles: number, items: number, draw: (place: number) => number): Float64Array {
  const times = new Float64Array(profiles);
  for (let place = 0; place < items; place += 1) {
    const profile = draw(place);
    times[profile] = (times[profile] as number) + 1;
  }
  return times;
}

/** Computes the squared distances of categories, from how often each was chosen, row by row. */
type Distances = (totals: Float64Array) => Float64Array;

function distancesOn(scale: RatingScale, categories: readonly Category[]): Distances {
  const size = categories.length;
  if (scale === 'ordinal') return (totals) => squaredDistances(midRanksOf(totals), (a, b) => a - b);
  if (scale === 'nominal') {
    const fixed = squaredDistances(
      categories.map((_, place) => place),
      (a, b) => (a === b ? 0 : 1),
    );
    return () => fixed;
  }
  const numbers = categories.map((category) => {
    checkDomain(
      typeof category === 'number' && Number.isFinite(category),
      'a rating',
      category,
      'a finite number',
    );
    return category as number;
  });
  if (scale === 'ratio') {
    checkDomain(
      numbers.every((value) => value >= 0),
      'a rating',
      Math.min(...numbers),
      'at least 0 on a ratio scale',
    );
  }
  const ratio = (a: number, b: number) => (a === b ? 0 : (a - b) / (a + b));
  const fixed =
    size === 0 ? new Float64Array(0) : squaredDistances(numbers, scale === 'ratio' ? ratio : (a, b) => a - b);
  return () => fixed;
}

function squaredDistances(
  values: readonly number[],
  difference: (a: number, b: number) => number,
): Float64Array {
  return Float64Array.from(values.flatMap((a) => values.map((b) => difference(a, b) ** 2)));
}

/** Returns the mean rank of each category: Krippendorff's ordinal distance is the difference of these ranks. */
function midRanksOf(totals: Float64Array): number[] {
  let below = 0;
  return Array.from(totals, (total) => {
    const rank = below + total / 2;
    below += total;
    return rank;
  });
}

/** Returns the function that computes alpha from how often each profile occurs; null when all ratings are alike. */
function createAlpha(
  profiles: readonly (readonly number[])[],
  distancesOf: Distances,
): (times: Float64Array) => number | null {
  const size = profiles[0]?.length ?? 0;
  const ratings = profiles.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  return (times) => {
    const totals = new Float64Array(size);
    const pairs = new Float64Array(size * size);
    for (const [place, counts] of profiles.entries()) {
      const weight = times[place] as number;
      const of = ratings[place] as number;
      if (weight > 0 && of >= 2) addPairs({ counts, weight, of, totals, pairs });
    }
    const distances = distancesOf(totals);
    const n = totals.reduce((sum, total) => sum + total, 0);
    let [observed, expected] = [0, 0];
    for (let i = 0; i < size; i += 1) {
      for (let j = 0; j < size; j += 1) {
        const distance = distances[i * size + j] as number;
        observed += (pairs[i * size + j] as number) * distance;
        expected += (totals[i] as number) * (totals[j] as number) * distance;
      }
    }
    return expected === 0 ? null : 1 - ((n - 1) * observed) / expected;
  };
}

type PairsOfProfile = {
  readonly counts: readonly number[];
  /** The number of times that the profile occurs. */
  readonly weight: number;
  /** The number of ratings of an item. */
  readonly of: number;
  readonly totals: Float64Array;
  readonly pairs: Float64Array;
};

function addPairs({ counts, weight, of, totals, pairs }: PairsOfProfile): void {
  const size = counts.length;
  for (let i = 0; i < size; i += 1) {
    const first = counts[i] as number;
    if (first === 0) continue;
    totals[i] = (totals[i] as number) + weight * first;
    for (let j = 0; j < size; j += 1) {
      const second = (counts[j] as number) - (i === j ? 1 : 0);
      pairs[i * size + j] = (pairs[i * size + j] as number) + (weight * first * second) / (of - 1);
    }
  }
}
