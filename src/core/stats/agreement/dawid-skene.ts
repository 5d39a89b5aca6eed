import { checkDomain } from '../check-domain.ts';
import { type Category, crossTable } from './rating-table.ts';

/** One verdict of a rater on an item. A rater may rate an item more than once. */
export type RatedItem = {
  readonly item: string | number;
  readonly rater: string | number;
  readonly category: Category;
};

/** The error rates of one rater. */
export type RaterErrors = {
  readonly rater: string | number;
  /** The number of ratings. */
  readonly ratings: number;
  /**
   * The chance of each verdict (column) for each true category (row), in the order of the categories; a row is null when
   * no item can have that category.
   */
  readonly confusion: readonly (readonly number[] | null)[];
};

/** The truth of items and the error rates of raters, estimated together without known truth. */
export type DawidSkene = {
  readonly categories: readonly Category[];
  /** The share of items in each category. */
  readonly prevalence: readonly number[];
  /** The probability of each category for each item. */
  readonly items: readonly { readonly item: string | number; readonly probabilities: readonly number[] }[];
  readonly raters: readonly RaterErrors[];
  /** The log likelihood of the ratings at the end. */
  readonly logLikelihood: number;
  /** The number of rounds. */
  readonly rounds: number;
  /** False when the rounds ended before the estimate settled. */
  readonly hasConverged: boolean;
};

/** A result of {@link dawidSkene}, or the reason why there is none. */
export type DawidSkeneResult =
  | (DawidSkene & { readonly status: 'defined' })
  | { readonly status: 'undefined'; readonly reason: string };

/**
 * Estimates the truth of items and the error rates of raters from ratings alone. It assumes that raters err
 * independently given the truth, needs many items for each rater, and follows the majority where that is wrong.
 *
 * Method: A. P. Dawid & A. M. Skene, Applied Statistics 28 (1979): EM from the shares of votes, in logarithms.
 *
 * @throws RangeError when a limit of the rounds makes no sense.
 */
export function dawidSkene(options: {
  readonly ratings: readonly RatedItem[];
  /** The largest number of rounds; 1,000 by default. */
  readonly mostRounds?: number;
  /** The change of the log likelihood below which the estimate has settled; 1e-10 by default. */
  readonly tolerance?: number;
}): DawidSkeneResult {
  const { ratings, mostRounds = 1000, tolerance = 1e-10 } = options;
  checkDomain(
    Number.isInteger(mostRounds) && mostRounds > 0,
    'mostRounds',
    mostRounds,
    'a whole number above 0',
  );
  checkDomain(tolerance >= 0, 'tolerance', tolerance, 'at least 0');
  if (ratings.length === 0) return { status: 'undefined', reason: 'no ratings' };
  const ratedCategories = ratings.map(({ category }) => category);
  const { categories } = crossTable({ a: ratedCategories, b: ratedCategories });
  if (categories.length === 1) return { status: 'undefined', reason: 'all ratings are alike' };
  const votes = indexVotes(ratings, categories);
  let truth = voteShares(votes);
  let model = maximize(votes, truth);
  let [logLikelihood, rounds, hasConverged] = [-Infinity, 0, false];
  while (!hasConverged && rounds < mostRounds) {
    const next = expect(votes, model);
    hasConverged = Math.abs(next.logLikelihood - logLikelihood) <= tolerance;
    ({ truth, logLikelihood } = next);
    model = maximize(votes, truth);
    rounds += 1;
  }
  const raters = votes.raters.map((rater, place) => ({
    rater,
    ratings: votes.votes.filter((vote) => vote.rater === place).length,
    confusion: model.confusions[place] as (number[] | null)[],
  }));
  const items = votes.items.map((item, place) => ({ item, probabilities: truth[place] as number[] }));
  const found = { categories, prevalence: model.prevalence, items, raters };
  return { status: 'defined', ...found, logLikelihood, rounds, hasConverged };
}

type Votes = {
  readonly size: number;
  readonly items: readonly (string | number)[];
  readonly raters: readonly (string | number)[];
  /** Ratings by the places of item, rater and category. */
  readonly votes: readonly { readonly item: number; readonly rater: number; readonly category: number }[];
};

type Model = {
  readonly prevalence: readonly number[];
  /** For each rater and true category the chances of verdicts; null where the category has no items. */
  readonly confusions: readonly (readonly (number[] | null)[])[];
};

function indexVotes(ratings: readonly RatedItem[], categories: readonly Category[]): Votes {
  const items = [...new Set(ratings.map(({ item }) => item))];
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const placeOf = <Key>(keys: readonly Key[]) => new Map(keys.map((key, place) => [key, place]));
  const [ofItem, ofRater, ofCategory] = [placeOf(items), placeOf(raters), placeOf(categories)];
  const votes = ratings.map(({ item, rater, category }) => ({
    item: ofItem.get(item) as number,
    rater: ofRater.get(rater) as number,
    category: ofCategory.get(category) as number,
  }));
  return { size: categories.length, items, raters, votes };
}

/** Returns the share of each category among the ratings of each item. */
function voteShares({ size, items, votes }: Votes): number[][] {
  const counts = items.map(() => Array.from({ length: size }, () => 0));
  for (const { item, category } of votes) {
    const row = counts[item] as number[];
    row[category] = (row[category] as number) + 1;
  }
  return counts.map(normalize);
}

/** Estimates prevalence and error rates from the probabilities of the items' categories. */
function maximize({ size, items, raters, votes }: Votes, truth: readonly (readonly number[])[]): Model {
  const row = () => Array.from({ length: size }, () => 0);
  const prevalence = row();
  for (const probabilities of truth) {
    for (const [k, probability] of probabilities.entries())
      prevalence[k] = (prevalence[k] as number) + probability;
  }
  const counts = raters.map(() => Array.from({ length: size }, row));
  for (const { item, rater, category } of votes) {
    for (const [k, probability] of (truth[item] as readonly number[]).entries()) {
      const verdicts = (counts[rater] as number[][])[k] as number[];
      verdicts[category] = (verdicts[category] as number) + probability;
    }
  }
  return {
    prevalence: prevalence.map((sum) => sum / items.length),
    confusions: counts.map((rows) =>
      rows.map((list) => (list.some((sum) => sum > 0) ? normalize(list) : null)),
    ),
  };
}

/** Estimates the categories of items from prevalence and error rates. */
function expect(
  { size, items, votes }: Votes,
  { prevalence, confusions }: Model,
): { readonly truth: number[][]; readonly logLikelihood: number } {
  const logs = items.map(() => Array.from({ length: size }, (_, k) => Math.log(prevalence[k] as number)));
  for (const { item, rater, category } of votes) {
    const row = logs[item] as number[];
    for (const [k, verdicts] of (confusions[rater] as (number[] | null)[]).entries()) {
      row[k] = (row[k] as number) + Math.log(verdicts?.[category] ?? 0);
    }
  }
  let logLikelihood = 0;
  const truth = logs.map((row) => {
    const largest = Math.max(...row);
    const relative = row.map((log) => Math.exp(log - largest));
    logLikelihood += largest + Math.log(relative.reduce((sum, value) => sum + value, 0));
    return normalize(relative);
  });
  return { truth, logLikelihood };
}

function normalize(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value / total);
}
