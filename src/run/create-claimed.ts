import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../errors.ts';
import type { Run } from '../schema/run.ts';
import type { Sharing, Store } from '../stores/store.ts';

/**
 * Adds a run that belongs to this caller alone, as with `claimRun`, and returns what gives it back. Leaves no run behind
 * that could not be claimed.
 */
export async function createClaimed(run: Run, store: Store, sharing?: Sharing): Promise<() => void> {
  await store.createRun(run, sharing);
  try {
    return await claimNew(run.id, store);
  } catch (error) {
    await store.deleteRun(run.id);
    throw error;
  }
}

const patience = { tries: 20, pauseMs: 10 };

/** Nobody works on a run that is new; somebody may take it for a moment, to see whether it belongs to anybody. */
async function claimNew(runId: string, store: Store, tries = patience.tries): Promise<() => void> {
  try {
    return await store.claimRun(runId);
  } catch (error) {
    const isTaken = error instanceof TouchstoneError && error.code === 'run-in-progress';
    if (!isTaken || tries <= 1) throw error;
  }
  await wait(patience.pauseMs);
  return await claimNew(runId, store, tries - 1);
}
