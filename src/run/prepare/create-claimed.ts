import type { Run } from '../../schema/run.ts';
import type { Sharing, Store } from '../../stores/store.ts';
import { claimPatiently } from './claim-patiently.ts';

/**
 * Adds a run that belongs to this caller alone, as with `claimRun`, and returns what gives it back. Leaves no run behind
 * that could not be claimed.
 */
export async function createClaimed(run: Run, store: Store, sharing?: Sharing): Promise<() => void> {
  await store.createRun(run, sharing);
  try {
    return await claimPatiently(run.id, store);
  } catch (error) {
    await store.deleteRun(run.id);
    throw error;
  }
}
