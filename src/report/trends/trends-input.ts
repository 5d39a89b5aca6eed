import type { Trends } from '../../schema/trends.ts';

/** What a report of trends is made of. */
export interface TrendsInput {
  readonly trends: Trends;
  /** The folder of the store, as `--store` takes it; missing where a command finds the store by itself. */
  readonly storeFolder?: string | undefined;
}
