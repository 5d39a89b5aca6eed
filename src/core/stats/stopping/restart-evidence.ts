import { checkDomain } from '../check-domain.ts';
import { betShares, betWeights } from './betting-sequence.ts';

/** The scores of one day: all of them, or of passes and failures their numbers. */
export type DayScores =
  | { readonly scores: readonly number[] }
  | { readonly passes: number; readonly n: number };

/** Options of {@link restartEvidence}. */
export type RestartEvidenceOptions = {
  /** The days in their order; each with the scores that were drawn on it. */
  readonly days: readonly DayScores[];
  /** The mean that is claimed to hold on every day, strictly between 0 and 1. */
  readonly threshold: number;
};

/** The evidence after the last day. */
export type RestartEvidence = {
  /** The capital of fair bets that started with 1, at most 1e300; an alarm at 1 / α is false with chance α at most. */
  readonly evidence: number;
};

/** The rates below a threshold of .9 that are bet on; for another threshold, the same shares of it. */
const rates = [0.88, 0.86, 0.84, 0.8, 0.75, 0.65].map((rate) => rate / 0.9);
const most = 1e300;

/**
 * Returns the evidence that the mean of production lies below a threshold, which may be looked at after every day: if it is at
 * the threshold or better on every day, the evidence ever reaches 1 / α with chance α at most. It begins again each day with a
 * share of the capital, so that good months hide no bad week.
 *
 * Method: a mixture of likelihood ratios that start on each day d with the weight 1 / (d (d + 1)), whose sum is 1 (J. Ville
 * 1939; for draws without replacement, W. Hoeffding, Journal of the American Statistical Association 58 (1963)): S ← (S + 1 / (d (d + 1)))
 * (q / m)^x ((1 − q) / (1 − m))^(n − x), the mean over six rates q. From the day after the first score that is neither 0 nor 1,
 * new capital is bet as by `createBettingMixture`, whose bets of all start days grow alike, so that one sum a share holds them.
 *
 * @throws RangeError for a threshold that is not strictly between 0 and 1, and for scores outside [0, 1].
 */
export function restartEvidence({ days, threshold }: RestartEvidenceOptions): RestartEvidence {
  checkDomain(threshold > 0 && threshold < 1, 'threshold', threshold, 'between 0 and 1, both excluded');
  const ratios = new Float64Array(rates.length);
  const bets = new Float64Array(betShares.length);
  let isFractional = false;
  for (const [place, day] of days.entries()) {
    const scores = sumOf(day);
    const weight = 1 / ((place + 1) * (place + 2));
    for (const [index, rate] of rates.entries()) {
      const before = (ratios[index] as number) + (isFractional ? 0 : weight);
      ratios[index] = Math.min(most, before * Math.exp(logRatio(rate * threshold, threshold, scores)));
    }
    for (const [index, share] of betShares.entries()) {
      const before = (bets[index] as number) + (isFractional ? weight : 0);
      bets[index] = before === 0 ? 0 : Math.min(most, before * Math.exp(logGain(share, threshold, day)));
    }
    isFractional ||= scores.isFractional;
  }
  const ofRatios = ratios.reduce((sum, each) => sum + each / rates.length, 0);
  const ofBets = bets.reduce((sum, each, index) => sum + each * (betWeights[index] as number), 0);
  return { evidence: Math.min(most, ofRatios + ofBets) };
}

/** Returns the sum and the number of a day's scores, and whether one is neither 0 nor 1. */
function sumOf(day: DayScores): { readonly sum: number; readonly n: number; readonly isFractional: boolean } {
  if ('n' in day) {
    const { passes, n } = day;
    checkDomain(passes >= 0 && passes <= n, 'passes', passes, `from 0 to ${n}`);
    return { sum: passes, n, isFractional: false };
  }
  let sum = 0;
  for (const score of day.scores) {
    checkDomain(score >= 0 && score <= 1, 'a score', score, 'from 0 to 1');
    sum += score;
  }
  return { sum, n: day.scores.length, isFractional: day.scores.some((score) => score > 0 && score < 1) };
}

/** Returns ln of the likelihood ratio of two rates; for fractional scores it is a fair bet too, since it is convex in each. */
function logRatio(
  rate: number,
  threshold: number,
  { sum, n }: { readonly sum: number; readonly n: number },
): number {
  return sum * Math.log(rate / threshold) + (n - sum) * Math.log((1 - rate) / (1 - threshold));
}

/** Returns ln of what a bet on failures gains on a day: each score s multiplies it by 1 − c + c (1 − s) / (1 − m). */
function logGain(share: number, threshold: number, day: DayScores): number {
  const scores = 'n' in day ? [] : day.scores;
  const gain = (score: number) => Math.log(1 - share + (share * (1 - score)) / (1 - threshold));
  if ('n' in day)
    return (
      (day.passes === 0 ? 0 : day.passes * gain(1)) +
      (day.n === day.passes ? 0 : (day.n - day.passes) * gain(0))
    );
  return scores.reduce((sum, score) => sum + gain(score), 0);
}
