import { inBatches } from '../../../core/lib/async-iterables.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';

/** Yields, in batches, the trials of a run that were made and have no scores yet. One that was scored by a judge that failed has some. */
export async function* readUnscored(run: Pick<Run, 'id'>, store: Store): AsyncGenerator<CasedTrial[]> {
  const open: number[] = [];
  for await (const outcomes of store.readOutcomes(run.id)) {
    for (const { trial, verdicts, scorecard } of outcomes) {
      const isScored = Object.keys(verdicts).length > 0 || scorecard !== null;
      if (trial.status !== 'cancelled' && !isScored) open.push(trial.ordinal);
    }
  }
  yield* inBatches(store.readResults(run.id, open));
}
