import path from 'node:path';
import { storeFileIn } from '../config/load-evaluation.ts';
import { type CompareChoices, compareRuns } from '../analysis/compare/compare-runs.ts';
import type { KeptRun } from '../analysis/compare/compared-run.ts';
import type { RunComparison } from '../schema/run-comparison.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import { findKept, type RunOptions } from './run.ts';

/** Options of a comparison. */
export interface CompareOptions extends CompareChoices, Pick<RunOptions, 'folder' | 'store'> {}

/**
 * Compares stored runs with the first of them, paired by the content of their cases, as `touchstone compare` does.
 * @param runIds - Two or more runs in `options.store`, else in `.touchstone` of the folder.
 * @throws TouchstoneError for a run that does not exist, and for targets that do not belong together.
 */
export async function compare(
  runIds: readonly string[],
  options: CompareOptions = {},
): Promise<RunComparison> {
  const { folder = process.cwd(), store: given, ...choices } = options;
  const store = given ?? openSqliteStore(storeFileIn(path.resolve(folder, '.touchstone')));
  try {
    const runs: KeptRun[] = [];
    for (const id of runIds) runs.push({ run: await findKept(id, store), store });
    return await compareRuns(runs, choices);
  } finally {
    if (given === undefined) await store.close();
  }
}
