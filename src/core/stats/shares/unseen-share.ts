import { betaQuantile } from '../beta.ts';
import { checkDomain } from '../check-domain.ts';
import { normalQuantile } from '../normal.ts';

/** Failures drawn at random and counted by their kinds. */
export type SeenKinds = {
  /** The number of failures. */
  readonly failures: number;
  /** The numbers of kinds that were seen once, and twice. */
  readonly once: number;
  readonly twice: number;
};

/** The share of failures whose kind was not seen. */
export type UnseenShare = {
  /** The estimate (Good and Turing); null without failures. */
  readonly estimate: number | null;
  /** The one-sided 95 % upper limit; 1 without failures. */
  readonly upper: number;
  readonly n: number;
};

/** The share of failures of unseen kinds below which reading may end. */
const unseenEnough = 0.1;

const confidence = 0.95;

/**
 * Estimates the share of all failures that are of a kind not seen yet, with its upper limit. Each failure counts once, by the kind of what
 * went wrong first.
 *
 * Method: I. J. Good, Biometrika 40 (1953): once / n. The limit is the larger one of W. W. Esty's (Annals of Statistics 11, 1983) and of the
 * beta quantile with once + 2 and n − once − 1: together they cover 93.8 to 100 % in 48 simulated cells, the first alone 39 to 100 %.
 *
 * @throws RangeError unless the counts are whole and fit together.
 */
export function unseenShare({ failures: n, once, twice }: SeenKinds): UnseenShare {
  for (const [name, count] of Object.entries({ failures: n, once, twice }))
    checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
  checkDomain(once + 2 * twice <= n, 'once', once, `at most failures (${n}) less those of kinds seen twice`);
  if (n === 0) return { estimate: null, upper: 1, n };
  const estimate = once / n;
  const spread = (estimate * (1 - estimate)) / n + (2 * twice) / n ** 2;
  const esty = estimate + normalQuantile(confidence) * Math.sqrt(spread);
  const exact = n - once - 1 <= 0 ? 1 : betaQuantile({ p: confidence, a: once + 2, b: n - once - 1 });
  return { estimate, upper: Math.min(1, Math.max(esty, exact)), n };
}

/**
 * Returns the number of further failures to read until the upper limit of {@link unseenShare} is at most `limit`, if none of them is of a new
 * kind; 0 when it is already.
 */
export function failuresUntilKnown(
  { failures, once, twice }: SeenKinds,
  { limit = unseenEnough }: { readonly limit?: number } = {},
): number {
  checkDomain(limit > 0 && limit < 1, 'limit', limit, 'between 0 and 1, both excluded');
  const isEnough = (more: number) => unseenShare({ failures: failures + more, once, twice }).upper <= limit;
  let [below, above] = [-1, 1];
  while (!isEnough(above)) [below, above] = [above, above * 2];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (isEnough(middle)) above = middle;
    else below = middle;
  }
  return above;
}
