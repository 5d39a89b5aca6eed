import { checkDomain } from '../check-domain.ts';
import { midRanks, type PairedLists, type RankCorrelation } from './spearman.ts';

/** Kendall's τ-b with the pairs that it counts, or the reason why there is none. */
export type KendallCorrelation = RankCorrelation & {
  /** Pairs of pairs that both lists order alike. */
  readonly concordant: number;
  /** Pairs of pairs that the lists order in opposite ways. */
  readonly discordant: number;
};

/**
 * Measures how often two lists of numbers, paired by position, order two of their pairs alike: 1 always, −1 never. Ties
 * are taken out of the number of pairs, so it suits ratings with few steps, such as stars.
 *
 * Method: M. G. Kendall, Biometrika 33 (1945), τ-b = (C − D) / √((n₀ − t_a) (n₀ − t_b)); counted as in W. R. Knight, JASA
 * 61 (1966), in n log n steps.
 *
 * @throws RangeError when the lists differ in length or a value is not finite.
 */
export function kendall({ a, b }: PairedLists): KendallCorrelation {
  const n = a.length;
  checkDomain(b.length === n, 'the length of the second list', b.length, `${n}, as of the first`);
  const [x, y] = [midRanks(a), midRanks(b)];
  const order = Array.from(x.keys()).sort((i, j) => at(x, i) - at(x, j) || at(y, i) - at(y, j));
  const ranks = Float64Array.from(order, (place) => at(y, place));
  const tiedInA = countTies(order, (i, j) => at(x, i) === at(x, j));
  const tiedInBoth = countTies(order, (i, j) => at(x, i) === at(x, j) && at(y, i) === at(y, j));
  const discordant = countInversions(ranks);
  // Sorted by now.
  const tiedInB = countTies(Array.from(ranks.keys()), (i, j) => at(ranks, i) === at(ranks, j));
  const pairs = (n * (n - 1)) / 2;
  const concordant = pairs - tiedInA - tiedInB + tiedInBoth - discordant;
  const counts = { n, concordant, discordant };
  if (n < 2) return { ...counts, status: 'undefined', value: null, reason: 'fewer than two pairs' };
  if (tiedInA === pairs || tiedInB === pairs) {
    return { ...counts, status: 'undefined', value: null, reason: 'one of the lists does not vary' };
  }
  const value = (concordant - discordant) / Math.sqrt((pairs - tiedInA) * (pairs - tiedInB));
  return { ...counts, status: 'defined', value: Math.min(1, Math.max(-1, value)) };
}

function at(list: Float64Array, place: number): number {
  return list[place] as number;
}

/** Counts the pairs of equal elements of a list in which equal ones are neighbours. */
function countTies(order: readonly number[], isEqual: (i: number, j: number) => boolean): number {
  let [ties, length] = [0, 1];
  for (let place = 1; place <= order.length; place += 1) {
    const [before, here] = [order[place - 1] as number, order[place]];
    if (here !== undefined && isEqual(before, here)) length += 1;
    else {
      ties += (length * (length - 1)) / 2;
      length = 1;
    }
  }
  return ties;
}

/** Counts the pairs of which the greater comes first, and sorts the list, by merging runs of doubling length. */
function countInversions(list: Float64Array): number {
  const n = list.length;
  const merged = new Float64Array(n);
  let inversions = 0;
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, n), Math.min(start + 2 * width, n)];
      let [left, right] = [start, middle];
      for (let place = start; place < end; place += 1) {
        const isLeft = left < middle && (right >= end || at(list, left) <= at(list, right));
        merged[place] = at(list, isLeft ? left++ : right++);
        if (!isLeft) inversions += middle - left;
      }
    }
    list.set(merged);
  }
  return inversions;
}
