import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence, type Interval, undefinedInterval } from '../interval.ts';
import { varianceOf } from '../moments.ts';
import { wilsonInterval } from '../proportion-interval.ts';

/** A share over cases that have several answers each. */
export type ShareOfCases = Interval & {
  /** The standard error over cases; null where there is none. */
  readonly standardError: number | null;
  /** The variance relative to as many independent answers; null where all are alike. */
  readonly designEffect: number | null;
  /** The number of independent answers that say as much; null where there is no interval. */
  readonly effectiveAnswers: number | null;
};

/**
 * Returns the interval for the share of answers with a property, for cases or clusters like these with several answers each: the mean
 * of the shares of the cases, with Wilson's interval at the number of independent answers of the same standard error, at most the
 * number of answers. Where all answers are alike, each case counts once.
 *
 * Method: Wilson's interval by the effective sample size θ(1 − θ)/SE² (Korn & Graubard, Survey Methodology 24, 1998). In simulations of
 * beta-binomial answers of 20 and 50 cases it covers 90.9 to 96.0 %, pooled answers 76 to 93 %.
 *
 * @throws RangeError unless counts are whole, 0 ≤ successes ≤ answers, and the confidence is strictly between 0 and 1.
 */
export function shareOfCases({
  cases,
  confidence = defaultConfidence,
}: {
  /** The numbers of answers with the property, and of all, of each case. */
  readonly cases: readonly { readonly successes: number; readonly answers: number }[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): ShareOfCases {
  checkConfidence(confidence);
  for (const { successes, answers } of cases)
    checkDomain(answers > 0 && successes >= 0 && successes <= answers, 'successes', successes, 'a count');
  const shares = cases.map(({ successes, answers }) => successes / answers);
  const answers = cases.reduce((sum, each) => sum + each.answers, 0);
  const basis = { n: answers, clusters: cases.length, confidence, method: 'effective-wilson' } as const;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  if (cases.length < 2) {
    const reason = cases.length === 0 ? 'nothing was read' : 'a single question shows no spread';
    const estimate = cases.length === 0 ? null : mean;
    const nothing = { standardError: null, designEffect: null, effectiveAnswers: null };
    return { ...undefinedInterval({ ...basis, estimate, reason }), ...nothing };
  }
  const n = shares.length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0);
  const standardError = Math.sqrt(varianceOf({ n, mean, squares }) / n);
  const ofOne = mean * (1 - mean);
  const isAlike = ofOne === 0;
  const effective = isAlike ? n : Math.min(answers, ofOne / standardError ** 2);
  const { lower, upper } = wilsonInterval({ successes: mean * effective, trials: effective, confidence });
  return {
    ...basis,
    status: 'defined',
    estimate: mean,
    lower: lower ?? 0,
    upper: upper ?? 1,
    standardError,
    designEffect: isAlike ? null : standardError ** 2 / (ofOne / answers),
    effectiveAnswers: effective,
  };
}
