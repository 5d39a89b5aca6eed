import { groupByCluster, type Label } from '../cluster-interval.ts';
import { momentsOf } from '../moments.ts';

/** Labels of randomly drawn items of a run, and the scores of a judge on all its items. */
export type PpiValues = {
  /** The verdicts of people on the labelled items: 0 or 1, or scores. */
  readonly labels: readonly number[];
  /** The verdicts of the judge on the same items, at the same positions. */
  readonly scores: readonly number[];
  /** The verdicts of the judge on the items without labels. */
  readonly otherScores: readonly number[];
  /** The clusters of items that depend on each other (attempts, turns), when there are any. */
  readonly clusters?: { readonly labelled: readonly Label[]; readonly others: readonly Label[] };
};

/** The moments of labels and scores. */
export type PpiParts = {
  readonly label: { readonly mean: number; readonly n: number };
  readonly score: { readonly mean: number };
  readonly other: { readonly mean: number; readonly n: number };
  /** The covariance of labels and scores, with divisor m. */
  readonly covariance: number;
  /** The variance of all scores, with n − 1. */
  readonly scoreVariance: number;
  /** The number of items by label and score, for yes/no: both, label only, score only. */
  readonly cells: readonly [number, number, number];
};

/** Returns the moments of labels and scores. */
export function partsOf({ labels, scores, otherScores }: PpiValues): PpiParts {
  const [label, score, other] = [momentsOf(labels), momentsOf(scores), momentsOf(otherScores)];
  const all = momentsOf([...scores, ...otherScores]);
  const products = labels.reduce(
    (sum, y, place) => sum + (y - label.mean) * ((scores[place] as number) - score.mean),
    0,
  );
  const count = (y: number, f: number) =>
    labels.filter((value, place) => value === y && scores[place] === f).length;
  return {
    label,
    score,
    other,
    covariance: products / label.n,
    scoreVariance: all.squares / (all.n - 1),
    cells: [count(1, 1), count(1, 0), count(0, 1)],
  };
}

/** Returns the λ of the least variance for independent items: Cov(Y, f) / ((1 + m/N) Var(f)), within [0, 1]. */
export function tune({ covariance, scoreVariance, label, other }: PpiParts): number {
  if (scoreVariance === 0) return 0;
  return Math.min(1, Math.max(0, covariance / ((1 + label.n / other.n) * scoreVariance)));
}

/** Returns the λ of the least clustered variance Σ (A + λB)² over the sums A of labels and B of scores by cluster. */
export function tuneClustered(options: PpiValues, parts: PpiParts): number {
  const ofLabels = influencesByCluster(options, parts, 0);
  const ofBoth = influencesByCluster(options, parts, 1);
  let [products, squares] = [0, 0];
  for (const [place, a] of ofLabels.entries()) {
    const b = (ofBoth[place] as number) - a;
    products += a * b;
    squares += b * b;
  }
  return squares === 0 ? 0 : Math.min(1, Math.max(0, -products / squares));
}

/** Returns the part of each cluster in the deviation of the estimate. */
function influencesByCluster(
  { labels, scores, otherScores, clusters }: PpiValues,
  parts: PpiParts,
  lambda: number,
): number[] {
  const { label, score, other } = parts;
  const ofLabelled = labels.map(
    (y, place) => (y - label.mean - lambda * ((scores[place] as number) - score.mean)) / label.n,
  );
  const ofOthers = otherScores.map((f) => (lambda * (f - other.mean)) / other.n);
  const names = clusters === undefined ? [] : [...clusters.labelled, ...clusters.others];
  return groupByCluster([...ofLabelled, ...ofOthers], names).map(({ sum }) => sum);
}

/** Returns the variance of the estimate, and the number of clusters if there are any; NaN for a single one. */
export function varianceOfMean(
  options: PpiValues,
  lambda: number,
): { readonly variance: number; readonly clusters?: number } {
  const { labels, scores, otherScores } = options;
  if (options.clusters === undefined) {
    const rest = momentsOf(labels.map((y, place) => y - lambda * (scores[place] as number)));
    const other = momentsOf(otherScores);
    return { variance: (lambda ** 2 * other.squares) / other.n ** 2 + rest.squares / rest.n ** 2 };
  }
  const sums = influencesByCluster(options, partsOf(options), lambda);
  const clusters = sums.length;
  const squares = sums.reduce((sum, value) => sum + value ** 2, 0);
  return { variance: clusters === 1 ? Number.NaN : (clusters / (clusters - 1)) * squares, clusters };
}
