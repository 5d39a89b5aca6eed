import { checkDomain } from './check-domain.ts';

/** The p-values of several tests, in any order. */
export type PValues = { readonly pValues: readonly number[] };

/** The p-values adjusted for the number of tests, in the order given; each is to be compared with the level. */
export type AdjustedPValues = {
  readonly status: 'defined';
  /** The number of tests. */
  readonly n: number;
  readonly adjusted: readonly number[];
  readonly method: 'holm' | 'benjamini-hochberg' | 'benjamini-yekutieli';
};

/**
 * Adjusts so that the chance of any false alarm among all tests stays below the level, however the tests depend on each
 * other: for gates that fail when any one test does.
 *
 * Method: S. Holm, Scandinavian Journal of Statistics 6 (1979), step-down.
 *
 * @throws RangeError when a p-value is outside [0, 1].
 */
export function holm({ pValues }: PValues): AdjustedPValues {
  const order = ascending(pValues);
  const adjusted: number[] = [];
  let largest = 0;
  for (const [rank, place] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (order.length - rank) * (pValues[place] as number)));
    adjusted[place] = largest;
  }
  return { status: 'defined', n: pValues.length, adjusted, method: 'holm' };
}

/**
 * Adjusts so that the expected share of false alarms among the alarms stays below the level, for tests that are
 * independent or positively dependent: for exploring many cells.
 *
 * Method: Y. Benjamini & Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995), step-up.
 *
 * @throws RangeError when a p-value is outside [0, 1].
 */
export function benjaminiHochberg({ pValues }: PValues): AdjustedPValues {
  return { status: 'defined', ...stepUp(pValues, 1), method: 'benjamini-hochberg' };
}

/**
 * Adjusts as {@link benjaminiHochberg} does, but for tests of any dependence, at the price of a factor 1 + ½ + … + 1/n.
 *
 * Method: Y. Benjamini & D. Yekutieli, Annals of Statistics 29 (2001).
 *
 * @throws RangeError when a p-value is outside [0, 1].
 */
export function benjaminiYekutieli({ pValues }: PValues): AdjustedPValues {
  const factor = pValues.reduce((sum, _, place) => sum + 1 / (place + 1), 0);
  return { status: 'defined', ...stepUp(pValues, factor), method: 'benjamini-yekutieli' };
}

function stepUp(pValues: readonly number[], factor: number): { n: number; adjusted: number[] } {
  const n = pValues.length;
  const adjusted: number[] = [];
  let smallest = 1;
  for (const [rank, place] of [...ascending(pValues).entries()].toReversed()) {
    smallest = Math.min(smallest, (factor * n * (pValues[place] as number)) / (rank + 1));
    adjusted[place] = smallest;
  }
  return { n, adjusted };
}

/** Returns the places from the smallest p-value to the largest. */
function ascending(pValues: readonly number[]): number[] {
  for (const [place, p] of pValues.entries()) {
    checkDomain(p >= 0 && p <= 1, `p-value ${place + 1}`, p, 'from 0 to 1');
  }
  return [...pValues.keys()].toSorted((x, y) => (pValues[x] as number) - (pValues[y] as number));
}
