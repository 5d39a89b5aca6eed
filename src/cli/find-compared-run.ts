import { existsSync } from 'node:fs';
import { readDataFile } from '../config/read-data-file.ts';
import { importRun } from '../run/record/archive.ts';
import type { KeptRun } from '../analysis/compare/compared-run.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { listBaselines, readNamedBaseline } from '../gate/baselines/named-baselines.ts';
import type { Store } from '../stores/store.ts';
import { findRun } from './find-run.ts';

/** A run as it was named, and the file it came from if it was one. */
export interface FoundRun extends KeptRun {
  readonly file?: string;
}

/** Where runs are looked for. */
export interface RunPlaces {
  readonly store: Store;
  /** The folder of the store, which keeps the names of baselines too. */
  readonly storeFolder: string;
}

/**
 * The run that a user means: an id or a part of it, `latest`, `latest~1` for the one before the latest, the name of a
 * baseline, or a file that `touchstone export` wrote, which is read into memory. Throws `run-not-found`, and
 * `import-invalid` for a file that is none.
 */
export async function findComparedRun(given: string, { store, storeFolder }: RunPlaces): Promise<FoundRun> {
  if (/\.jsonl?$/i.test(given) && existsSync(given)) {
    const memory = createMemoryStore();
    const run = await importRun(readDataFile(given, process.cwd(), 'jsonl'), memory);
    return { run, store: memory, file: given };
  }
  const names = await listBaselines(storeFolder);
  const id = names.includes(given) ? (await readNamedBaseline(storeFolder, given)).run.id : given;
  return { run: await findRun(store, id), store };
}
