import type { ComparedSide } from '../../schema/run-comparison.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';

/** A run to be compared, with the store that keeps it. */
export interface KeptRun {
  readonly run: Run;
  readonly store: Store;
}

/** One target of a run to be compared. */
export interface ComparedRun extends KeptRun {
  readonly target: string;
}

/** What a comparison says of a run about itself. */
export function describeSide({ run, target }: ComparedRun): ComparedSide {
  return {
    run: run.id,
    target,
    createdAt: run.createdAt,
    ...(run.description === undefined ? {} : { description: run.description }),
    sources: run.dataset.sources,
    cases: run.dataset.cases,
    attempts: run.attempts,
  };
}
