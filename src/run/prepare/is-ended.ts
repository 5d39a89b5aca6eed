import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Whether a run that says it is being planned or worked on is so no more, since its process was killed. Where that cannot be
 * told, as in a store that cannot be written to, it is what it says.
 */
export async function isEnded({ id, status }: Run, store: Store): Promise<boolean> {
  if (status !== 'planning' && status !== 'running') return false;
  try {
    if (await store.isClaimed(id)) return false;
    // It may have come to its end by itself since it was read.
    return (await store.readRun(id))?.status === status;
  } catch {
    return false;
  }
}
