import path from 'node:path';
import {
  checkBaselineName,
  encodeBaseline,
  locateBaseline,
  readLocatedBaseline,
  readNamedBaseline,
  readBaselineFile,
  removeBaseline as removeNamed,
} from '../../decide/gate/baselines.ts';
import { makeBaseline } from '../../decide/gate/make-baseline.ts';
import { findRun } from '../../look/queries/runs.ts';
import type { Baseline } from '../../core/schema/decision.ts';
import { checkOutputFiles } from './output-files.ts';
import { writeFile } from './write-file.ts';
import { type StoreChoice, withStore } from './open-store.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { putDocuments } from '../../stores/documents/document-store.ts';

/**
 * Stores a run as the named baseline that later runs are compared with, replacing an earlier one of that name, as
 * `touchstone baseline set` does.
 * @throws TouchstoneError for an invalid name and for a run that is not there or not finished.
 */
export async function setBaseline(
  name: string,
  runId = 'latest',
  choice: StoreChoice = {},
): Promise<Baseline> {
  checkBaselineName(name);
  return await withStore(choice, async (store) => {
    const baseline = await makeBaseline(name, await findRun(store, runId), store);
    await putDocuments(store.documents, baselineKind, [baseline]);
    return baseline;
  });
}

/**
 * Lists the baselines of a store in alphabetical order, as `touchstone baseline list` does.
 * @throws TouchstoneError for one that cannot be read.
 */
export async function listBaselines(choice: StoreChoice = {}): Promise<Baseline[]> {
  return await withStore(
    choice,
    async ({ documents }) => await Array.fromAsync(documents.list(baselineKind)),
  );
}

/**
 * Reads a baseline.
 * @param name - Its name in the store, or a file that `exportBaseline` wrote, relative to the folder.
 * @throws TouchstoneError where there is none, or it cannot be read.
 */
export async function readBaseline(name: string, choice: StoreChoice = {}): Promise<Baseline> {
  const located = locateBaseline(name, choice.folder ?? process.cwd());
  return await withStore(choice, async (store) => await readLocatedBaseline(located, store));
}

/**
 * Writes a baseline to a JSON file for a repository, so that CI needs no store, as `touchstone baseline export` does, and
 * returns it.
 * @param file - Relative to the folder.
 * @throws TouchstoneError for a baseline that is not there, a file that is an input, and one that cannot be written.
 */
export async function exportBaseline(
  name: string,
  file: string,
  choice: StoreChoice = {},
): Promise<Baseline> {
  const full = path.resolve(choice.folder ?? process.cwd(), file);
  return await withStore(choice, async (store) => {
    const baseline = await readNamedBaseline(store, name);
    // A config may name the file as its baseline: an earlier one is replaced.
    if (!(await isBaselineFile(full))) await checkOutputFiles([full], { store });
    await writeFile(full, [encodeBaseline(baseline)]);
    return baseline;
  });
}

async function isBaselineFile(file: string): Promise<boolean> {
  return await readBaselineFile(file).then(
    () => true,
    () => false,
  );
}

/**
 * Removes a baseline, as `touchstone baseline remove` does; its run stays.
 * @throws TouchstoneError where there is none of that name.
 */
export async function removeBaseline(name: string, choice: StoreChoice = {}): Promise<void> {
  await withStore(choice, async (store) => await removeNamed(store, name));
}
