import type { RunComparison } from '../../schema/run-comparison.ts';

/** What a report of a comparison is made of. */
export interface ComparisonInput {
  readonly comparison: RunComparison;
  /** The folder of the store, as `--store` takes it; missing where a command finds the store by itself. */
  readonly storeFolder?: string | undefined;
  /** The files that runs were read from, by the id of the run; runs of the store are not in it. */
  readonly files?: ReadonlyMap<string, string> | undefined;
}
