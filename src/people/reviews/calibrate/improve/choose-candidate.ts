import type { ConfusionCounts } from '../../../../core/stats/agreement/confusion.ts';

/** The words of a judge with its table on the tune half. */
export interface TriedJudge {
  /** The length of its criterion and its examples: the shorter, the simpler. */
  readonly size: number;
  readonly table: ConfusionCounts;
}

/** The mean of both rates of being right, with its standard error; null where one kind of answer is missing. */
export interface BalancedAccuracy {
  readonly value: number;
  readonly standardError: number;
}

/** Returns (TPR + TNR) / 2 with the standard error of a mean of two independent shares. */
export function balancedAccuracyOf(table: ConfusionCounts): BalancedAccuracy | null {
  const { truePositives, falseNegatives, trueNegatives, falsePositives } = table;
  const [positives, negatives] = [truePositives + falseNegatives, trueNegatives + falsePositives];
  if (positives === 0 || negatives === 0) return null;
  const [tpr, tnr] = [truePositives / positives, trueNegatives / negatives];
  const variance = (tpr * (1 - tpr)) / positives + (tnr * (1 - tnr)) / negatives;
  return { value: (tpr + tnr) / 2, standardError: Math.sqrt(variance) / 2 };
}

/**
 * Chooses among judges by their accuracy on the tune half: the simplest that is within one standard error of the best. The first one
 * is the judge as it is, which counts as the simplest. Returns its place; 0 where nothing is measured.
 *
 * Method: the one-standard-error rule (L. Breiman et al., Classification and Regression Trees, 1984, section 3.4.3).
 */
export function chooseCandidate(tried: readonly TriedJudge[]): number {
  const rated = tried.map(({ table, size }, index) => ({
    index,
    size: index === 0 ? 0 : size,
    accuracy: balancedAccuracyOf(table),
  }));
  const known = rated.flatMap(({ accuracy, ...each }) => (accuracy === null ? [] : [{ ...each, accuracy }]));
  const best = known.toSorted((one, other) => other.accuracy.value - one.accuracy.value)[0];
  if (best === undefined) return 0;
  const least = best.accuracy.value - best.accuracy.standardError;
  const near = known.filter(({ accuracy }) => accuracy.value >= least - 1e-12);
  return near.toSorted((one, other) => one.size - other.size)[0]?.index ?? 0;
}
