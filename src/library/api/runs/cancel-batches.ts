import {
  type CancelledBatches,
  cancelBatches as cancelThese,
} from '../../../evaluate/run/batches/cancel-batches.ts';
import { batchesOf } from '../../../evaluate/run/batches/run-batches.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { loadEvaluation } from '../../config/load-evaluation.ts';
import { type StoreChoice, withStore } from '../open-store.ts';

/**
 * Cancels the batches in which the judges and targets of a run are asked, as `touchstone batch cancel` does. Throws `run-in-progress`
 * while a process works on the run.
 */
export async function cancelBatches(
  runId: string,
  { config, ...choice }: StoreChoice & { readonly config?: string },
): Promise<CancelledBatches & { readonly run: string }> {
  return await withStore({ ...choice, config }, async (store) => {
    const { id: run } = await findRun(store, runId);
    const { evaluation } = await loadEvaluation(config);
    return { run, ...(await cancelThese(run, batchesOf(evaluation), store)) };
  });
}
