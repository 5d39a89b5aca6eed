import { checkDomain } from './check-domain.ts';

/** `nearest-rank` returns one of the values (for service levels); `linear` interpolates (for dashboards). */
export type QuantileMethod = 'nearest-rank' | 'linear';

/** A sample quantile in the unit of the data, or the reason why there is none. */
export type Quantile = { readonly p: number; readonly method: QuantileMethod; readonly n: number } & (
  | { readonly status: 'defined'; readonly value: number }
  | { readonly status: 'undefined'; readonly value: null; readonly reason: string }
);

/** R's allowance for rounding in n p, so that 0.07 of 100 values is the 7th value and not the 8th. */
const FUZZ = 4 * Number.EPSILON;

/**
 * The value below which a share `p` of the values lies; `p` = 0 and 1 give the smallest and the largest. The
 * values need no order and are left as they are.
 *
 * Method: R. J. Hyndman & Y. Fan, The American Statistician 50 (1996): `nearest-rank` is their definition 1 (R
 * type 1, the ⌈n p⌉-th value), `linear` their definition 7 (R type 7, position (n − 1) p + 1).
 *
 * @throws RangeError when `p` is outside [0, 1] or a value is not finite.
 */
export function quantile(options: {
  readonly values: Iterable<number>;
  readonly p: number;
  readonly method: QuantileMethod;
}): Quantile {
  const { p, method } = options;
  checkDomain(p >= 0 && p <= 1, 'p', p, 'from 0 to 1');
  const sorted = Float64Array.from(options.values).sort();
  const n = sorted.length;
  if (n === 0) {
    return { status: 'undefined', value: null, reason: 'no values', p, method, n };
  }
  // Typed arrays sort −Infinity first, and Infinity and then NaN last.
  checkDomain(Number.isFinite(sorted[0]), 'a value', sorted[0], 'finite');
  checkDomain(Number.isFinite(sorted[n - 1]), 'a value', sorted[n - 1], 'finite');
  const value = method === 'linear' ? interpolated(sorted, p) : (sorted[nearestRankPlace(n, p)] as number);
  return { status: 'defined', value, p, method, n };
}

/** Where the nearest-rank quantile of some values stands among them, when they are in rising order. */
export function nearestRankPlace(n: number, p: number): number {
  return Math.max(1, Math.ceil(n * p * (1 - FUZZ))) - 1;
}

function interpolated(sorted: Float64Array, p: number): number {
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position * (1 + FUZZ));
  const share = Math.max(0, position - below);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + share * (high - low);
}
