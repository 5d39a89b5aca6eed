import { TouchstoneError } from '../../../core/errors.ts';
import type { Run } from '../../../core/schema/run.ts';
import { admitAsked } from '../../../library/api/asked/asked-runs.ts';
import type { Store } from '../../../stores/store.ts';

/** The variable by which a waiting worker says for which request its process begins a run. */
export const askedVariable = 'TOUCHSTONE_ASKED';

/**
 * Returns the function that has a run admitted before its first call, where a worker begins it for somebody: what has been given up or
 * withdrawn meanwhile asks nothing, and leaves no run. Undefined where no worker begins it.
 */
export function admission(
  store: Store,
  resumed: Run | undefined,
): ((runId: string) => Promise<void>) | undefined {
  const id = process.env[askedVariable];
  // Programs that this one starts are not part of it.
  delete process.env[askedVariable];
  if (id === undefined) return undefined;
  return async (runId) => {
    if (await admitAsked(store, id, runId)) return;
    if (resumed?.id !== runId) await store.deleteRun(runId);
    throw new TouchstoneError('run-stopped', 'This run is not wanted any more. Nothing was asked.', {
      remedy: 'Ask for it again.',
    });
  };
}
