import type { Store } from '../../../stores/store.ts';
import type { BatchApi } from '../../models/model.ts';
import { neverStopped } from '../run-needs.ts';
import { listBatches, orderOf, undoBatch } from './batch-records.ts';

/** The outcome of cancelling the batches of a run. */
export interface CancelledBatches {
  /** The batches that were cancelled, and the requests in them. */
  readonly batches: number;
  readonly requests: number;
  /** The names of models whose batches are unknown here, since the rules name other models. */
  readonly unknown: readonly string[];
}

/**
 * Cancels the batches of a run at their providers. What they have answered by then is gathered when the run is continued. Throws
 * `run-in-progress` while a process works on the run, and `ModelFailure`.
 */
export async function cancelBatches(
  runId: string,
  apis: ReadonlyMap<string, BatchApi>,
  store: Store,
): Promise<CancelledBatches> {
  const { documents } = store;
  await using _claim = await store.claimRun(runId);
  const live = await listBatches(
    documents,
    [runId],
    ['choosing', 'prepared', 'uploaded', 'submitting', 'submitted'],
  );
  const unknown = new Set<string>();
  let [batches, requests] = [0, 0];
  for (const batch of live) {
    const api = apis.get(batch.model);
    if (api === undefined) {
      unknown.add(batch.name);
      continue;
    }
    const { abort } = neverStopped;
    // No process saw whether it was submitted.
    const found = batch.state === 'submitting' ? await api.find(orderOf(batch, api, documents), abort) : [];
    const jobs = [...batch.jobs, ...found];
    for (const job of jobs) await api.cancel(job, abort);
    batches += 1;
    requests += batch.requests;
    if (batch.state === 'submitting' || batch.state === 'submitted') continue;
    await api.discard?.(orderOf(batch, api, documents), abort);
    await undoBatch(batch, documents);
  }
  return { batches, requests, unknown: [...unknown] };
}
