import { existsSync } from 'node:fs';
import path from 'node:path';
import type { KeptRun } from '../../decide/analysis/compare/compared-run.ts';
import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import { importRun } from '../../evaluate/run/record/archive.ts';
import { findRun } from '../../look/queries/runs.ts';
import { createMemoryStore } from '../../stores/memory.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { readDataFile } from '../config/load-config.ts';
import { type StoreChoice, withStore } from './open-store.ts';

/** A run that was named, and the file that it was read from if the name names a file. */
export interface NamedRun extends KeptRun {
  readonly file?: string;
}

/**
 * Uses runs as users name them: as `findRun` finds them in the store, or by a file that `touchstone export` wrote, relative to the
 * folder, which is read into memory. Throws `run-not-found`, or `import-invalid` for a file that is not an export.
 */
export async function withNamedRuns<Result>(
  names: readonly string[],
  choice: StoreChoice,
  use: (runs: readonly NamedRun[], store: Store) => Promise<Result>,
): Promise<Result> {
  const { folder = process.cwd() } = choice;
  return await withStore(choice, async (store) => {
    const runs: NamedRun[] = [];
    for (const name of names) {
      const isFile = /\.jsonl?$/i.test(name) && existsSync(path.resolve(folder, name));
      runs.push(isFile ? await readRunFile(name, folder) : { run: await findRun(store, name), store });
    }
    return await use(runs, store);
  });
}

async function readRunFile(file: string, folder: string): Promise<NamedRun> {
  const store = createMemoryStore();
  return { run: await importRun(readDataFile(file, folder, 'jsonl'), store), store, file };
}

/** Finds a run as `findRun` does, and checks that its records are whole: `store-damaged`. */
export async function findWholeRun(store: Store, name: string): Promise<Run> {
  const run = await findRun(store, name);
  await requireWhole(run, store);
  return run;
}
