import { logBeta } from '../beta.ts';
import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import type { RateOfJudge } from './rogan-gladen.ts';

/** A fresh label: whether people pass the answer, and whether the judge says the same. */
export type FreshLabel = { readonly truth: boolean; readonly isAlike: boolean };

/** The fresh labels of answers drawn at random, in the order in which they were given, and what the judge was known to do. */
export type DriftOptions = {
  readonly labels: readonly FreshLabel[];
  /** TPR and TNR with the effective numbers of labels behind them. */
  readonly sensitivity: RateOfJudge;
  readonly specificity: RateOfJudge;
  /** The number of labels of a check; 20 by default. */
  readonly size?: number;
  /** Confidence level of the limits of a check, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A check: its number of labels, and the limits of the number on which judge and people agree. */
export type DriftCheck = {
  readonly labels: number;
  readonly alike: number;
  readonly lower: number;
  readonly upper: number;
  readonly isOutside: boolean;
};

/** The evidence that the judge is right less often than it was, about the answers that people pass or about those they fail. */
export type DriftSum = {
  /** The number of labels of this kind. */
  readonly labels: number;
  readonly value: number;
  /** The value at which the loss counts as shown. */
  readonly limit: number;
  /** The number of labels of this kind at which the sum first reached the limit; null when it never did. */
  readonly alarmAt: number | null;
};

/** The checks in order, and the cumulative sums. */
export type DriftWatch = {
  readonly checks: readonly DriftCheck[];
  /** The last 20 of them. */
  readonly recent: readonly DriftCheck[];
  /** True when 3 of the last 20 checks are outside their limits, or a cumulative sum has reached its limit at any time. */
  readonly isDrifted: boolean;
  /** The labels that are too few for a check yet. */
  readonly waiting: number;
  /** For answers that people pass: a judge that became stricter. */
  readonly stricter: DriftSum;
  /** For answers that people fail: a judge that became more lenient. */
  readonly lenient: DriftSum;
};

const usualSize = 20;

/** A judge has drifted when this many of the last checks are outside their limits. */
const watched = { checks: 20, outside: 3 };

/** The loss of a rate that the cumulative sums look for. */
const loss = 0.2;

/** With a judge whose rates are known and unchanged, the mean number of labels until a sum gives a false alarm is at least this. */
const labelsToFalseAlarm = 2000;

/** The greatest and least probability of a right verdict that the cumulative sums reckon with. */
const [leastRate, mostRate] = [0.02, 0.98];

/**
 * Watches whether a judge still agrees with people as it did when its error rates were estimated. All methods condition on
 * what people say, so that a target that becomes better or worse is no drift of the judge.
 *
 * Method: checks of consecutive labels with the predictive distribution of the number of agreements, the convolution of two
 * beta-binomials (Jeffreys' prior, TPR and TNR); and, for the answers that people pass and for those they fail, a cumulative sum
 * of log likelihood ratios of a loss of 20 points (E. S. Page, Biometrika 41 (1954); M. R. Reynolds & Z. G. Stoumbos, Journal of
 * Quality Technology 31 (1999)) with the limit ln 2000, so that its mean run length without drift is at least 2,000 labels of
 * its kind (G. Lorden, Annals of Mathematical Statistics 42 (1971)). TPR and TNR are taken with one right and one wrong label
 * added, as {@link roganGladen} does. Decision 53 gives false alarms and delays.
 *
 * @throws RangeError unless rates are in [0, 1], the size is positive, and the confidence strictly between 0 and 1.
 */
export function watchDrift(options: DriftOptions): DriftWatch {
  const { labels, size = usualSize, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(Number.isSafeInteger(size) && size > 0, 'size', size, 'a whole number above 0');
  for (const { rate } of [options.sensitivity, options.specificity])
    checkDomain(rate >= 0 && rate <= 1, 'a rate', rate, 'from 0 to 1');
  const full = Math.floor(labels.length / size);
  const checks = Array.from({ length: full }, (_, index) =>
    check(labels.slice(index * size, (index + 1) * size), options, confidence),
  );
  const recent = checks.slice(-watched.checks);
  const stricter = sumEvidence(
    labels.filter(({ truth }) => truth),
    options.sensitivity,
  );
  const lenient = sumEvidence(
    labels.filter(({ truth }) => !truth),
    options.specificity,
  );
  const isOften = recent.filter(({ isOutside }) => isOutside).length >= watched.outside;
  return {
    checks,
    recent,
    isDrifted: isOften || stricter.alarmAt !== null || lenient.alarmAt !== null,
    waiting: labels.length - full * size,
    stricter,
    lenient,
  };
}

function check(
  labels: readonly FreshLabel[],
  { sensitivity, specificity }: DriftOptions,
  confidence: number,
): DriftCheck {
  const passes = labels.filter(({ truth }) => truth).length;
  const chances = convolve(predict(passes, sensitivity), predict(labels.length - passes, specificity));
  const tail = (1 - confidence) / 2;
  const alike = labels.filter(({ isAlike }) => isAlike).length;
  const lower = quantile(chances, tail);
  const upper = labels.length - quantile(chances.toReversed(), tail);
  return { labels: labels.length, alike, lower, upper, isOutside: alike < lower || alike > upper };
}

/** Returns the probability of each number of right verdicts on `n` answers, by the beta-binomial distribution. */
function predict(n: number, { rate, trials }: RateOfJudge): number[] {
  const [a, b] = [rate * trials + 0.5, (1 - rate) * trials + 0.5];
  let choose = 0;
  return Array.from({ length: n + 1 }, (_, right) => {
    if (right > 0) choose += Math.log(n - right + 1) - Math.log(right);
    return Math.exp(choose + logBeta({ a: a + right, b: b + n - right }) - logBeta({ a, b }));
  });
}

function convolve(one: readonly number[], other: readonly number[]): number[] {
  const sums = Array.from({ length: one.length + other.length - 1 }, () => 0);
  for (const [i, p] of one.entries())
    for (const [j, q] of other.entries()) sums[i + j] = (sums[i + j] as number) + p * q;
  return sums;
}

/** Returns the least value whose cumulative probability exceeds the tail. */
function quantile(chances: readonly number[], tail: number): number {
  let sum = 0;
  for (const [value, chance] of chances.entries()) {
    sum += chance;
    if (sum > tail) return value;
  }
  return chances.length - 1;
}

function sumEvidence(labels: readonly FreshLabel[], { rate, trials }: RateOfJudge): DriftSum {
  const limit = Math.log(labelsToFalseAlarm);
  const known = within((rate * trials + 1) / (trials + 2));
  const worse = within(known - loss);
  const [ofRight, ofWrong] = [Math.log(worse / known), Math.log((1 - worse) / (1 - known))];
  let value = 0;
  let alarmAt: number | null = null;
  for (const [index, { isAlike }] of labels.entries()) {
    value = Math.max(0, value + (isAlike ? ofRight : ofWrong));
    if (alarmAt === null && value >= limit) alarmAt = index + 1;
  }
  return { labels: labels.length, value, limit, alarmAt };
}

function within(rate: number): number {
  return Math.min(mostRate, Math.max(leastRate, rate));
}
