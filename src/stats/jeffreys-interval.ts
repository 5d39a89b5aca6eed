import { betaQuantile, betaSplit } from './beta.ts';
import type { Interval } from './interval.ts';
import { checkCounts, proportionInterval } from './proportion-interval.ts';
import type { Proportion } from './proportion-interval.ts';

/**
 * Equal-tailed Bayesian interval for a proportion under Jeffreys' prior, Beta(½, ½): near the nominal coverage on
 * average, and shorter than the exact interval. Its lower limit is exactly 0 without successes and its upper limit
 * exactly 1 without failures.
 *
 * Method: Brown, Cai & DasGupta, Statistical Science 16 (2001), section 4.1: quantiles of
 * Beta(successes + ½, failures + ½).
 *
 * @throws RangeError unless successes and trials are whole, 0 ≤ successes ≤ trials, and the confidence is
 * strictly between 0 and 1.
 */
export function jeffreysInterval(proportion: Proportion): Interval {
  checkCounts(proportion);
  return proportionInterval(proportion, 'jeffreys', ({ successes, trials, confidence }) => {
    const tail = (1 - confidence) / 2;
    const shape = { a: successes + 0.5, b: trials - successes + 0.5 };
    return {
      lower: successes === 0 ? 0 : betaQuantile({ p: tail, ...shape }),
      upper: successes === trials ? 1 : betaSplit({ lower: 1 - tail, upper: tail, ...shape }),
    };
  });
}
