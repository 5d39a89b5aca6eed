import { checkDomain } from '../check-domain.ts';

/** Spearman's rank correlation of pairs, or the reason why there is none. */
export type RankCorrelation = { readonly n: number } & (
  | { readonly status: 'defined'; readonly value: number }
  | { readonly status: 'undefined'; readonly value: null; readonly reason: string }
);

/** Two lists of numbers that are paired by position. */
export type PairedLists = { readonly a: ArrayLike<number>; readonly b: ArrayLike<number> };

/**
 * Measures how far two lists of numbers, paired by position, rise together: 1 for the same ranks, −1 for the opposite
 * ranks.
 *
 * Method: C. Spearman, American Journal of Psychology 15 (1904), as Pearson's correlation of the ranks, in which tied
 * values share the mean of their ranks (M. G. Kendall, Rank Correlation Methods, ch. 3).
 *
 * @throws RangeError when the lists differ in length or a value is not finite.
 */
export function spearman({ a: first, b: second }: PairedLists): RankCorrelation {
  const n = first.length;
  checkDomain(second.length === n, 'the length of the second list', second.length, `${n}, as of the first`);
  const [ranksOfA, ranksOfB] = [midRanks(first), midRanks(second)];
  if (n < 2) return { status: 'undefined', value: null, reason: 'fewer than two pairs', n };
  const mean = (n + 1) / 2;
  let [products, squaresOfA, squaresOfB] = [0, 0, 0];
  for (let place = 0; place < n; place += 1) {
    const [x, y] = [(ranksOfA[place] as number) - mean, (ranksOfB[place] as number) - mean];
    products += x * y;
    squaresOfA += x * x;
    squaresOfB += y * y;
  }
  if (squaresOfA === 0 || squaresOfB === 0) {
    return { status: 'undefined', value: null, reason: 'one of the lists does not vary', n };
  }
  const value = products / Math.sqrt(squaresOfA * squaresOfB);
  return { status: 'defined', value: Math.min(1, Math.max(-1, value)), n };
}

/**
 * Returns the rank of every value, from 1; tied values share the mean of their ranks.
 *
 * @throws RangeError when a value is not finite.
 */
export function midRanks(values: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  // Typed arrays sort −Infinity first, and Infinity and then NaN last.
  checkDomain(n === 0 || Number.isFinite(sorted[0]), 'a value', sorted[0], 'finite');
  checkDomain(n === 0 || Number.isFinite(sorted[n - 1]), 'a value', sorted[n - 1], 'finite');
  const rankOf = new Map<number, number>();
  for (let from = 0; from < n; ) {
    // Typed arrays sort −0 before 0, which are the same value and must be one key.
    const value = sorted[from] as number;
    let to = from + 1;
    while (to < n && sorted[to] === value) to += 1;
    rankOf.set(value, (from + 1 + to) / 2);
    from = to;
  }
  return Float64Array.from(values, (value) => rankOf.get(value) as number);
}
