import { binomialProbability } from '../binomial.ts';
import { checkDomain } from '../check-domain.ts';
import { clopperPearsonInterval } from '../proportion-interval.ts';
import { hypergeometricCdf } from './hypergeometric.ts';

/** A kind of failure of which a share of the answers is supposed to be, and the number of answers of the run, where they are to be drawn from it. */
export type SupposedShare = {
  readonly share: number;
  /** The number of answers of the run; without it, answers of this kind without end. */
  readonly size?: number;
};

/** The chance with which a kind is to be seen. */
const seenWith = 0.95;

/**
 * Returns how many answers to read so that a kind of failure of a share of them is seen at least once with a chance of 95 %.
 *
 * Method: ⌈ln .05 / ln (1 − p)⌉; of a run, the least number whose hypergeometric chance of none is at most .05.
 */
export function readingsToSee({ share, size }: SupposedShare): number {
  checkDomain(share > 0 && share < 1, 'share', share, 'between 0 and 1, both excluded');
  if (size === undefined) return Math.ceil(Math.log(1 - seenWith) / Math.log(1 - share));
  const marked = Math.max(1, Math.round(share * size));
  return firstWhere(
    size,
    (sampled) => hypergeometricCdf({ found: 0, size, marked, sampled }) <= 1 - seenWith,
  );
}

/**
 * Returns how many answers to read so that the exact interval of the share is expected to be at most twice `halfWidth` wide.
 *
 * Method: the mean width of the interval of Clopper and Pearson over what may be found; for a run of N answers n / (1 + (n − 1) / N) of them
 * (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 4.4).
 */
export function readingsForWidth({
  share,
  size = Infinity,
  halfWidth = 0.05,
}: SupposedShare & { readonly halfWidth?: number }): number {
  checkDomain(share > 0 && share < 1, 'share', share, 'between 0 and 1, both excluded');
  const isNarrow = (sampled: number) => expectedWidth(share, sampled) <= 2 * halfWidth;
  let most = 16;
  while (!isNarrow(most)) most *= 2;
  const endless = firstWhere(most, isNarrow);
  return Math.ceil(endless / (1 + (endless - 1) / size));
}

/** Returns the mean width of the interval of a share over the numbers that may be found. */
function expectedWidth(share: number, sampled: number): number {
  let [width, mass] = [0, 0];
  for (let found = 0; found <= sampled && mass < 1 - 1e-9; found += 1) {
    const chance = binomialProbability({ successes: found, trials: sampled, p: share });
    mass += chance;
    const { lower, upper } = clopperPearsonInterval({ successes: found, trials: sampled });
    if (chance > 1e-9) width += chance * ((upper ?? 1) - (lower ?? 0));
  }
  return width / mass;
}

/** Returns the first number from 1 for which a condition holds that then holds for all; the largest when it holds for none. */
function firstWhere(most: number, holds: (value: number) => boolean): number {
  let [low, high] = [1, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
