import type { CompareChoices } from '../../decide/analysis/compare/compare-runs.ts';
import { compareRuns } from '../../people/reviews/compare-runs.ts';
import type { TrendChoices } from '../../decide/analysis/trends/trace-trends.ts';
import { traceTrends } from '../../people/reviews/trace-trends.ts';
import type { SizePlan } from '../../core/schema/api/comparison/size-plan.ts';
import { readGrids } from '../../look/queries/grids.ts';
import { countMatrix, findColumns, listMatrix, type MatrixListQuery } from '../../look/queries/matrix.ts';
import { type PlanQuery, planFrom, planFromDiscordance } from '../../look/queries/plan.ts';
import { findRun } from '../../look/queries/runs.ts';
import type { RunGrids } from '../../core/schema/api/comparison/grid.ts';
import type { Matrix } from '../../core/schema/api/comparison/matrix.ts';
import type { RunComparison } from '../../core/schema/run-comparison.ts';
import type { Trends } from '../../core/schema/trends.ts';
import { withNamedRuns } from './named-runs.ts';
import { type StoreChoice, withStore } from './open-store.ts';

/** Options of a comparison. */
export interface CompareOptions extends Omit<CompareChoices, 'review'>, StoreChoice {}

/**
 * Compares stored runs with the first of them, paired by the content of their cases, as `touchstone compare` does.
 * @param runs - Two or more runs: ids, parts of them, `latest`, `latest~1`, names of baselines or of runs, or files of `exportRun`.
 * @throws TouchstoneError for a run that does not exist, and for targets that do not belong together.
 */
export async function compare(
  runs: readonly string[],
  { folder, config, store: ownStore, ...choices }: CompareOptions = {},
): Promise<RunComparison> {
  const choice = { folder, config, store: ownStore };
  return await withNamedRuns(runs, choice, async (found) => await compareRuns(found, choices));
}

/** The rows of a matrix, and the store of its runs. */
export interface MatrixOptions extends Pick<MatrixListQuery, 'where' | 'sort' | 'limit'>, StoreChoice {}

/**
 * Reads the answers of several targets or runs to the questions that all of them were asked, side by side: 100
 * rows by default, and the counts of all. Without an order, these are the worst where not all are read: those with the lowest mean score.
 * @param columns - Up to eight: `RUN:TARGET`, or `RUN` for all of its targets; runs are named as in `compare`.
 * @throws TouchstoneError for a run or a target that does not exist, and for an invalid filter or order.
 */
export async function matrix(
  columns: readonly string[],
  { folder, config, store: ownStore, where, sort: wanted, limit = 100 }: MatrixOptions = {},
): Promise<Matrix> {
  return await withStore({ folder, config, store: ownStore }, async (store) => {
    const targets = await findColumns(store, columns);
    const counts = await countMatrix(store, targets, where);
    const sort = wanted ?? (counts.matching > limit ? 'mean' : undefined);
    const first = await listMatrix(store, targets, { where, sort, limit });
    const rows = [...first.rows];
    for (let { next } = first; next !== null && rows.length < limit; ) {
      const part = await listMatrix(store, targets, { where, sort, after: next, limit: limit - rows.length });
      rows.push(...part.rows);
      next = part.next;
    }
    return { columns: first.columns, leftOut: first.leftOut, rows, counts, sort };
  });
}

/** A planned comparison, and the store of the run that it is planned from. */
export interface PlanSizeOptions extends PlanQuery, StoreChoice {}

/**
 * Computes how many questions and attempts it takes to see a difference or, with `margin`, to rule out a loss, from the spread
 * of the scores in a stored run, as `touchstone plan` does. With `margin` and `discordance`, no run is read unless `cluster` is set.
 * @throws TouchstoneError for unknown targets, and for a run that is not enough to plan from.
 */
export async function planSize(
  runId: string,
  { folder, config, store: ownStore, ...query }: PlanSizeOptions,
): Promise<SizePlan> {
  const { margin, discordance, cluster } = query;
  if (margin !== undefined && discordance !== undefined && cluster !== true)
    return planFromDiscordance({ ...query, margin });
  return await withStore(
    { folder, config, store: ownStore },
    async (store) => await planFrom(await findRun(store, runId), store, query),
  );
}

/** Options of a grid of settings. */
export interface GridOptions extends StoreChoice {
  /** The loss in [0, 1] up to which a cheaper combination is as good; none is named by default. */
  readonly within?: number;
}

/**
 * Reads the grids of settings of a run: the combinations with their scores and costs, the effects of the settings, and
 * the cost–quality front, as `touchstone grid` shows them.
 * @throws TouchstoneError for a run that does not exist, and for one without a grid or without scores.
 */
export async function grid(
  runId: string,
  { within, folder, config, store: ownStore }: GridOptions = {},
): Promise<RunGrids> {
  return await withStore(
    { folder, config, store: ownStore },
    async (store) => await readGrids(await findRun(store, runId), store, within),
  );
}

/** Options of trends. */
export interface TrendsOptions extends TrendChoices, StoreChoice {}

/**
 * Traces the scores of targets from run to run, and where they changed, as `touchstone trends` does.
 * @throws TouchstoneError for a target, category or metric that none of the runs has.
 */
export async function trends(options: TrendsOptions = {}): Promise<Trends> {
  const { folder, config, store: ownStore, ...choices } = options;
  return await withStore(
    { folder, config, store: ownStore },
    async (store) => await traceTrends(store, choices),
  );
}
