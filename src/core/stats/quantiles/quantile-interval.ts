import { binomialCdf, binomialQuantile } from '../binomial.ts';
import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { quantile } from '../quantile.ts';

/** A quantile between two of the values, in the unit of the data, or the reason why there is none. */
export type QuantileInterval = {
  readonly p: number;
  readonly n: number;
  /** The requested confidence. */
  readonly confidence: number;
  readonly method: 'order-statistics';
  /** The nearest-rank quantile; null without values. */
  readonly estimate: number | null;
} & (
  | {
      readonly status: 'defined';
      readonly lower: number;
      readonly upper: number;
      /** The ranks of the limits among the sorted values, from 1. */
      readonly lowerRank: number;
      readonly upperRank: number;
      /** The coverage of the limits, at least about the requested confidence. */
      readonly coverage: number;
    }
  | {
      readonly status: 'undefined';
      readonly lower: null;
      readonly upper: null;
      readonly lowerRank: null;
      readonly upperRank: null;
      readonly coverage: null;
      readonly reason: string;
    }
);

/**
 * Returns the confidence interval for a quantile, for any distribution. Too few values have no limits: a 95 % interval
 * of the 0.95 quantile takes 72. Its upper limit at 90 % confidence is the one-sided one at 95 %, and takes 59.
 *
 * Method: order statistics (W. J. Conover, Practical Nonparametric Statistics (1999), section 3.2): ranks are the α/2
 * quantile of Binomial(n, p), and the 1 − α/2 quantile plus 1.
 *
 * @throws RangeError when a value is not finite, or `p` or the confidence is not strictly between 0 and 1.
 */
export function quantileInterval(options: {
  readonly values: Iterable<number>;
  readonly p: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): QuantileInterval {
  const { p, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(p > 0 && p < 1, 'p', p, 'between 0 and 1, both excluded');
  const values = Float64Array.from(options.values).sort();
  const n = values.length;
  const estimate = quantile({ values, p, method: 'nearest-rank' }).value;
  const basis = { p, n, confidence, method: 'order-statistics', estimate } as const;
  const { lowerRank, upperRank } = quantileRanks({ n, p, confidence });
  if (lowerRank < 1 || upperRank > n) {
    const nothing = { lower: null, upper: null, lowerRank: null, upperRank: null, coverage: null };
    return { ...basis, ...nothing, status: 'undefined', reason: reasonFor({ n, p, confidence }) };
  }
  const chanceUpTo = (successes: number) => binomialCdf({ successes, trials: n, p });
  return {
    ...basis,
    status: 'defined',
    lowerRank,
    upperRank,
    lower: values[lowerRank - 1] as number,
    upper: values[upperRank - 1] as number,
    coverage: chanceUpTo(upperRank - 1) - chanceUpTo(lowerRank - 1),
  };
}

type Sample = { readonly n: number; readonly p: number; readonly confidence: number };

/**
 * Returns the ranks, of n sorted values from 1, between which the quantile lies; a rank below 1 or above n when there
 * are too few values.
 */
export function quantileRanks({ n, p, confidence }: Sample): { lowerRank: number; upperRank: number } {
  if (n === 0) return { lowerRank: 0, upperRank: 1 };
  const tail = (1 - confidence) / 2;
  return {
    lowerRank: binomialQuantile({ chance: tail, trials: n, p }),
    upperRank: binomialQuantile({ chance: 1 - tail, trials: n, p }) + 1,
  };
}

/** Describes how many values the interval would take: both p^n and (1 − p)^n at most α/2. */
function reasonFor({ n, p, confidence }: Sample): string {
  if (n === 0) return 'no values';
  const needed = Math.ceil(Math.log((1 - confidence) / 2) / Math.log(Math.max(p, 1 - p)));
  return `${n} values are too few: an interval of the ${p} quantile takes ${needed}`;
}
