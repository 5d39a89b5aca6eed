import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import {
  type NormalInterval,
  normalInterval,
  shareRange,
  undefinedNormalInterval,
} from '../normal-interval.ts';
import { midRanks } from '../correlation/spearman.ts';

/** Scores of a judge, and the verdicts of people on the same items at the same positions. */
export type ScoredVerdicts = {
  readonly scores: readonly number[];
  /** The settled verdicts of people. */
  readonly truth: readonly boolean[];
};

/** The area under the ROC curve with its interval; `n` is the number of items. */
export type RocAuc = NormalInterval & { readonly positives: number; readonly negatives: number };

/**
 * Measures how well a score separates people's yes from their no: the chance that a yes has a higher score than a no,
 * ties counting half; 0.5 for a score that says nothing. It does not depend on the prevalence.
 *
 * Method: E. R. DeLong, D. M. DeLong & D. L. Clarke-Pearson, Biometrics 44 (1988), by mid-ranks (X. Sun & W. Xu, IEEE
 * Signal Processing Letters 21 (2014)). Without any overlap of the scores the variance is 0, and there is no interval.
 *
 * @throws RangeError when the lists differ in length, a score is not finite, or the confidence is not strictly between 0
 * and 1.
 */
export function rocAuc(
  options: ScoredVerdicts & {
    /** Confidence level, strictly between 0 and 1; 0.95 by default. */
    readonly confidence?: number;
  },
): RocAuc {
  const { scores, truth, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(truth.length === scores.length, 'truth.length', truth.length, `${scores.length}`);
  const positiveScores = scores.filter((_, place) => truth[place] === true);
  const negativeScores = scores.filter((_, place) => truth[place] === false);
  const [positives, negatives] = [positiveScores.length, negativeScores.length];
  const basis = { n: scores.length, positives, negatives, confidence, method: 'delong' } as const;
  const ranks = midRanks(scores);
  if (positives === 0 || negatives === 0) {
    const reason = positives === 0 ? 'people say no to every item' : 'people say yes to every item';
    return { ...undefinedNormalInterval({ ...basis, estimate: null, reason }), positives, negatives };
  }
  const ofPositives = placements({ ranks, truth, side: true, own: positiveScores, others: negatives });
  const ofNegatives = placements({ ranks, truth, side: false, own: negativeScores, others: positives });
  const moments = [momentsOf(ofPositives), momentsOf(ofNegatives)] as const;
  const estimate = moments[0].mean;
  if (positives === 1 || negatives === 1) {
    const reason = 'a single item of one verdict shows no spread';
    return { ...undefinedNormalInterval({ ...basis, estimate, reason }), positives, negatives };
  }
  const standardError = Math.sqrt(varianceOf(moments[0]) / positives + varianceOf(moments[1]) / negatives);
  if (standardError === 0) {
    const reason = estimate === 0.5 ? 'the scores do not vary' : 'the scores of yes and no do not overlap';
    return {
      ...undefinedNormalInterval({ ...basis, estimate, standardError, reason }),
      positives,
      negatives,
    };
  }
  return {
    ...normalInterval({ ...basis, estimate, standardError, range: shareRange }),
    positives,
    negatives,
  };
}

type Side = {
  readonly ranks: Float64Array;
  readonly truth: readonly boolean[];
  readonly side: boolean;
  readonly own: readonly number[];
  /** The number of items of the other side. */
  readonly others: number;
};

/** Returns, for each item of one side, the share of the other side below it (above it, for the negative side). */
function placements({ ranks, truth, side, own, others }: Side): number[] {
  const inside = midRanks(own);
  const all = ranks.filter((_, place) => truth[place] === side);
  const below = Array.from(inside, (rank, place) => ((all[place] as number) - rank) / others);
  return side ? below : below.map((share) => 1 - share);
}
