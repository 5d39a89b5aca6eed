import type { Grid, GridCell, RunGrids } from '../../../core/schema/api/comparison/grid.ts';
import type { GridPlace } from '../../../core/schema/condition.ts';
import { withoutConditions } from '../../../core/schema/condition.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Run, RunTarget } from '../../../core/schema/run.ts';
import type { TargetSummary } from '../../../core/schema/summary.ts';
import { estimateEffects, type GridDesign, isFullDesign } from './effects.ts';
import { boundedMeanBounds } from '../../../core/stats/means/bounded-mean.ts';
import { clusterInterval } from '../../../core/stats/cluster-interval.ts';
import { momentsOf } from '../../../core/stats/moments.ts';
import { confidence } from '../summary/estimates.ts';

type GridTarget = RunTarget & { readonly grid: GridPlace };

/** Returns the targets of a run that are cells of a grid. */
export function gridTargets({ targets }: Pick<Run, 'targets'>): GridTarget[] {
  return withoutConditions(targets).filter((target): target is GridTarget => target.grid !== undefined);
}

/** The numbers of the cells, from the summary of the run, and the margin of `cheaper`. */
export interface GridChoices {
  readonly summaries: readonly TargetSummary[];
  readonly within?: number;
}

/** Summarizes the grids of a run: their cells, effects and fronts, from the scores of single questions. */
export async function summarizeGrids(
  run: Run,
  outcomes: AsyncIterable<readonly Outcome[]>,
  choices: GridChoices,
): Promise<RunGrids> {
  const targets = gridTargets(run);
  const table = createTable(new Set(targets.map(({ name }) => name)));
  for await (const some of outcomes) for (const outcome of some) table.add(outcome);
  const groups = [...Map.groupBy(targets, ({ grid }) => grid.of)];
  return { run: run.id, grids: groups.map(([of, cells]) => summarize(of, cells, table, choices)) };
}

/** Creates the table of mean scores and costs by question and target. */
function createTable(names: ReadonlySet<string>) {
  const cases = new Map<string, { cluster: string | undefined; cells: Map<string, Sums> }>();
  return {
    cases,
    add: ({ case: { cluster }, trial, scorecard }: Outcome): void => {
      if (!names.has(trial.target)) return;
      const ofCase = cases.get(trial.caseId) ?? { cluster, cells: new Map<string, Sums>() };
      cases.set(trial.caseId, ofCase);
      const sums = ofCase.cells.get(trial.target) ?? { score: 0, scored: 0, cost: 0, priced: 0, tried: 0 };
      ofCase.cells.set(trial.target, sums);
      sums.tried += 1;
      if (trial.status === 'completed' && typeof scorecard?.total === 'number') {
        sums.score += scorecard.total;
        sums.scored += 1;
      }
      if (trial.cost === undefined) return;
      sums.cost += trial.cost;
      sums.priced += 1;
    },
  };
}

interface Sums {
  score: number;
  scored: number;
  cost: number;
  priced: number;
  tried: number;
}

function summarize(
  of: string,
  targets: readonly GridTarget[],
  { cases }: ReturnType<typeof createTable>,
  { summaries, within }: GridChoices,
): Grid {
  const design = designOf(targets);
  const rows = [...cases.values()].map(({ cluster, cells }) => ({
    cluster,
    scores: targets.map(({ name }) => meanScore(cells.get(name))),
    costs: targets.map(({ name }) => meanCost(cells.get(name))),
  }));
  const whole = rows.filter(({ scores }) => scores.every((score) => !Number.isNaN(score)));
  const numbers = targets.map(({ name }, at): CellNumbers => {
    const costs = rows.map((row) => row.costs[at] as number);
    const known = costs.filter((cost) => !Number.isNaN(cost));
    return {
      target: name,
      scores: rows.map(({ scores }) => scores[at] as number),
      costs,
      score: summaries.find(({ target }) => target === name)?.score.value ?? null,
      cost: known.length === 0 || known.length < costs.length ? null : meanOf(known),
    };
  });
  const clusters = rows.map(({ cluster }, place) => (cluster === undefined ? `#${place}` : `=${cluster}`));
  const front = findFront(numbers, { clusters, within });
  return {
    of,
    settings: design.settings,
    isFull: isFullDesign(design),
    cells: targets.map(({ name, grid }, at) => {
      const score = summaries.find(({ target }) => target === name)?.score;
      return {
        target: name,
        levels: grid.levels,
        score: {
          value: score?.value ?? null,
          lower: score?.lower ?? null,
          upper: score?.upper ?? null,
          n: score?.n ?? 0,
        },
        cost: numbers[at]?.cost ?? null,
        costLimits: costLimits(numbers[at], clusters),
        ...(front[at] ?? { front: 'unknown', dominatedBy: null }),
      };
    }),
    effects: estimateEffects(design, whole),
    questions: whole.length,
    incomplete: rows.length - whole.length,
    grand: whole.length === 0 ? null : meanOf(whole.map(({ scores }) => meanOf(scores))),
    within,
  };
}

/** Returns the limits of a mean cost; none where it is not known, and where a price never varies, itself. */
function costLimits(
  numbers: CellNumbers | undefined,
  clusters: readonly string[],
): Pick<GridCell['score'], 'lower' | 'upper'> {
  if (numbers === undefined || numbers.cost === null) return { lower: null, upper: null };
  const { lower, upper } = clusterInterval({ values: numbers.costs, clusters, confidence });
  return { lower: lower === null ? null : Math.max(0, lower), upper };
}

/** Returns the settings with their levels, in the order of the targets, and the place of each target's levels. */
function designOf(targets: readonly GridTarget[]): GridDesign {
  const names = Object.keys(targets[0]?.grid.levels ?? {});
  const settings = names.map((name) => ({
    name,
    levels: [...new Set(targets.map(({ grid }) => grid.levels[name] ?? ''))],
  }));
  const cells = targets.map(({ grid }) =>
    settings.map(({ name, levels }) => levels.indexOf(grid.levels[name] ?? '')),
  );
  return { settings, cells };
}

function meanScore(sums: Sums | undefined): number {
  return sums === undefined || sums.scored === 0 ? Number.NaN : sums.score / sums.scored;
}

/** Returns the mean cost of an attempt; NaN when the cost of one is not known. */
function meanCost(sums: Sums | undefined): number {
  return sums === undefined || sums.priced < sums.tried ? Number.NaN : sums.cost / sums.priced;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The numbers of one cell, question by question: NaN where there is no score, or no cost. */
export interface CellNumbers {
  readonly target: string;
  readonly scores: readonly number[];
  readonly costs: readonly number[];
  /** The mean score and the mean cost; null where they are not known. */
  readonly score: number | null;
  readonly cost: number | null;
}

/** The clusters of the questions, a question without one being its own. */
interface FrontOptions {
  readonly clusters: readonly string[];
  /** The loss of score that does not matter, for `cheaper`. */
  readonly within?: number;
}

/**
 * Finds the cost–quality front. A cell is dominated if another is shown to be better, and cheaper or always of the same price: by one-sided bounds of the
 * differences question by question, each at 1 − 0.05 / (k (k − 1)) for k cells, so that among all pairs together any is marked wrongly in
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

/** Returns the upper bound of how much the score of one cell lies below another's; below 0 when it is shown to be higher. */
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
