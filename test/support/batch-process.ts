import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import type { Store } from '../../src/stores/store.ts';
import { run } from '../../src/evaluate/run/run.ts';
import { batchedEvaluation, batchedNeeds, type BatchedKind } from './batched-run.ts';

/** Dies like a process that is killed, at one of the writes of batches. */
function killedAt(store: Store, write: number): Store {
  let writes = 0;
  const { documents } = store;
  const count = () => {
    writes += 1;
    return writes === write;
  };
  const die = () => process.kill(process.pid, 'SIGKILL');
  return {
    ...store,
    documents: {
      ...documents,
      change: async (kinds, work) => {
        const isDue = count();
        // Half of them die before their write, half after it.
        if (isDue && write % 2 === 0) die();
        const result = await documents.change(kinds, work);
        if (isDue) die();
        return result;
      },
    },
  };
}

/** The run that a process of this file begins or continues. */
export interface BatchProcess {
  readonly file: string;
  readonly url: string;
  readonly kind: BatchedKind;
  readonly cases: number;
  /** The write at which it dies; 0 for none. */
  readonly write: number;
}

const given = process.argv[2];
if (given !== undefined) {
  const { file, write, ...parts } = JSON.parse(given) as BatchProcess;
  const store = openSqliteStore(file);
  const [earlier] = await store.listRuns();
  const resumed = earlier === undefined ? undefined : await store.readRun(earlier.id);
  await run(batchedEvaluation({ ...parts, asks: 'both' }), batchedNeeds(killedAt(store, write)), resumed);
  await store.close();
}
