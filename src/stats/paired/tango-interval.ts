import { checkConfidence } from '../check-domain.ts';
import { defaultConfidence, undefinedInterval } from '../interval.ts';
import type { Interval } from '../interval.ts';
import { normalQuantile } from '../normal.ts';
import { countPairs } from './paired-counts.ts';
import type { PairedCounts } from './paired-counts.ts';
import { tangoLimits } from './tango-score.ts';

/**
 * Score interval for the difference of two pass rates, A minus B, on the same questions: the one to report. It has
 * a width even when the bots agree in everything.
 *
 * Method: T. Tango, "Equivalence test and confidence interval for the difference in proportions for the
 * paired-sample design", Statistics in Medicine 17 (1998).
 *
 * @throws RangeError unless the counts are whole numbers of at least 0 and the confidence is strictly between 0
 * and 1.
 */
export function tangoInterval(
  options: PairedCounts & {
    /** Confidence level, strictly between 0 and 1; 0.95 when not given. */
    readonly confidence?: number;
  },
): Interval {
  const { aOnly, bOnly, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const n = countPairs(options);
  const basis = { n, confidence, method: 'tango' } as const;
  if (n === 0) return undefinedInterval({ ...basis, estimate: null, reason: 'no pairs' });
  const z = -normalQuantile((1 - confidence) / 2);
  const limits = tangoLimits({ aOnly, bOnly, n }, z);
  return { ...basis, status: 'defined', estimate: (aOnly - bOnly) / n, ...limits };
}
