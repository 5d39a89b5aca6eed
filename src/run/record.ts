import type { CasedTrial } from '../schema/scored-trial.ts';
import type { Store } from '../stores/store.ts';

/** Keeps trials before anyone sees them: a trial that comes out of here is on disk. */
export async function* record(
  runId: string,
  trials: AsyncIterable<CasedTrial[]>,
  store: Store,
): AsyncGenerator<CasedTrial[]> {
  for await (const batch of trials) {
    await store.addTrials(runId, batch);
    yield batch;
  }
}
