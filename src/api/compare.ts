import { type CompareChoices, compareRuns } from '../analysis/compare/compare-runs.ts';
import { reviewJudgedRows } from '../reviews/calibrate/compare-judged.ts';
import type { KeptRun } from '../analysis/compare/compared-run.ts';
import { findRun } from '../queries/runs.ts';
import type { RunComparison } from '../schema/run-comparison.ts';
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
  { folder, config, store: given, ...choices }: CompareOptions = {},
): Promise<RunComparison> {
  return await withStore({ folder, config, store: given }, async (store) => {
    const runs: KeptRun[] = [];
    for (const id of runIds) runs.push({ run: await findRun(store, id), store });
    return await compareRuns(runs, { ...choices, review: reviewJudgedRows });
  });
}
