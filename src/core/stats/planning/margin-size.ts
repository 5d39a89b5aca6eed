import { binomialCdf } from '../binomial.ts';
import { checkDomain } from '../check-domain.ts';
import { chancesOfShare, groupsOnGrid } from '../means/bounded-mean.ts';
import { studentTQuantile } from '../student-t.ts';
import { type PlanLevel, planQuantiles } from './plan-level.ts';
import { nonInferioritySampleSize, trialsWithoutFailure } from './sample-size.ts';

/** The pairs of a planned comparison that is to rule out a loss. */
export type MarginPlan = PlanLevel & {
  /** The share of the pairs that differ in either direction: B passes and A does not, or vice versa. */
  readonly discordance: number;
  /** The loss to rule out, strictly between 0 and 1. */
  readonly margin: number;
  /** The true mean of B minus A; 0 by default. */
  readonly difference?: number;
};

/** The most pairs for which {@link pairsForMargin} enumerates what may happen. */
const mostEnumerated = 400;

/** A planned number of pairs. */
export type MarginPairs = {
  readonly n: number;
  /** True when the power was enumerated, false for a formula: over 400 pairs. */
  readonly isExact: boolean;
};

/**
 * Returns the least number of pairs that show, with the power, that a loss is smaller than a margin, by the very bound of
 * gates (`boundedMeanBounds`): enumerated over all numbers of wins and losses up to 400 pairs. Beyond, it is the number
 * of {@link nonInferioritySampleSize} with the part of the bound that allows for one loss more, see {@link pairsWithUnseen}.
 * The power is not monotone in the number of pairs, so that a few more may have slightly less.
 *
 * @throws RangeError when a share is not from 0 to 1, the difference exceeds the discordance, margin + difference is not above 0, or
 * confidence or power is not strictly between 0 and 1.
 */
export function pairsForMargin(plan: MarginPlan): MarginPairs {
  const { discordance, margin, difference = 0 } = plan;
  checkDomain(discordance >= 0 && discordance <= 1, 'discordance', discordance, 'from 0 to 1');
  checkDomain(margin > 0 && margin < 1, 'margin', margin, 'between 0 and 1, both excluded');
  checkDomain(Math.abs(difference) <= discordance, 'difference', difference, `within ± ${discordance}`);
  const { power, confidence } = planQuantiles(plan, 1);
  const least = trialsWithoutFailure({ share: margin, confidence });
  const variance = discordance - difference ** 2;
  if (variance <= 0 && difference === 0) return { n: least, isExact: true };
  const level = { power, confidence };
  const formula =
    variance > 0
      ? nonInferioritySampleSize({ ...level, standardDeviation: Math.sqrt(variance), margin, difference })
          .unrounded
      : 0;
  for (let n = Math.max(least, Math.floor(0.9 * formula)); n <= mostEnumerated; n += 1) {
    if (powerOfPairs({ ...plan, n }) >= power) return { n, isExact: true };
  }
  return { n: pairsWithUnseen(formula, { ...level, margin, difference }), isExact: false };
}

/**
 * Returns the number of pairs of a normal test, with those that the bound of gates needs beyond: it includes one more pair
 * that lost everything, a loss of about 1 / n.
 */
export function pairsWithUnseen(
  planned: number,
  {
    margin,
    difference = 0,
    confidence,
  }: Pick<MarginPlan, 'margin' | 'difference'> & { readonly confidence: number },
): number {
  const withUnseen = ((Math.sqrt(planned) + Math.sqrt(planned + 4 / (margin + difference))) / 2) ** 2;
  return Math.max(Math.ceil(withUnseen - 1e-9), trialsWithoutFailure({ share: margin, confidence }));
}

/**
 * Returns the chance that a number of pairs shows a loss smaller than the margin, by the bound of gates: the sum over
 * all numbers of wins and losses. Its error is below 1e-9.
 *
 * @throws RangeError when confidence or power is not strictly between 0 and 1.
 */
export function powerOfPairs(plan: MarginPlan & { readonly n: number }): number {
  const { discordance, margin, difference = 0, n } = plan;
  const { confidence } = planQuantiles(plan, 1);
  const share = (1 - margin) / 2;
  const isShown = (wins: number, losses: number): boolean => {
    const groups = [
      { sum: 0, size: 1, count: losses },
      { sum: 0.5, size: 1, count: n - wins - losses },
      { sum: 1, size: 1, count: wins },
    ].filter(({ count }) => count > 0);
    return chancesOfShare(groupsOnGrid(groups), share).above < 1 - confidence;
  };
  const [won, lost] = [(discordance + difference) / 2, (discordance - difference) / 2];
  const ofWin = lost >= 1 ? 0 : Math.min(1, won / (1 - lost));
  let [power, wins, before] = [0, 0, 0];
  for (let losses = 0; losses <= n; losses += 1) {
    const until = binomialCdf({ successes: losses, trials: n, p: lost });
    const chance = until - before;
    before = until;
    // The more losses, the more wins it takes.
    while (wins <= n - losses && !isShown(wins, losses)) wins += 1;
    if (wins > n - losses) break;
    const fewer = wins === 0 ? 0 : binomialCdf({ successes: wins - 1, trials: n - losses, p: ofWin });
    power += chance * (1 - fewer);
    if (1 - until < 1e-10) break;
  }
  return power;
}

/** Pairs in clusters whose differences are correlated. */
export type ClusteredMarginPlan = MarginPlan & {
  /** The mean number of pairs in a cluster. */
  readonly size: number;
  /** The coefficient of variation of that number: its standard deviation by its mean; 0 by default. */
  readonly variation?: number;
  /** The correlation of the differences of two pairs of a cluster. */
  readonly correlation: number;
};

/** A planned number of clusters. */
export type MarginClusters = {
  readonly clusters: number;
  /** The factor by which the clusters raise the variance: 1 + ((cv² + 1) k − 1) ρ. */
  readonly designEffect: number;
};

/**
 * Returns the least number of clusters that show, with the power, that a loss is smaller than a margin: never fewer than
 * {@link trialsWithoutFailure} clusters without a loss.
 *
 * Method: G ≥ (t_{1−α,G−1} + t_{1−β,G−1})² (ψ − δ²) deff / (k (m + δ)²), with the design effect of clusters of unequal size
 * (S. M. Eldridge, D. Ashby & S. Kerry, Int. J. Epidemiology 35 (2006)).
 *
 * @throws RangeError when a size is not at least 1, a part is not finite, margin + difference is not above 0, or confidence or power is
 * not strictly between 0 and 1.
 */
export function clustersForMargin(plan: ClusteredMarginPlan): MarginClusters {
  const { discordance, margin, difference = 0, size, variation = 0, correlation } = plan;
  checkDomain(size >= 1 && size < Infinity, 'size', size, 'at least 1');
  checkDomain(margin + difference > 0, 'margin + difference', margin + difference, 'above 0');
  const designEffect = Math.max(0, 1 + ((variation ** 2 + 1) * size - 1) * correlation);
  const { power, confidence } = planQuantiles(plan, 1);
  const ofOne = ((discordance - difference ** 2) * designEffect) / (size * (margin + difference) ** 2);
  const least = Math.max(2, trialsWithoutFailure({ share: margin, confidence }));
  return { clusters: clustersFor(ofOne, { confidence, power }, least), designEffect };
}

/**
 * Returns the least number of clusters G of at least `least` with G ≥ (t_{confidence,G−1} + t_{power,G−1})² v, where v is the variance
 * that one cluster leaves, by the square of what is to be seen.
 */
export function clustersFor(ofOne: number, { confidence, power }: Required<PlanLevel>, least = 2): number {
  const isEnough = (clusters: number) =>
    clusters >= reachOf(clusters - 1, { confidence, power }) ** 2 * ofOne;
  let [low, high] = [least, least];
  while (!isEnough(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return isEnough(low) ? low : high;
}

/** Returns the sum of the quantiles of Student's t of the test and of the power. */
export function reachOf(degreesOfFreedom: number, { confidence, power }: Required<PlanLevel>): number {
  const [test, ofPower] = [confidence, power].map((p) => studentTQuantile({ p, degreesOfFreedom }));
  return (test as number) + (ofPower as number);
}
