import { checkDomain } from '../check-domain.ts';

/** A category that a rater can choose. */
export type Category = string | number | boolean;

/** Ratings of items: one row for each item, one place for each rater; null where a rater did not rate the item. */
export type RatedItems = {
  readonly ratings: readonly (readonly (Category | null)[])[];
  /** All categories of the scale, in their order; by default those that occur, sorted. */
  readonly categories?: readonly Category[];
};

/** Items on which the same number of raters chose each category. */
export type RatingProfile = {
  /** The number of raters for each category. */
  readonly counts: readonly number[];
  /** The number of ratings of one item. */
  readonly ratings: number;
  /** The number of items. */
  readonly items: number;
};

/** Ratings as counts of categories, for measures in which raters are interchangeable. */
export type RatingProfiles = {
  readonly categories: readonly Category[];
  readonly profiles: readonly RatingProfile[];
  /** For each item with a rating, the place of its profile. */
  readonly profileOfItem: readonly number[];
};

/**
 * Counts the ratings of each item by category and joins items with the same counts; items without a rating are ignored.
 *
 * @throws RangeError when a rating is not among the given categories, or a category is given twice.
 */
export function ratingProfiles(items: RatedItems): RatingProfiles {
  const categories = categoriesOf(items.ratings.flat(), items.categories);
  const indexOf = indexCategories(categories);
  const places = new Map<string, number>();
  const found: { counts: number[]; ratings: number; items: number }[] = [];
  const profileOfItem: number[] = [];
  for (const row of items.ratings) {
    const present = row.filter((rating) => rating !== null);
    if (present.length === 0) continue;
    const counts = categories.map(() => 0);
    for (const rating of present) {
      const index = indexOf(rating);
      counts[index] = (counts[index] as number) + 1;
    }
    const key = counts.join();
    const place = places.get(key) ?? found.length;
    places.set(key, place);
    const profile = (found[place] ??= { counts, ratings: present.length, items: 0 });
    profile.items += 1;
    profileOfItem.push(place);
  }
  return { categories, profiles: found, profileOfItem };
}

/** Two raters' ratings of the same items, at the same positions; null where one did not rate the item. */
export type TwoRaters = {
  readonly a: readonly (Category | null)[];
  readonly b: readonly (Category | null)[];
  /** All categories of the scale, in their order; by default those that occur, sorted. */
  readonly categories?: readonly Category[];
};

/** Items by the categories that two raters chose. */
export type CrossTable = {
  readonly categories: readonly Category[];
  /** The number of items: rows are the categories of the first rater, columns the categories of the second. */
  readonly table: readonly (readonly number[])[];
  /** The number of items that one of the two did not rate. */
  readonly leftOut: number;
};

/**
 * Counts the items by the categories that two raters chose. Items that only one of them rated are ignored.
 *
 * @throws RangeError when the lists differ in length, a rating is not among the given categories, or a category is given
 * twice.
 */
export function crossTable({ a, b, categories: fixed }: TwoRaters): CrossTable {
  checkDomain(b.length === a.length, 'b.length', b.length, `${a.length}, as of a`);
  const categories = categoriesOf([...a, ...b], fixed);
  const indexOf = indexCategories(categories);
  const table = categories.map(() => categories.map(() => 0));
  let leftOut = 0;
  for (const [place, first] of a.entries()) {
    const second = b[place] as Category | null;
    if (first === null || second === null) {
      leftOut += 1;
      continue;
    }
    const row = table[indexOf(first)] as number[];
    const column = indexOf(second);
    row[column] = (row[column] as number) + 1;
  }
  return { categories, table, leftOut };
}

function categoriesOf(
  ratings: readonly (Category | null)[],
  fixed: readonly Category[] | undefined,
): readonly Category[] {
  if (fixed === undefined) return [...new Set(ratings.filter((rating) => rating !== null))].sort(byOrder);
  checkDomain(
    new Set(fixed).size === fixed.length,
    'categories',
    fixed.join(', '),
    'different from each other',
  );
  return fixed;
}

/** Orders numbers by size and other categories by their text, numbers first. */
function byOrder(a: Category, b: Category): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === typeof b) return String(a) < String(b) ? -1 : 1;
  return typeof a === 'number' ? -1 : 1;
}

function indexCategories(categories: readonly Category[]): (rating: Category) => number {
  const places = new Map(categories.map((category, place) => [category, place]));
  return (rating) => {
    const place = places.get(rating);
    if (place === undefined) checkDomain(false, 'a rating', rating, `one of ${categories.join(', ')}`);
    return place as number;
  };
}
