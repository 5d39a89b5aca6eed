import { betaQuantile, betaSplit } from './beta.ts';
import { checkConfidence, checkDomain } from './check-domain.ts';
import { defaultConfidence, type Interval, type IntervalMethod, undefinedInterval } from './interval.ts';
import { normalQuantile } from './normal.ts';

/**
 * Successes among independent trials. Both are counts; Wilson's intervals also take fractions, so that an
 * effective number of trials (trials divided by the design effect) can be used.
 */
export type Proportion = {
  readonly successes: number;
  readonly trials: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

type Limits = { readonly lower: number; readonly upper: number };

/**
 * Returns Wilson's score interval for a proportion: the one to report. Its lower limit is exactly 0 without successes
 * and its upper limit exactly 1 without failures.
 *
 * Method: E. B. Wilson, JASA 22 (1927); recommended by Brown, Cai & DasGupta, Statistical Science 16 (2001).
 *
 * @throws RangeError unless 0 ≤ successes ≤ trials and the confidence is strictly between 0 and 1.
 */
export function wilsonInterval(proportion: Proportion): Interval {
  return proportionInterval(proportion, 'wilson', ({ successes, trials, confidence }) => {
    const z = -normalQuantile((1 - confidence) / 2);
    return { lower: wilsonLower({ successes, trials, z }), upper: wilsonUpper({ successes, trials, z }) };
  });
}

/**
 * Returns the one-sided lower confidence bound for a proportion by Wilson's score method. The upper limit is 1, the end
 * of the scale.
 *
 * Method: {@link wilsonInterval} with the normal quantile of the confidence itself.
 *
 * @throws RangeError unless 0 ≤ successes ≤ trials and the confidence is strictly between 0 and 1.
 */
export function wilsonLowerBound(proportion: Proportion): Interval {
  return proportionInterval(proportion, 'wilson-one-sided', ({ successes, trials, confidence }) => {
    return { lower: wilsonLower({ successes, trials, z: normalQuantile(confidence) }), upper: 1 };
  });
}

/**
 * Returns the exact interval for a proportion: it covers the truth at least as often as its confidence states.
 *
 * Method: C. J. Clopper & E. S. Pearson, Biometrika 26 (1934), as beta quantiles.
 *
 * @throws RangeError unless successes and trials are whole, 0 ≤ successes ≤ trials, and the confidence is strictly
 * between 0 and 1.
 */
export function clopperPearsonInterval(proportion: Proportion): Interval {
  checkCounts(proportion);
  return proportionInterval(proportion, 'clopper-pearson', ({ successes, trials, confidence }) => {
    const tail = (1 - confidence) / 2;
    return { lower: exactLower({ successes, trials, tail }), upper: exactUpper({ successes, trials, tail }) };
  });
}

/**
 * Returns the exact one-sided lower confidence bound for a proportion: the one for a hard gate. The upper limit is 1,
 * the end of the scale.
 *
 * Method: {@link clopperPearsonInterval} with all of 1 − confidence in the lower tail.
 *
 * @throws RangeError unless successes and trials are whole, 0 ≤ successes ≤ trials, and the confidence is strictly
 * between 0 and 1.
 */
export function clopperPearsonLowerBound(proportion: Proportion): Interval {
  checkCounts(proportion);
  return proportionInterval(proportion, 'clopper-pearson-one-sided', ({ successes, trials, confidence }) => {
    return { lower: exactLower({ successes, trials, tail: 1 - confidence }), upper: 1 };
  });
}

/**
 * Returns the interval with the limits that a rule computes from checked counts.
 *
 * @throws RangeError unless 0 ≤ successes ≤ trials and the confidence is strictly between 0 and 1.
 */
function proportionInterval(
  proportion: Proportion,
  method: IntervalMethod,
  limits: (proportion: Required<Proportion>) => Limits,
): Interval {
  const { successes, trials, confidence = defaultConfidence } = proportion;
  checkConfidence(confidence);
  checkDomain(trials >= 0 && trials < Infinity, 'trials', trials, 'finite and at least 0');
  checkDomain(successes >= 0 && successes <= trials, 'successes', successes, `from 0 to trials (${trials})`);
  const basis = { n: trials, confidence, method };
  if (trials === 0) {
    return undefinedInterval({ ...basis, estimate: null, reason: 'no attempts' });
  }
  return {
    ...basis,
    status: 'defined',
    estimate: successes / trials,
    ...limits({ successes, trials, confidence }),
  };
}

type WilsonPoint = { readonly successes: number; readonly trials: number; readonly z: number };

/** Returns the smaller root as the product of both roots over the larger one, which avoids cancellation. */
function wilsonLower({ successes, trials, z }: WilsonPoint): number {
  if (successes === 0) {
    return 0;
  }
  if (z < 0) {
    return wilsonUpper({ successes, trials, z: -z });
  }
  const p = successes / trials;
  return (p * p) / wilsonNumerator({ successes, trials, z });
}

function wilsonUpper({ successes, trials, z }: WilsonPoint): number {
  if (successes === trials) {
    return 1;
  }
  return Math.min(1, wilsonNumerator({ successes, trials, z }) / (1 + (z * z) / trials));
}

function wilsonNumerator({ successes, trials, z }: WilsonPoint): number {
  const p = successes / trials;
  const q = (trials - successes) / trials;
  const shift = z / (2 * trials);
  return p + z * shift + z * Math.sqrt((p * q) / trials + shift * shift);
}

type ExactPoint = { readonly successes: number; readonly trials: number; readonly tail: number };

function exactLower({ successes, trials, tail }: ExactPoint): number {
  return successes === 0 ? 0 : betaQuantile({ p: tail, a: successes, b: trials - successes + 1 });
}

function exactUpper({ successes, trials, tail }: ExactPoint): number {
  return successes === trials
    ? 1
    : betaSplit({ lower: 1 - tail, upper: tail, a: successes + 1, b: trials - successes });
}

/**
 * Checks counts.
 * @throws RangeError unless successes and trials are whole.
 */
function checkCounts({ successes, trials }: Proportion): void {
  checkDomain(Number.isInteger(trials), 'trials', trials, 'a whole number');
  checkDomain(Number.isInteger(successes), 'successes', successes, 'a whole number');
}

/**
 * Returns the equal-tailed Bayesian interval for a proportion under Jeffreys' prior, Beta(½, ½): near the nominal
 * coverage on average, and shorter than the exact interval. Its lower limit is exactly 0 without successes and its
 * upper limit exactly 1 without failures.
 *
 * Method: Brown, Cai & DasGupta, Statistical Science 16 (2001), section 4.1: quantiles of Beta(successes + ½, failures
 * + ½).
 *
 * @throws RangeError unless successes and trials are whole, 0 ≤ successes ≤ trials, and the confidence is strictly
 * between 0 and 1.
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
