import { checkConfidence } from '../check-domain.ts';
import { defaultConfidence, type Interval, undefinedInterval } from '../interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { countPairs, type PairedCounts } from './mcnemar.ts';

/**
 * Returns the closed-form interval for the difference of two pass rates, A minus B, on the same questions: near
 * Tango's, from the Wilson intervals of both rates and their correlation.
 *
 * Method: R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on
 * paired data", Statistics in Medicine 17 (1998), method 10.
 *
 * @throws RangeError unless the counts are whole numbers of at least 0 and the confidence is strictly between 0 and 1.
 */
export function newcombePairedInterval(
  options: PairedCounts & {
    /** Confidence level, strictly between 0 and 1; 0.95 by default. */
    readonly confidence?: number;
  },
): Interval {
  const { both, aOnly, bOnly, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const n = countPairs(options);
  const basis = { n, confidence, method: 'newcombe-paired' } as const;
  if (n === 0) return undefinedInterval({ ...basis, estimate: null, reason: 'no pairs' });
  const estimate = (aOnly - bOnly) / n;
  const a = distances({ successes: both + aOnly, trials: n, confidence });
  const b = distances({ successes: both + bOnly, trials: n, confidence });
  const phi = correctedPhi(options);
  return {
    ...basis,
    status: 'defined',
    estimate,
    lower: estimate - joined(a.below, b.above, phi),
    upper: estimate + joined(a.above, b.below, phi),
  };
}

type Distances = { readonly below: number; readonly above: number };

/** Returns the distances of Wilson's limits from the rate. */
function distances(proportion: { successes: number; trials: number; confidence: number }): Distances {
  const { estimate, lower, upper } = wilsonInterval(proportion);
  const rate = estimate as number;
  return { below: rate - (lower as number), above: (upper as number) - rate };
}

function joined(x: number, y: number, phi: number): number {
  return Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
}

/** Returns the correlation of the two bots' passes, a positive one reduced by Newcombe's continuity correction. */
function correctedPhi({ both, aOnly, bOnly, neither }: PairedCounts): number {
  const scale = (both + aOnly) * (bOnly + neither) * (both + bOnly) * (aOnly + neither);
  if (scale === 0) return 0;
  const excess = both * neither - aOnly * bOnly;
  const half = (both + aOnly + bOnly + neither) / 2;
  return (excess > 0 ? Math.max(0, excess - half) : excess) / Math.sqrt(scale);
}
