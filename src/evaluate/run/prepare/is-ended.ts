import type { Run } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';

/**
 * Returns whether a run whose status is `planning` or `running` has in fact ended, because its process was killed.
 * Where that cannot be found out, as in a read-only store, the stored status counts and the result is false.
 */
export async function isEnded({ id, status }: Pick<Run, 'id' | 'status'>, store: Store): Promise<boolean> {
  if (status !== 'planning' && status !== 'running') return false;
  try {
    if (await store.isClaimed(id)) return false;
    // The run may have finished normally since it was read.
    return (await store.readRun(id))?.status === status;
  } catch {
    return false;
  }
}
