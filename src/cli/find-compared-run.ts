import { existsSync } from 'node:fs';
import { readDataFile } from '../config/read-data-file.ts';
import { TouchstoneError } from '../errors.ts';
import { importRun } from '../run/archive.ts';
import type { KeptRun } from '../run/compare-runs/compared-run.ts';
import { createMemoryStore } from '../stores/memory.ts';
import type { Store } from '../stores/store.ts';
import { findRun } from './find-run.ts';

/** A run as it was named, and the file it came from if it was one. */
export interface FoundRun extends KeptRun {
  readonly file?: string;
}

/**
 * The run that a user means: an id or a part of it, `latest`, `latest~1` for the one before the latest, or a file that
 * `touchstone export` wrote, which is read into memory. Throws `run-not-found`, and `import-invalid` for a file that is none.
 */
export async function findComparedRun(store: Store, given: string): Promise<FoundRun> {
  if (/\.jsonl?$/i.test(given) && existsSync(given)) {
    const memory = createMemoryStore();
    const run = await importRun(readDataFile(given, process.cwd(), 'jsonl'), memory);
    return { run, store: memory, file: given };
  }
  const back = /^latest~(\d+)$/.exec(given)?.[1];
  if (back === undefined) return { run: await findRun(store, given), store };
  const runs = await store.listRuns();
  const run = runs[Number(back)];
  if (run !== undefined) return { run, store };
  throw new TouchstoneError('run-not-found', `There is no run ${given}: the store has ${runs.length}.`);
}
