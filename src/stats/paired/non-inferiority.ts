import { marginEvidence } from './margin-evidence.ts';
import type { MarginBasis, MarginOptions, MarginVerdict } from './margin-evidence.ts';

/** Whether a candidate is shown not to be worse than a baseline by more than the margin. */
export type NonInferiority = MarginBasis &
  (
    | {
        readonly status: 'defined';
        /** `pass`: shown; `fail`: shown to be worse by more than the margin; `inconclusive`: neither. */
        readonly verdict: MarginVerdict;
        /** Mean of candidate minus baseline. */
        readonly estimate: number;
        /** One-sided bounds, each at the confidence: a pass takes `lower` above −margin. */
        readonly lower: number;
        readonly upper: number;
        /** How many standard errors the estimate lies above −margin. */
        readonly statistic: number;
        /** One-sided, of the candidate being worse by the margin or more. */
        readonly pValue: number;
      }
    | {
        readonly status: 'undefined';
        readonly verdict: null;
        readonly estimate: number | null;
        readonly lower: null;
        readonly upper: null;
        readonly statistic: null;
        readonly pValue: null;
        readonly reason: string;
      }
  );

/**
 * Gate: is the candidate (A) not worse than the baseline (B) by more than a margin? The difference is A minus B; a
 * margin of 0 asks whether it is better. Scores that all differ by the same amount show no spread and leave the
 * verdict undefined; counts always have one.
 *
 * Method: one-sided bound against −margin (Piaggio et al., JAMA 308 (2012)), from Student's t for scores and from
 * T. Tango, Statistics in Medicine 17 (1998), for counts.
 *
 * @throws RangeError when lists differ in length, a value is not finite, a count is not a whole number of at least
 * 0, the margin is negative or not finite (for counts: not below 1), or the confidence is below 0.5 or not below 1.
 */
export function nonInferiority(options: MarginOptions): NonInferiority {
  const evidence = marginEvidence(options);
  const { basis } = evidence;
  if ('reason' in evidence) {
    const { estimate, reason } = evidence;
    const nothing = { verdict: null, lower: null, upper: null, statistic: null, pValue: null };
    return { ...basis, ...nothing, status: 'undefined', estimate, reason };
  }
  const { estimate, lower, upper } = evidence;
  const statistic = evidence.statisticAgainst(-basis.margin);
  const pValue = evidence.chanceBelow(-statistic);
  const verdict = lower > -basis.margin ? 'pass' : upper < -basis.margin ? 'fail' : 'inconclusive';
  return { ...basis, status: 'defined', verdict, estimate, lower, upper, statistic, pValue };
}
