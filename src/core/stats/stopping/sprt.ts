import { checkDomain } from '../check-domain.ts';
import { checkProgress, type Progress, type StoppingDecision } from './sequence-decision.ts';

/** Options of {@link sprt}: the two pass rates to distinguish, and the error rates. */
export type SprtOptions = Progress & {
  /** The rate that must not pass, strictly between 0 and 1. */
  readonly p0: number;
  /** The rate that must pass, above `p0` and below 1. */
  readonly p1: number;
  /** The chance of passing at `p0`; 0.05 by default. */
  readonly alpha?: number;
  /** The chance of failing at `p1`; 0.05 by default. */
  readonly beta?: number;
  /** The number of cases after which an undecided test ends; none by default. */
  readonly cap?: number;
};

/** The state of a sequential test. */
export type SprtState = {
  readonly status: 'defined';
  /** The decision; `inconclusive` when the cap was reached first. */
  readonly decision: StoppingDecision | 'inconclusive';
  /** The logarithm of the likelihood ratio of `p1` and `p0`. */
  readonly statistic: number;
  /** The bounds of the statistic: the test fails at or below `lower` and passes at or above `upper`. */
  readonly lower: number;
  readonly upper: number;
  /** The number of cases judged so far. */
  readonly n: number;
};

/**
 * Decides a sequential probability ratio test after each case; the first `pass` or `fail` ends it. Between the two
 * rates it can take long, so a cap is advisable; a fixed-size interval over the cases of a stopped test is biased.
 *
 * Method: A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945), with his
 * boundaries ln(β / (1 − α)) and ln((1 − β) / α).
 *
 * @throws RangeError unless successes and trials are whole with 0 ≤ successes ≤ trials, 0 < p0 < p1 < 1, alpha and beta
 * are above 0 with a sum below 1, and the cap is a whole number above 0.
 */
export function sprt(options: SprtOptions): SprtState {
  const { successes, trials, p0, p1, alpha = 0.05, beta = 0.05, cap } = options;
  checkProgress(options);
  checkDomain(p0 > 0 && p0 < 1, 'p0', p0, 'between 0 and 1, both excluded');
  checkDomain(p1 > p0 && p1 < 1, 'p1', p1, `above p0 (${p0}) and below 1`);
  checkDomain(alpha > 0 && alpha < 1, 'alpha', alpha, 'between 0 and 1, both excluded');
  checkDomain(beta > 0 && alpha + beta < 1, 'beta', beta, `above 0 and below 1 − alpha (${1 - alpha})`);
  const isCap = cap === undefined || (Number.isInteger(cap) && cap > 0);
  checkDomain(isCap, 'cap', cap, 'a whole number above 0');
  const statistic = successes * Math.log(p1 / p0) + (trials - successes) * Math.log((1 - p1) / (1 - p0));
  const lower = Math.log(beta / (1 - alpha));
  const upper = Math.log((1 - beta) / alpha);
  const basis = { status: 'defined', statistic, lower, upper, n: trials } as const;
  if (statistic >= upper) return { ...basis, decision: 'pass' };
  if (statistic <= lower) return { ...basis, decision: 'fail' };
  return { ...basis, decision: cap !== undefined && trials >= cap ? 'inconclusive' : 'continue' };
}
