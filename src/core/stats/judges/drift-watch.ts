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
  /** The lower limits of both, which the cumulative sum starts from. */
  readonly leastSensitivity: number;
  readonly leastSpecificity: number;
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

/** The checks in order, and the cumulative sum. */
export type DriftWatch = {
  readonly checks: readonly DriftCheck[];
  /** The last 20 of them. */
  readonly recent: readonly DriftCheck[];
  /** True when 3 of the last 20 checks are outside their limits, or the cumulative sum has reached its limit at any time. */
  readonly isDrifted: boolean;
  /** The labels that are too few for a check yet. */
  readonly waiting: number;
  readonly cusum: {
    readonly value: number;
    readonly limit: number;
    /** The number of labels at which the sum first reached the limit; null when it never did. */
    readonly alarmAt: number | null;
  };
};

const usualSize = 20;

/** A judge has drifted when this many of the last checks are outside their limits. */
const watched = { checks: 20, outside: 3 };

/** The loss of a rate that the cumulative sum looks for. */
const loss = 0.1;

/** With an unchanged judge, the mean number of labels until the cumulative sum gives a false alarm is at least this. */
const labelsToFalseAlarm = 2000;

/** The greatest and least probability of a right verdict that the cumulative sum reckons with. */
const [leastRate, mostRate] = [0.02, 0.98];

/**
 * Watches whether a judge still agrees with people as it did when its error rates were estimated. Both methods condition on
 * what people say, so that a target that becomes better or worse is no drift of the judge.
 *
 * Method: checks of consecutive labels with the predictive distribution of the number of agreements, the convolution of two
 * beta-binomials (Jeffreys' prior, TPR and TNR); and the cumulative sum of log likelihood ratios of a loss of 10 points (E. S. Page,
 * Biometrika 41 (1954); M. R. Reynolds & Z. G. Stoumbos, Journal of Quality Technology 31 (1999)) with the limit ln 2000, so
 * that the mean run length without drift is at least 2,000 labels (G. Lorden, Annals of Mathematical Statistics 42 (1971)).
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
  const cusum = sumEvidence(options);
  const isOften = recent.filter(({ isOutside }) => isOutside).length >= watched.outside;
  return {
    checks,
    recent,
    isDrifted: isOften || cusum.alarmAt !== null,
    waiting: labels.length - full * size,
    cusum,
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

function sumEvidence({ labels, leastSensitivity, leastSpecificity }: DriftOptions): DriftWatch['cusum'] {
  const limit = Math.log(labelsToFalseAlarm);
  let value = 0;
  let alarmAt: number | null = null;
  for (const [index, { truth, isAlike }] of labels.entries()) {
    const known = within(truth ? leastSensitivity : leastSpecificity);
    const worse = within(known - loss);
    const ratio = isAlike ? worse / known : (1 - worse) / (1 - known);
    value = Math.max(0, value + Math.log(ratio));
    if (alarmAt === null && value >= limit) alarmAt = index + 1;
  }
  return { value, limit, alarmAt };
}

function within(rate: number): number {
  return Math.min(mostRate, Math.max(leastRate, rate));
}
