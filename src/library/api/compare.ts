import type { CompareChoices } from '../../decide/analysis/compare/compare-runs.ts';
import { compareRuns } from '../../people/reviews/compare-runs.ts';
import type { KeptRun } from '../../decide/analysis/compare/compared-run.ts';
import type { TrendChoices } from '../../decide/analysis/trends/trace-trends.ts';
import { traceTrends } from '../../people/reviews/trace-trends.ts';
import { findRun } from '../../look/queries/runs.ts';
import type { RunComparison } from '../../core/schema/run-comparison.ts';
import type { Trends } from '../../core/schema/trends.ts';
import { type StoreChoice, withStore } from './open-store.ts';

/** Options of a comparison. */
export interface CompareOptions extends Omit<CompareChoices, 'review'>, StoreChoice {}

/**
 * Compares stored runs with the first of them, paired by the content of their cases, as `touchstone compare` does.
 * @param runIds - Two or more runs: ids, parts of them, `latest` or `latest~1`.
 * @throws TouchstoneError for a run that does not exist, and for targets that do not belong together.
 */
export async function compare(
  runIds: readonly string[],
  { folder, config, store: ownStore, ...choices }: CompareOptions = {},
): Promise<RunComparison> {
  return await withStore({ folder, config, store: ownStore }, async (store) => {
    const runs: KeptRun[] = [];
    for (const id of runIds) runs.push({ run: await findRun(store, id), store });
    return await compareRuns(runs, choices);
  });
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
