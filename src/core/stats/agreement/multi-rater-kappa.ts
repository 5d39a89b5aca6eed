import { checkConfidence } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { studentInterval, type StudentInterval, undefinedStudentInterval } from '../student-t.ts';
import { type RatedItems, type RatingProfile, ratingProfiles } from './rating-table.ts';

/** Ratings by two or more interchangeable raters, and the level of the interval. */
export type MultiRaterOptions = RatedItems & {
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A coefficient of agreement beyond chance of any number of raters, with its parts. */
export type MultiRaterKappa = StudentInterval & {
  /** The share of agreeing pairs of ratings, averaged over items; null without an item with two ratings. */
  readonly observed: number | null;
  /** The agreement by chance; null without an item with two ratings. */
  readonly expected: number | null;
};

/**
 * Measures the agreement of raters beyond chance with Gwet's AC1, which stays near the raw agreement when almost all
 * items are alike, where kappa can be near 0. Items with one rating count for the frequencies of categories only. When
 * all ratings are alike it is undefined, never 1.
 *
 * Method: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008): chance agreement Σ π_k (1 −
 * π_k) / (q − 1); his linearised variance with n − 1, and t with n − 1 degrees of freedom, as in irrCAC for raw ratings
 * (its function for tables divides by n).
 *
 * @throws RangeError when a rating is not among the categories, or the confidence is not strictly between 0 and 1.
 */
export function gwetsAc1(options: MultiRaterOptions): MultiRaterKappa {
  return chanceCorrected(options, (shares) => ({
    expected: sumOf(shares.map((share) => share * (1 - share))) / (shares.length - 1),
    expectedOfRating: (category) => (1 - (shares[category] as number)) / (shares.length - 1),
  }));
}

/**
 * Measures the agreement of raters beyond chance with Fleiss' kappa; the number of ratings may differ between items.
 * When all ratings are alike it is undefined, never 1.
 *
 * Method: J. L. Fleiss, Psychological Bulletin 76 (1971): chance agreement Σ π_k²; variance not under the hypothesis of no
 * agreement, but the linearised one of K. L. Gwet, Handbook of Inter-Rater Reliability (2014), as in irrCAC.
 *
 * @throws RangeError when a rating is not among the categories, or the confidence is not strictly between 0 and 1.
 */
export function fleissKappa(options: MultiRaterOptions): MultiRaterKappa {
  return chanceCorrected(options, (shares) => ({
    expected: sumOf(shares.map((share) => share ** 2)),
    expectedOfRating: (category) => shares[category] as number,
  }));
}

/** The agreement by chance: of all items, and the part of it that a rating of a category has. */
type ChanceModel = (shares: readonly number[]) => {
  readonly expected: number;
  readonly expectedOfRating: (category: number) => number;
};

function chanceCorrected(options: MultiRaterOptions, model: ChanceModel): MultiRaterKappa {
  const { confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const { categories, profiles } = ratingProfiles(options);
  const n = sumOf(profiles.map(({ items }) => items));
  const basis = { n, confidence, method: 'gwet-t' } as const;
  const paired = sumOf(profiles.map(({ items, ratings }) => (ratings >= 2 ? items : 0)));
  if (paired === 0) {
    const reason = 'no item has two ratings';
    return {
      ...undefinedStudentInterval({ ...basis, estimate: null, reason }),
      observed: null,
      expected: null,
    };
  }
  const observed = sumOf(profiles.map((profile) => profile.items * agreementOf(profile))) / paired;
  const shares = categories.map((_, k) =>
    sumOf(profiles.map(({ counts, ratings, items }) => (items * (counts[k] as number)) / ratings / n)),
  );
  if (shares.filter((share) => share > 0).length === 1) {
    const reason = 'all ratings are alike';
    return { ...undefinedStudentInterval({ ...basis, estimate: null, reason }), observed, expected: null };
  }
  const { expected, expectedOfRating } = model(shares);
  const estimate = (observed - expected) / (1 - expected);
  const parts = { observed, expected };
  const squares = profiles.map((profile) => {
    const { counts, ratings, items } = profile;
    const own = ratings < 2 ? 0 : ((n / paired) * (agreementOf(profile) - expected)) / (1 - expected);
    const chance = sumOf(counts.map((count, k) => count * expectedOfRating(k))) / ratings;
    return items * (own - (2 * (1 - estimate) * (chance - expected)) / (1 - expected) - estimate) ** 2;
  });
  const variance = sumOf(squares) / (n * (n - 1));
  if (n === 1 || variance <= noise) {
    const reason = n === 1 ? 'a single item shows no spread' : 'the agreement does not vary between items';
    return { ...undefinedStudentInterval({ ...basis, estimate, reason }), ...parts };
  }
  const point = { ...basis, estimate, standardError: Math.sqrt(variance), degreesOfFreedom: n - 1 };
  const interval = studentInterval(point);
  // No coefficient can be above 1, and chance agreement cannot make it less than −1.
  return interval.status === 'undefined'
    ? { ...interval, ...parts }
    : { ...interval, lower: Math.max(-1, interval.lower), upper: Math.min(1, interval.upper), ...parts };
}

/** The variance below which there is only rounding noise. */
const noise = 1e-28;

/** Returns the share of agreeing pairs among the ratings of one item; 0 for fewer than two ratings. */
function agreementOf({ counts, ratings }: RatingProfile): number {
  if (ratings < 2) return 0;
  return sumOf(counts.map((count) => count * (count - 1))) / (ratings * (ratings - 1));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
