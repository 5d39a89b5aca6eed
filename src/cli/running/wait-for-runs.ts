import { setTimeout as pause } from 'node:timers/promises';
import { TouchstoneError } from '../../core/errors.ts';
import { findOpenRuns } from '../../evaluate/run/fleet/fleet-records.ts';
import type { Store } from '../../stores/store.ts';
import { isAway, whenReachable } from '../fleet/wait-for-store.ts';

/** The milliseconds between two looks at the runs of the store. */
const lookEveryMs = 2000;
/** The number of the newest runs in progress that are looked at. */
const mostLookedAt = 20;

/** The surroundings of a worker that waits for runs. */
interface Waiting {
  readonly note: (message: string) => void;
  readonly stop: AbortSignal;
  /** Called whenever it could work on a run. */
  readonly onReady: () => void;
  /** Works on a run until nothing is left to do for a worker. */
  work(runId: string): Promise<unknown>;
}

/**
 * Works on one run after the other that is open to workers, until it is stopped. A run that this worker cannot work on, since it would ask or
 * score in another way, is named and left to others.
 */
export async function waitForRuns(store: Store, { note, stop, onReady, work }: Waiting): Promise<void> {
  const refused = new Set<string>();
  note('Waiting for runs that `touchstone run --workers` begins, or that are asked for on a server.');
  while (!stop.aborted) {
    const [run] = await whenReachable(async () => await findRuns(store, refused), { note, stop, isAway });
    onReady();
    if (run !== undefined) {
      note(`Working on run ${run}.`);
      await work(run).catch((error: unknown) => {
        if (!(error instanceof TouchstoneError)) throw error;
        if (isAway(error)) return;
        refused.add(run);
        note(`${error.message}\nThis worker leaves run ${run} to others, and waits for the next one.`);
      });
    }
    // Aborted while it waits: the loop ends.
    await pause(lookEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

async function findRuns(store: Store, refused: ReadonlySet<string>): Promise<string[]> {
  const running = await store.listRuns({ status: 'running', limit: mostLookedAt });
  return await findOpenRuns(
    running.map(({ id }) => id).filter((id) => !refused.has(id)),
    store,
  );
}
