import type { GridCell } from '../../../core/schema/api/comparison/grid.ts';
import { boundedMeanBounds } from '../../../core/stats/means/bounded-mean.ts';
import { clusterInterval } from '../../../core/stats/cluster-interval.ts';
import { momentsOf } from '../../../core/stats/moments.ts';
import { confidence } from '../summary/estimates.ts';

/** What is known of one cell, question by question: NaN where there is no score, or no cost. */
export interface CellNumbers {
  readonly target: string;
  readonly scores: readonly number[];
  readonly costs: readonly number[];
  /** The mean score and the mean cost; null where they are not known. */
  readonly score: number | null;
  readonly cost: number | null;
}

/** The clusters of the questions, a question without one being its own. */
export interface FrontOptions {
  readonly clusters: readonly string[];
  /** The loss of score that does not matter, for `cheaper`. */
  readonly within?: number;
}

/**
 * Finds the cost–quality front. A cell is dominated if another is shown to be better, and cheaper or always of the same price: by one-sided bounds of the
 * differences question by question, each at 1 − 0.05 / (k (k − 1)) for k cells, so that of all pairs together any is marked wrongly in
 * at most 5 %. Scores have bounds without a normal distribution, costs, which have no greatest value, Student's t.
 */
export function findFront(
  cells: readonly CellNumbers[],
  options: FrontOptions,
): Pick<GridCell, 'front' | 'dominatedBy' | 'cheaper'>[] {
  const level = 1 - (1 - confidence) / Math.max(1, cells.length * (cells.length - 1));
  const known = cells.every(({ score, cost }) => score !== null && cost !== null);
  return cells.map((cell) => {
    if (!known) return { front: 'unknown', dominatedBy: null, cheaper: undefined };
    const others = cells.filter((other) => other !== cell);
    const byPoint = others.filter((other) => isBetterByPoint(other, cell));
    const shown = byPoint.filter(
      (other) => lossOf(other, cell, options, level) < 0 && savingOf(other, cell, options, level) >= 0,
    );
    const best = shown.toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0))[0];
    return {
      front: best !== undefined ? 'dominated' : byPoint.length > 0 ? 'in-doubt' : 'on',
      dominatedBy: best?.target ?? null,
      cheaper:
        options.within === undefined
          ? undefined
          : others
              .filter((other) => (other.cost ?? 0) < (cell.cost ?? 0))
              .filter((other) => lossOf(other, cell, options, level) < (options.within ?? 0))
              .filter((other) => savingOf(other, cell, options, level) > 0)
              .toSorted((one, other) => (one.cost ?? 0) - (other.cost ?? 0))
              .map(({ target }) => target),
    };
  });
}

function isBetterByPoint(other: CellNumbers, cell: CellNumbers): boolean {
  const [score, cost] = [(other.score ?? 0) - (cell.score ?? 0), (other.cost ?? 0) - (cell.cost ?? 0)];
  return score >= 0 && cost <= 0 && (score > 0 || cost < 0);
}

/** Returns the upper bound of how much the score of a cell lies below that of another; below 0 when it is shown to be higher. */
function lossOf(one: CellNumbers, than: CellNumbers, options: FrontOptions, level: number): number {
  const { values, clusters } = differencesOf(one.scores, than.scores, options);
  if (values.length === 0) return 1;
  const { lower } = boundedMeanBounds({ values, clusters, range: [-1, 1], confidence: level });
  return lower === null ? 1 : -lower;
}

/** Returns the lower bound of how much less one cell costs than another. Prices that are always the same differ by 0 for certain. */
function savingOf(one: CellNumbers, than: CellNumbers, options: FrontOptions, level: number): number {
  const { values, clusters } = differencesOf(than.costs, one.costs, options);
  const { mean, squares } = momentsOf(values);
  // Prices that differ by the same amount each time differ for certain.
  if (values.length > 1 && squares <= 1e-24 * values.length * mean ** 2) return mean;
  const { lower } = clusterInterval({ values, clusters, confidence: 2 * level - 1 });
  return lower ?? -1;
}

function differencesOf(
  one: readonly number[],
  other: readonly number[],
  { clusters }: FrontOptions,
): { readonly values: number[]; readonly clusters: string[] } {
  const found = one
    .map((value, place) => ({ value: value - (other[place] as number), cluster: clusters[place] as string }))
    .filter(({ value }) => !Number.isNaN(value));
  return { values: found.map(({ value }) => value), clusters: found.map(({ cluster }) => cluster) };
}
