import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence, type Interval, undefinedInterval } from '../interval.ts';
import { momentsOf } from '../moments.ts';
import { normalQuantile } from '../normal.ts';
import type { PairedLists } from './spearman.ts';

/** Options of {@link pearson}. */
export type CorrelationOptions = PairedLists & {
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/**
 * Measures how close two lists of numbers, paired by position, are to a rising line: the coefficient, from −1 to 1, with
 * its interval. Four pairs are the fewest with an interval, and a coefficient of ±1 has none. The interval assumes
 * independent pairs that are about normal; `correlationBootstrap` is for all others.
 *
 * Method: K. Pearson (1895); R. A. Fisher, Metron 1 (1921): tanh(atanh r ± z / √(n − 3)).
 *
 * @throws RangeError when the lists differ in length, a value is not finite, or the confidence is not strictly between 0
 * and 1.
 */
export function pearson({ a, b, confidence = defaultConfidence }: CorrelationOptions): Interval {
  checkConfidence(confidence);
  const r = productMoment({ a, b });
  const n = a.length;
  const basis = { n, confidence, method: 'fisher-z' } as const;
  if (n < 2) return undefinedInterval({ ...basis, estimate: null, reason: 'fewer than two pairs' });
  if (r === null) {
    return undefinedInterval({ ...basis, estimate: null, reason: 'one of the lists does not vary' });
  }
  if (n < 4) return undefinedInterval({ ...basis, estimate: r, reason: 'fewer than four pairs' });
  if (Math.abs(r) === 1) {
    return undefinedInterval({ ...basis, estimate: r, reason: 'the pairs lie on a line and show no spread' });
  }
  const reach = -normalQuantile((1 - confidence) / 2) / Math.sqrt(n - 3);
  const at = (distance: number) => Math.tanh(Math.atanh(r) + distance);
  return { ...basis, status: 'defined', estimate: r, lower: at(-reach), upper: at(reach) };
}

/** Options of {@link pointBiserial}. */
export type PointBiserialOptions = {
  /** A yes or no for every value, such as a thumb up or down. */
  readonly flags: readonly boolean[];
  readonly values: ArrayLike<number>;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/**
 * Measures how far values are higher where a flag is true: Pearson's correlation with the flag as 1 or 0. It depends on
 * the share of true flags; the area under the ROC curve does not, so report both.
 *
 * Method: {@link pearson}; the interval assumes values that are about normal for either flag.
 *
 * @throws RangeError as {@link pearson} does.
 */
export function pointBiserial({ flags, values, confidence }: PointBiserialOptions): Interval {
  return pearson({ a: flags.map(Number), b: values, confidence });
}

/**
 * Returns Pearson's coefficient, or null when a list does not vary or has fewer than two values.
 *
 * @throws RangeError when the lists differ in length or a value is not finite.
 */
export function productMoment({ a, b }: PairedLists): number | null {
  checkDomain(
    b.length === a.length,
    'the length of the second list',
    b.length,
    `${a.length}, as of the first`,
  );
  const [ofA, ofB] = [momentsOf(Array.from(a)), momentsOf(Array.from(b))];
  if (ofA.n < 2 || ofA.squares === 0 || ofB.squares === 0) return null;
  // Each list is divided by its own spread first: products of two spreads could exceed the largest double.
  const [spreadOfA, spreadOfB] = [Math.sqrt(ofA.squares), Math.sqrt(ofB.squares)];
  let sum = 0;
  for (let place = 0; place < a.length; place += 1) {
    sum += (((a[place] as number) - ofA.mean) / spreadOfA) * (((b[place] as number) - ofB.mean) / spreadOfB);
  }
  return Math.min(1, Math.max(-1, sum));
}
