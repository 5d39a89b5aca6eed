import path from 'node:path';
import type { Result } from '../src/core/schema/result.ts';
import type { Run } from '../src/core/schema/run.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { readRuns } from '../src/stores/store.ts';

/** Reads the runs in the store of a project, the newest first, each with its results. */
export async function readStoredRuns(folder: string): Promise<{ run: Run; results: Result[] }[]> {
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  try {
    const stored = [];
    for await (const run of readRuns(store))
      stored.push({ run, results: await Array.fromAsync(store.readResults(run.id)) });
    return stored;
  } finally {
    await store.close();
  }
}

/** Reads the results of the latest run in the store of a project. */
export async function readLatestResults(folder: string): Promise<Result[]> {
  const [latest] = await readStoredRuns(folder);
  return latest?.results ?? [];
}
