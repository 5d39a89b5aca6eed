import { TouchstoneError } from '../../errors.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Makes sure that all of a plan is there before anything is said of a run. Throws `run-in-progress` while the plan is being
 * made or imported, and `run-not-whole` where that was ended before it was done.
 */
export async function requireWhole({ id, status, isImporting }: Run, store: Store): Promise<void> {
  if (status !== 'planning') return;
  if (await isWorkedOn(id, store)) {
    const message = `Run ${id} is being planned or imported by another process.`;
    const remedy = 'Wait until its plan is complete, then run the same command again.';
    throw new TouchstoneError('run-in-progress', message, { remedy });
  }
  if (isImporting === true) {
    const message = `The import of run ${id} was ended before all of it was there.`;
    const remedy = `Import it again, or remove what is left: \`touchstone delete ${id}\`.`;
    throw new TouchstoneError('run-not-whole', message, { remedy });
  }
  const remedy = `Start a new one, and remove this: \`touchstone delete ${id}\`.`;
  const message = `Run ${id} was ended before its plan was complete.`;
  throw new TouchstoneError('run-not-whole', message, { remedy });
}

/** Whether somebody is at work on a run. Where that cannot be told, nobody is. */
export async function isWorkedOn(runId: string, store: Store): Promise<boolean> {
  try {
    (await store.claimRun(runId))();
    return false;
  } catch (error) {
    return error instanceof TouchstoneError && error.code === 'run-in-progress';
  }
}
