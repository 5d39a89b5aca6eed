import { checkDomain } from '../check-domain.ts';

/** Variances as {@link varianceComponents} returns them, and the costs of questions and runs. */
export type RepeatsPlanOptions = {
  /** Variance of true question means. */
  readonly betweenVariance: number;
  /** Variance of the repeats of one question. */
  readonly withinVariance: number;
  /** The cost of one more question, in any unit; 1 by default. */
  readonly questionCost?: number;
  /** The cost of one run of a question, in the same unit; 1 by default. */
  readonly runCost?: number;
  /** The number of questions, for the standard errors; 1 by default. */
  readonly questions?: number;
};

/** The precision of a number of runs of every question. */
export type RepeatsChoice = {
  /** The number of runs; null for infinitely many. */
  readonly repeats: number | null;
  /** The standard error of the mean over the questions. */
  readonly standardError: number;
  /** The share of the variance of a single run that is removed; null when there is none. */
  readonly varianceSaved: number | null;
};

/** The number of repeats that is worth its cost, or the reason why it cannot be computed. */
export type RepeatsPlan = {
  /** The precision of 1, 2, 4, 8, 16 and infinitely many runs. */
  readonly choices: readonly RepeatsChoice[];
} & (
  | {
      readonly status: 'defined';
      /** The whole number of runs of every question with the smallest error for the money. */
      readonly repeats: number;
      /** The number of runs before rounding; below 1 when even a single run costs more than it is worth. */
      readonly unrounded: number;
    }
  | {
      readonly status: 'undefined';
      readonly repeats: null;
      readonly unrounded: null;
      readonly reason: string;
    }
);

const CHOICES = [1, 2, 4, 8, 16, Infinity];

/**
 * Returns the number of times to run every question: repeats reduce noise, but only more questions reduce the chance of
 * having picked easy ones.
 *
 * Method: W. G. Cochran, Sampling Techniques (1977), section 10.6, two-stage sampling: K* = √(questionCost / runCost ·
 * σ_w² / σ_b²), rounded to the whole number with the smaller product of cost and variance; standard errors √((σ_b² +
 * σ_w² / K) / n).
 *
 * @throws RangeError when a variance is negative or not finite, or a cost or the number of questions is not positive
 * and finite.
 */
export function repeatsPlan(options: RepeatsPlanOptions): RepeatsPlan {
  const { betweenVariance, withinVariance, questionCost = 1, runCost = 1, questions = 1 } = options;
  for (const [name, variance] of Object.entries({ betweenVariance, withinVariance })) {
    checkDomain(variance >= 0 && variance < Infinity, name, variance, 'finite and at least 0');
  }
  for (const [name, amount] of Object.entries({ questionCost, runCost, questions })) {
    checkDomain(amount > 0 && amount < Infinity, name, amount, 'positive and finite');
  }
  const varianceAt = (repeats: number) => betweenVariance + withinVariance / repeats;
  const choices = CHOICES.map((repeats) => ({
    repeats: repeats === Infinity ? null : repeats,
    standardError: Math.sqrt(varianceAt(repeats) / questions),
    varianceSaved: varianceAt(1) === 0 ? null : 1 - varianceAt(repeats) / varianceAt(1),
  }));
  if (betweenVariance === 0) {
    const reason = 'the questions do not differ: a repeat is worth as much as a question';
    return { status: 'undefined', repeats: null, unrounded: null, reason, choices };
  }
  const unrounded = Math.sqrt((questionCost / runCost) * (withinVariance / betweenVariance));
  const priceOf = (repeats: number) => (questionCost + runCost * repeats) * varianceAt(repeats);
  const fewer = Math.max(1, Math.floor(unrounded));
  const repeats = priceOf(fewer + 1) < priceOf(fewer) ? fewer + 1 : fewer;
  return { status: 'defined', repeats, unrounded, choices };
}
