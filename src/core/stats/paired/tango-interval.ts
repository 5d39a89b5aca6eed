import { checkConfidence } from '../check-domain.ts';
import { findRoot } from '../find-root.ts';
import { defaultConfidence, type Interval, undefinedInterval } from '../interval.ts';
import { normalQuantile } from '../normal.ts';
import { countPairs, type PairedCounts } from './mcnemar.ts';

/**
 * Returns the score interval for the difference of two pass rates, A minus B, on the same questions: the one to report.
 * It has a width even when the bots agree in everything.
 *
 * Method: T. Tango, "Equivalence test and confidence interval for the difference in proportions for the paired-sample
 * design", Statistics in Medicine 17 (1998).
 *
 * @throws RangeError unless the counts are whole numbers of at least 0 and the confidence is strictly between 0 and 1.
 */
export function tangoInterval(
  options: PairedCounts & {
    /** Confidence level, strictly between 0 and 1; 0.95 by default. */
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

/** Questions on which two bots disagree, and all questions. */
type Discordance = { readonly aOnly: number; readonly bOnly: number; readonly n: number };

/**
 * Returns the distance of the observed difference of two paired pass rates (A minus B) above a hypothetical one from −1
 * to 1, in standard deviations; 0 when both agree in everything and the hypothetical difference is 0.
 *
 * Method: T. Tango, Statistics in Medicine 17 (1998): score statistic with the constrained maximum-likelihood estimate
 * q21 of the share of questions that only B passes.
 */
export function tangoScore(counts: Discordance, difference: number): number {
  const { aOnly, bOnly, n } = counts;
  const distance = aOnly - bOnly - n * difference;
  return distance === 0 ? 0 : distance / Math.sqrt(scoreVariance(counts, difference));
}

/** Returns the hypothetical differences at which {@link tangoScore} is z and −z, for z of at least 0. */
export function tangoLimits(counts: Discordance, z: number): { lower: number; upper: number } {
  const estimate = (counts.aOnly - counts.bOnly) / counts.n;
  const lower = findRoot({ low: -1, high: estimate, of: (supposed) => tangoScore(counts, supposed) - z });
  const upper = findRoot({ low: estimate, high: 1, of: (supposed) => tangoScore(counts, supposed) + z });
  return { lower, upper };
}

/** Returns the variance n (2 q21 + d (1 − d)), with q21 the larger root of 2n q² + B q − C. */
function scoreVariance({ aOnly, bOnly, n }: Discordance, d: number): number {
  const b = -aOnly - bOnly + (2 * n - aOnly + bOnly) * d;
  const c = bOnly * d * (1 - d);
  const root = Math.sqrt(Math.max(0, b * b + 8 * n * c));
  const q21 = b > 0 ? (2 * c) / (b + root) : (root - b) / (4 * n);
  return Math.max(0, n * (2 * q21 + d * (1 - d)));
}
