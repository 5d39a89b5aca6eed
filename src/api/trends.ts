import path from 'node:path';
import { storeFileIn } from '../config/load-evaluation.ts';
import { traceTrends, type TrendChoices } from '../analysis/trends/trace-trends.ts';
import type { Trends } from '../schema/trends.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import type { RunOptions } from './run.ts';

/** Options of trends. */
export interface TrendsOptions extends TrendChoices, Pick<RunOptions, 'folder' | 'store'> {}

/**
 * Traces the scores of targets from run to run, and where they changed, as `touchstone trends` does. The runs are those
 * in `options.store`, else in `.touchstone` of the folder.
 * @throws TouchstoneError for a target, category or metric that none of the runs has.
 */
export async function trends(options: TrendsOptions = {}): Promise<Trends> {
  const { folder = process.cwd(), store: given, ...choices } = options;
  const store = given ?? openSqliteStore(storeFileIn(path.resolve(folder, '.touchstone')));
  try {
    return await traceTrends(store, choices);
  } finally {
    if (given === undefined) await store.close();
  }
}
