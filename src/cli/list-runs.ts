import type { ListedRun } from '../reporters/run-list.ts';
import { isEnded } from '../run/prepare/is-ended.ts';
import type { Store } from '../stores/store.ts';

/** The newest runs as they stand; all when no limit is given. */
export async function listRuns(store: Store, limit?: number): Promise<ListedRun[]> {
  const listed: ListedRun[] = [];
  for (const run of (await store.listRuns()).slice(0, limit)) {
    listed.push({ run, isEnded: await isEnded(run, store) });
  }
  return listed;
}
