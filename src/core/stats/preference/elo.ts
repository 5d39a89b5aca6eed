import { checkDomain } from '../check-domain.ts';
import { createRandom } from '../random.ts';
import { namesOf, type PreferenceCounts } from './tally-preferences.ts';

/** Points of the Elo scale for a strength that is 1 more: 400 points are odds of 10 : 1. */
const pointsPerUnit = 400 / Math.LN10;

/**
 * Converts a strength of {@link bradleyTerry}, a logarithm, to the Elo scale, on which 400 points are odds of 10 : 1.
 *
 * Method: A. E. Elo, The Rating of Chessplayers (1978), with the logistic curve: base + 400 / ln 10 × strength.
 *
 * @param options.base - The points of strength 0; 1000 by default.
 */
export function eloScale({
  strength,
  base = 1000,
}: {
  readonly strength: number;
  readonly base?: number;
}): number {
  return base + pointsPerUnit * strength;
}

/**
 * Returns the expected share of wins, with a tie as half a win, of a target that has as many points more.
 *
 * Method: A. E. Elo, The Rating of Chessplayers (1978): 1 / (1 + 10^(−difference / 400)).
 */
export function eloExpectation(difference: number): number {
  return 1 / (1 + 10 ** (-difference / 400));
}

/** Options of {@link eloRatings}. */
export type EloOptions = {
  /** Verdicts in the order in which they were given. */
  readonly preferences: readonly PreferenceCounts[];
  /** The points that one verdict can move; 32 by default. */
  readonly step?: number;
  /** The points before the first verdict; 1000 by default. */
  readonly start?: number;
  /** The number of random orders that show how far the order decides; 100 by default. */
  readonly orders?: number;
  /** The seed of the random orders, 0 by default. */
  readonly seed?: string | number;
};

/** The Elo rating of a target. */
export type EloRating = {
  readonly target: string;
  /** The points after all verdicts in their order. */
  readonly rating: number;
  /** The lowest and the highest rating that the same verdicts give in random orders. */
  readonly lowest: number;
  readonly highest: number;
};

/**
 * Returns ratings that every verdict updates by step × (result − expectation), with a tie as half a win. The last
 * verdicts weigh most, so another order of the same verdicts gives other ratings: the range over random orders is part
 * of the result. For display only; {@link bradleyTerry} does not depend on the order.
 *
 * Method: A. E. Elo, The Rating of Chessplayers (1978).
 *
 * @throws RangeError for a target compared with itself, a row that is not one verdict, and a number of orders that is
 * not a whole number from 0.
 */
export function eloRatings(options: EloOptions): readonly EloRating[] {
  const { preferences, step = 32, start = 1000, orders = 100, seed = 0 } = options;
  checkDomain(Number.isInteger(orders) && orders >= 0, 'orders', orders, 'a whole number of at least 0');
  const names = namesOf(preferences);
  const rate = (ordered: readonly PreferenceCounts[]) => rateInOrder(ordered, { names, step, start });
  const ratings = rate(preferences);
  const random = createRandom(seed);
  const ranges = new Map(names.map((name) => [name, [ratings.get(name) as number]]));
  for (let order = 0; order < orders; order += 1) {
    for (const [name, rating] of rate(shuffled(preferences, random))) ranges.get(name)?.push(rating);
  }
  return names.map((target) => {
    const range = ranges.get(target) as number[];
    return {
      target,
      rating: ratings.get(target) as number,
      lowest: Math.min(...range),
      highest: Math.max(...range),
    };
  });
}

type EloRule = { readonly names: readonly string[]; readonly step: number; readonly start: number };

function rateInOrder(
  preferences: readonly PreferenceCounts[],
  { names, step, start }: EloRule,
): Map<string, number> {
  const ratings = new Map(names.map((name) => [name, start]));
  for (const { a, b, aWins, bWins, ties = 0 } of preferences) {
    checkDomain(a !== b, 'the target b', b, 'another than a');
    const isVerdict = aWins + bWins + ties === 1 && [aWins, bWins, ties].includes(1);
    checkDomain(
      isVerdict,
      'a row',
      `${aWins}, ${bWins}, ${ties}`,
      'one verdict, since the order of verdicts decides',
    );
    const [ofA, ofB] = [ratings.get(a) as number, ratings.get(b) as number];
    const change = step * (aWins + ties / 2 - eloExpectation(ofA - ofB));
    ratings.set(a, ofA + change).set(b, ofB - change);
  }
  return ratings;
}

/** Returns the elements in a random order (R. A. Fisher & F. Yates). */
function shuffled<Element>(list: readonly Element[], random: { integer(bound: number): number }): Element[] {
  const found = [...list];
  for (let place = found.length - 1; place > 0; place -= 1) {
    const other = random.integer(place + 1);
    [found[place], found[other]] = [found[other] as Element, found[place] as Element];
  }
  return found;
}
