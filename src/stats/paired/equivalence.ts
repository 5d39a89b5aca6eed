import { marginEvidence } from './margin-evidence.ts';
import type { MarginBasis, MarginOptions, MarginVerdict } from './margin-evidence.ts';

/** Whether two bots are shown to differ by less than the margin. */
export type Equivalence = MarginBasis &
  (
    | {
        readonly status: 'defined';
        /** `pass`: shown; `fail`: shown to differ by more than the margin; `inconclusive`: neither. */
        readonly verdict: MarginVerdict;
        /** Mean of A minus B. */
        readonly estimate: number;
        /** One-sided bounds, each at the confidence: a pass takes both inside ± margin. */
        readonly lower: number;
        readonly upper: number;
        /** Of the two one-sided tests the one with less evidence: standard errors inside the margin. */
        readonly statistic: number;
        /** The larger of the two one-sided p-values. */
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
 * Do two bots differ by less than a margin, in either direction? At 95 % confidence the bounds are those of the
 * two-sided 90 % interval.
 *
 * Method: two one-sided tests, D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987), from
 * Student's t for scores and from T. Tango, Statistics in Medicine 17 (1998), for counts.
 *
 * @throws RangeError when lists differ in length, a value is not finite, a count is not a whole number of at least
 * 0, the margin is negative or not finite (for counts: not below 1), or the confidence is below 0.5 or not below 1.
 */
export function equivalence(options: MarginOptions): Equivalence {
  const evidence = marginEvidence(options);
  const { basis } = evidence;
  if ('reason' in evidence) {
    const { estimate, reason } = evidence;
    const nothing = { verdict: null, lower: null, upper: null, statistic: null, pValue: null };
    return { ...basis, ...nothing, status: 'undefined', estimate, reason };
  }
  const { estimate, lower, upper } = evidence;
  const { margin } = basis;
  const statistic = Math.min(evidence.statisticAgainst(-margin), -evidence.statisticAgainst(margin));
  const pValue = evidence.chanceBelow(-statistic);
  const verdict =
    lower > -margin && upper < margin ? 'pass' : lower > margin || upper < -margin ? 'fail' : 'inconclusive';
  return { ...basis, status: 'defined', verdict, estimate, lower, upper, statistic, pValue };
}
