import {
  traceTrends as traceMeasured,
  type TrendChoices,
} from '../../decide/analysis/trends/trace-trends.ts';
import { correctValue } from '../../decide/gate/corrected-score.ts';
import type { Trends } from '../../core/schema/trends.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Computes the trends of the targets over their runs, with the values that rest on certified judges corrected. Every trend is
 * computed by this function. Throws as `traceTrends` of the analysis does, and `store-damaged`.
 */
export async function traceTrends(store: Store, choices: TrendChoices = {}): Promise<Trends> {
  return await traceMeasured(store, choices, async (run, view) => await correctValue(run, store, view));
}
