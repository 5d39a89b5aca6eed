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
 * Returns the value below which a share `p` of the values lies; `p` = 0 and 1 give the smallest and the largest. The
 * values may be in any order and are not changed.
 *
 * Method: R. J. Hyndman & Y. Fan, The American Statistician 50 (1996): `nearest-rank` is their definition 1 (R type 1,
 * the ⌈n p⌉-th value), `linear` their definition 7 (R type 7, position (n − 1) p + 1).
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

/** Returns the place of the nearest-rank quantile among values in ascending order. */
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

/** The number of values below which sampling does not pay. */
const fewValues = 600;

/** The first and the last place of a range in a list. */
type Range = readonly [first: number, last: number];

/**
 * Returns the value that a place would have if all values up to the last place were in ascending order. Reorders them:
 * afterwards no value before the place is larger, and none from there to the last place is smaller. The time is
 * proportional to their number.
 *
 * Method: R. W. Floyd & R. L. Rivest, Algorithm 489, Communications of the ACM 18 (1975). The remaining values are
 * divided, as in C. A. R. Hoare's FIND, by a value that a sample has shown to be near the wanted one.
 *
 * @param values - At least one, all finite.
 * @param place - From 0, up to the last place.
 */
export function selectRank(values: Float64Array, place: number, last = values.length - 1): number {
  narrowDown(values, place, [0, last]);
  return values[place] as number;
}

function narrowDown(values: Float64Array, place: number, [first, last]: Range): void {
  let [left, right] = [first, last];
  while (left < right) {
    if (right - left >= fewValues) narrowDown(values, place, sampleAround(place, [left, right]));
    const divider = values[place] as number;
    let [up, down] = [left, right];
    while (up <= down) {
      while ((values[up] as number) < divider) up += 1;
      while ((values[down] as number) > divider) down -= 1;
      if (up > down) break;
      const value = values[up] as number;
      values[up] = values[down] as number;
      values[down] = value;
      up += 1;
      down -= 1;
    }
    if (place <= down) right = down;
    else if (place >= up) left = up;
    else return;
  }
}

/**
 * Returns the places of a sample that is large enough that its value at the place is most likely next to the wanted
 * one, on the shorter side.
 */
function sampleAround(place: number, [left, right]: Range): Range {
  const n = right - left + 1;
  const rank = place - left + 1;
  const size = n ** (2 / 3) / 2;
  const spread = (Math.sqrt((Math.log(n) * size * (n - size)) / n) / 2) * Math.sign(rank - n / 2);
  return [
    Math.max(left, Math.floor(place - (rank * size) / n + spread)),
    Math.min(right, Math.floor(place + ((n - rank) * size) / n + spread)),
  ];
}
