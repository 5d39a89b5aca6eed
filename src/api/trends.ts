import { traceTrends, type TrendChoices } from '../analysis/trends/trace-trends.ts';
import type { Trends } from '../schema/trends.ts';
import { type StoreChoice, withStore } from './open-store.ts';

/** Options of trends. */
export interface TrendsOptions extends TrendChoices, StoreChoice {}

/**
 * Traces the scores of targets from run to run, and where they changed, as `touchstone trends` does.
 * @throws TouchstoneError for a target, category or metric that none of the runs has.
 */
export async function trends(options: TrendsOptions = {}): Promise<Trends> {
  const { folder, config, store: given, ...choices } = options;
  return await withStore(
    { folder, config, store: given },
    async (store) => await traceTrends(store, choices),
  );
}
