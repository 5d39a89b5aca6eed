import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../errors.ts';
import type { Store } from '../../stores/store.ts';

const patience = { tries: 20, pauseMs: 10 };

/**
 * Takes a run as `claimRun` does. Others may have it for a moment, only to see whether anybody is at work on it: that is
 * waited for.
 */
export async function claimPatiently(
  runId: string,
  store: Store,
  tries = patience.tries,
): Promise<() => void> {
  try {
    return await store.claimRun(runId);
  } catch (error) {
    const isTaken = error instanceof TouchstoneError && error.code === 'run-in-progress';
    if (!isTaken || tries <= 1) throw error;
  }
  await wait(patience.pauseMs);
  return await claimPatiently(runId, store, tries - 1);
}
