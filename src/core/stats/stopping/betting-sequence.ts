import { checkConfidence, checkDomain } from '../check-domain.ts';
import { findRoot } from '../find-root.ts';
import { defaultConfidence, undefinedInterval } from '../interval.ts';
import { momentsOf } from '../moments.ts';
import { type ConfidenceSequence, decideByEvidence, noThreshold } from './sequence-decision.ts';

/** Options of {@link bettingSequence}: the scores so far and the decision to make. */
export type BettingOptions = {
  /**
   * Values in [0, 1], in an order that was fixed before any was seen; the order matters. For A against B: (A − B + 1) /
   * 2.
   */
  readonly values: readonly number[];
  /** A mean to decide about, strictly between 0 and 1; for A against B: ½. */
  readonly threshold?: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/**
 * Returns a confidence sequence for the mean of scores in [0, 1], without any other assumption: one may look after
 * every case and stop at any time, and the chance that the interval ever misses the truth stays below 1 − confidence.
 * With a threshold it also decides: the chance of ever passing a mean that is not above the threshold, or of ever
 * failing one that is not below it, stays below 1 − confidence.
 *
 * Method: hedged capital of I. Waudby-Smith & A. Ramdas, "Estimating means of bounded random variables by betting",
 * Journal of the Royal Statistical Society B 86 (2024), section 4.4, with their predictable plug-in bets cut at ½.
 *
 * @throws RangeError when a value is outside [0, 1], or the threshold or the confidence is not strictly between 0 and
 * 1.
 */
export function bettingSequence(options: BettingOptions): ConfidenceSequence {
  const { values, threshold, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const isInside = threshold === undefined || (threshold > 0 && threshold < 1);
  checkDomain(isInside, 'threshold', threshold, 'between 0 and 1, both excluded');
  const bets = betsOn(values, confidence);
  const above = (mean: number) => logCapital(values, bets, mean);
  const mirrored = Float64Array.from(values, (value) => 1 - value);
  const below = (mean: number) => logCapital(mirrored, bets, 1 - mean);
  const state =
    threshold === undefined
      ? noThreshold
      : decideByEvidence({ above: above(threshold), below: below(threshold) }, { threshold, confidence });
  const basis = { n: values.length, confidence, method: 'betting-sequence', ...state } as const;
  if (values.length === 0) return undefinedInterval({ ...basis, estimate: null, reason: 'no values' });
  // Half of the capital is bet on either side.
  const needed = Math.LN2 - Math.log1p(-confidence);
  const lower = above(0) < needed ? 0 : findRoot({ low: 0, high: 1, of: (mean) => above(mean) - needed });
  const upper = below(1) < needed ? 1 : findRoot({ low: 0, high: 1, of: (mean) => below(mean) - needed });
  return { ...basis, status: 'defined', estimate: momentsOf(values).mean, lower, upper };
}

/** Returns the bet on each value, from the values before it only: √(2 ln(2/α) / (σ²_{t−1} t ln(1 + t))). */
function betsOn(values: readonly number[], confidence: number): Float64Array {
  const numerator = 2 * (Math.LN2 - Math.log1p(-confidence));
  let variance = 1 / 4;
  let sum = 1 / 2;
  let squares = 1 / 4;
  return Float64Array.from(values, (value, place) => {
    checkDomain(value >= 0 && value <= 1, `value ${place + 1}`, value, 'from 0 to 1');
    const t = place + 1;
    const bet = Math.sqrt(numerator / (variance * t * Math.log1p(t)));
    sum += value;
    squares += (value - sum / (t + 1)) ** 2;
    variance = squares / (t + 1);
    return bet;
  });
}

/** Returns ln of the capital after betting that the mean lies above `mean`. It falls as `mean` rises. */
function logCapital(values: ArrayLike<number>, bets: Float64Array, mean: number): number {
  const most = 1 / (2 * mean);
  let capital = 0;
  for (let place = 0; place < bets.length; place += 1) {
    capital += Math.log1p(Math.min(bets[place] as number, most) * ((values[place] as number) - mean));
  }
  return capital;
}

/** Options of {@link createBettingMixture}. */
export type BettingMixtureOptions = {
  /** The mean that the true mean is bet to exceed. */
  readonly mean: number;
  /**
   * The number of values in all, when the mean is the mean of these values alone and they are seen in random order; when
   * undefined, the values are independent and the mean is the mean of their source.
   */
  readonly population?: number;
};

/** Evidence that grows with every value and may be looked at after each. */
export type BettingMixture = {
  /**
   * Adds a value.
   * @throws RangeError for a value outside [0, 1], or beyond the population.
   */
  add(value: number): void;
  /**
   * Returns the capital of fair bets that started with 1: Infinity once the remaining values cannot change the result,
   * otherwise at most 1e300.
   */
  evidence(): number;
};

/** Shares of the greatest bet without debt: large ones for clear cases, small ones for close ones. */
export const betShares = [1, 0.75, 0.5, 0.35, 0.25, 0.175, 0.125, 0.0875, 0.06, 0.03, 0.01];
/** The weights of the shares; the first has more, because it decides clear cases. */
export const betWeights = betShares.map((_, place) => (place === 0 ? 0.2 : 0.08));
const most = 1e300;
const tolerance = 1e-10;

/**
 * Creates a collector of evidence that the mean of values in [0, 1] lies above a given one, without any other
 * assumption: if it does not, the evidence reaches 1 / α at any look with chance α at most (Ville 1939).
 *
 * Method: a mixture of constant bets, each a share of the greatest possible one: the weighted mean over shares c of ∏
 * (1 − c + c xₜ / mₜ), by I. Waudby-Smith & A. Ramdas, "Estimating means of bounded random variables by betting",
 * Journal of the Royal Statistical Society B 86 (2024): mₜ is the given mean or, for a finite population, the mean that
 * the remaining values would need (section 5).
 */
export function createBettingMixture({ mean, population }: BettingMixtureOptions): BettingMixture {
  const fortunes = new Float64Array(betShares.length).fill(1);
  let seen = 0;
  let sum = 0;
  /** Returns the sum of the remaining values if the mean is the given one. */
  const owed = () => (population === undefined ? mean : population * mean - sum);
  const isImpossible = () => owed() < -tolerance * (population ?? 1);

  return {
    add: (value) => {
      const left = population === undefined ? 1 : population - seen;
      checkDomain(value >= 0 && value <= 1, 'value', value, 'from 0 to 1');
      checkDomain(left > 0, 'values', seen + 1, 'no more than the population');
      const expected = owed() / left;
      // The remaining values are expected to be 0: a bet could neither be lost nor be priced.
      const gain = expected > 0 ? value / expected - 1 : 0;
      for (let place = 0; place < betShares.length; place += 1) {
        const fortune = (fortunes[place] as number) * (1 + (betShares[place] as number) * gain);
        fortunes[place] = fortune > most ? most : fortune;
      }
      seen += 1;
      sum += value;
    },
    evidence: () => {
      if (isImpossible()) return Infinity;
      return fortunes.reduce((total, fortune, place) => total + fortune * (betWeights[place] as number), 0);
    },
  };
}
