import { checkDomain } from './check-domain.ts';

/**
 * The rank of every value, from 1; tied values share the mean of their ranks.
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
    // Typed arrays sort −0 before 0, which are one value and one key.
    const value = sorted[from] as number;
    let to = from + 1;
    while (to < n && sorted[to] === value) to += 1;
    rankOf.set(value, (from + 1 + to) / 2);
    from = to;
  }
  return Float64Array.from(values, (value) => rankOf.get(value) as number);
}
