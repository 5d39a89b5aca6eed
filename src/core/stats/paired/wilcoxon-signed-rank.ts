import { midRanks } from '../correlation/spearman.ts';
import { normalCdf } from '../normal.ts';
import { differencesOf } from './differences.ts';
import type { PairedValues } from './differences.ts';

/** The result of a signed-rank test, or the reason why there is none. */
export type WilcoxonSignedRank = {
  /** The number of differences other than 0. */
  readonly n: number;
  /** The number of differences of 0, which are ignored. */
  readonly zeros: number;
} & (
  | {
      readonly status: 'defined';
      /** The statistic V: the sum of the ranks of the positive differences. */
      readonly statistic: number;
      /** The two-sided p-value. */
      readonly pValue: number;
      readonly method: 'wilcoxon-exact' | 'wilcoxon-normal';
    }
  | {
      readonly status: 'undefined';
      readonly statistic: null;
      readonly pValue: null;
      readonly method: null;
      readonly reason: string;
    }
);

/** The most differences for which every pattern of signs is counted. */
const MOST_EXACT = 50;

/**
 * Tests two bots on the same questions, two-sided, for ordered ratings, whose sizes mean little. Differences of 0 are
 * ignored.
 *
 * Method: F. Wilcoxon, Biometrics Bulletin 1 (1945). Up to 50 differences exact, also with ties: over all signs of the
 * observed mid-ranks; otherwise the normal approximation with corrections for ties and continuity (Hollander & Wolfe,
 * Nonparametric Statistical Methods (1973), section 3.1).
 *
 * @throws RangeError when lists differ in length or a value is not finite.
 */
export function wilcoxonSignedRank(pairs: PairedValues): WilcoxonSignedRank {
  const all = differencesOf(pairs);
  const differences = all.filter((difference) => difference !== 0);
  const n = differences.length;
  // Differences of decimals differ in their last digits, which must not affect the ranks: 0.8 − 0.6 and 0.3 − 0.1 are
  // equal.
  const ranks = midRanks(differences.map((difference) => Number(Math.abs(difference).toPrecision(12))));
  const basis = { n, zeros: all.length - n };
  if (n === 0) {
    const reason = all.length === 0 ? 'no values' : 'all differences are 0';
    return { ...basis, status: 'undefined', statistic: null, pValue: null, method: null, reason };
  }
  const statistic = ranks.reduce(
    (sum, rank, place) => ((differences[place] as number) > 0 ? sum + rank : sum),
    0,
  );
  const isExact = n <= MOST_EXACT;
  const pValue = isExact ? exactPValue(statistic, ranks) : normalPValue(statistic, ranks);
  return {
    ...basis,
    status: 'defined',
    statistic,
    pValue,
    method: isExact ? 'wilcoxon-exact' : 'wilcoxon-normal',
  };
}

/** Counts the subsets of the ranks by their sum, in halves: mid-ranks are whole numbers of these. */
function exactPValue(statistic: number, ranks: Float64Array): number {
  const most = ranks.length * (ranks.length + 1);
  const ways = new Float64Array(most + 1);
  ways[0] = 1;
  for (const rank of ranks) {
    const halves = 2 * rank;
    for (let sum = most; sum >= halves; sum -= 1) {
      ways[sum] = (ways[sum] as number) + (ways[sum - halves] as number);
    }
  }
  const extreme = Math.min(2 * statistic, most - 2 * statistic);
  const tail = ways.subarray(0, extreme + 1).reduce((total, count) => total + count, 0);
  return Math.min(1, (2 * tail) / 2 ** ranks.length);
}

function normalPValue(statistic: number, ranks: Float64Array): number {
  const n = ranks.length;
  const distance = Math.max(0, Math.abs(statistic - (n * (n + 1)) / 4) - 0.5);
  // A quarter of the sum of squared mid-ranks is the variance with the correction for ties.
  const variance = ranks.reduce((sum, rank) => sum + rank * rank, 0) / 4;
  return Math.min(1, 2 * normalCdf(-distance / Math.sqrt(variance)));
}
