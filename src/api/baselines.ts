import path from 'node:path';
import {
  fileOfBaseline,
  saveBaseline,
  listBaselines as listNames,
  locateBaseline,
  readBaselineFile,
  readNamedBaseline,
  removeBaseline as removeNamed,
  writeBaselineFile,
} from '../gate/baselines.ts';
import { makeBaseline } from '../gate/make-baseline.ts';
import { findRun } from '../queries/runs.ts';
import type { Baseline } from '../schema/decision.ts';
import { type StoreChoice, storeFolderOf, withStore } from './open-store.ts';

/**
 * Runs `touchstone baseline set NAME [RUN]`: stores a run as the named baseline that later runs are compared with, and
 * replaces an earlier one of that name. Returns the exit code.
 */
export async function setBaseline(
  name: string,
  runId = 'latest',
  choice: StoreChoice = {},
): Promise<Baseline> {
  const folder = storeFolderOf(choice);
  fileOfBaseline(folder, name);
  const baseline = await withStore(
    choice,
    async (store) => await makeBaseline(name, await findRun(store, runId), store),
  );
  await saveBaseline(folder, baseline);
  return baseline;
}

/**
 * Lists the baselines of a store in alphabetical order, as `touchstone baseline list` does.
 * @throws TouchstoneError for one that cannot be read.
 */
export async function listBaselines(choice: StoreChoice = {}): Promise<Baseline[]> {
  const folder = storeFolderOf(choice);
  const names = await listNames(folder);
  return await Promise.all(names.map(async (name) => await readNamedBaseline(folder, name)));
}

/**
 * Reads a baseline.
 * @param name - Its name in the store, or a file that `exportBaseline` wrote, relative to the folder.
 * @throws TouchstoneError where there is none, or it cannot be read.
 */
export async function readBaseline(name: string, choice: StoreChoice = {}): Promise<Baseline> {
  const { folder = process.cwd() } = choice;
  return await readBaselineFile(locateBaseline(name, { folder, storeFolder: storeFolderOf(choice) }));
}

/**
 * Writes a baseline to a JSON file for a repository, so that CI needs no store, as `touchstone baseline export` does.
 * @param file - Relative to the folder.
 * @throws TouchstoneError for a baseline that is not there, and a file that cannot be written.
 */
export async function exportBaseline(name: string, file: string, choice: StoreChoice = {}): Promise<void> {
  const { folder = process.cwd() } = choice;
  await writeBaselineFile(path.resolve(folder, file), await readNamedBaseline(storeFolderOf(choice), name));
}

/**
 * Removes a baseline, as `touchstone baseline remove` does; its run stays.
 * @throws TouchstoneError where there is none of that name.
 */
export async function removeBaseline(name: string, choice: StoreChoice = {}): Promise<void> {
  await removeNamed(storeFolderOf(choice), name);
}
