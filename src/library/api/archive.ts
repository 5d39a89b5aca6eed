import { readDataFile } from '../config/load-config.ts';
import {
  exportRun as exportLines,
  type ImportNeeds,
  importRun as importRows,
} from '../../evaluate/run/record/archive.ts';
import { type SalvagedRun, salvageRun } from '../../evaluate/run/record/salvage.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { findWholeRun } from './named-runs.ts';
import { readFromStore, type StoreChoice, withWritableStore } from './open-store.ts';

/**
 * Writes a whole run as lines of JSON, without loss, as `touchstone export` does. Each line ends with a line break, so
 * `writeFile('run.jsonl', exportRun())` of `node:fs/promises` makes a file of them.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for a run that is not there or whose totals do not add up.
 */
export function exportRun(runId = 'latest', choice: StoreChoice = {}): AsyncGenerator<string> {
  return readFromStore(choice, async function* lines(store) {
    yield* (await openExport(runId, store)).lines;
  });
}

/** The lines of a run that is exported. */
export interface OpenExport extends SalvagedRun {
  readonly run: Run;
}

/** Finds a run and opens its lines; only the intact ones, with a list of the others, if `isSalvage`. Throws as `exportRun` does. */
export async function openExport(runId: string, store: Store, isSalvage = false): Promise<OpenExport> {
  const run = await findWholeRun(store, runId);
  const whole = { lost: [], lines: exportLines(run, store) };
  return { run, ...(isSalvage ? await salvageRun(run, store) : whole) };
}

/** Options of an import besides the file. */
export interface ImportOptions extends StoreChoice, ImportNeeds {}

/**
 * Adds a run that was exported to a store, as `touchstone import` does: all of it or nothing.
 * @param file - A file of `exportRun`, relative to the folder; `-` is standard input.
 * @throws TouchstoneError for a file that is cut short or was changed, and for a run that is in the store already.
 */
export async function importRun(
  file: string,
  { onNotice, stop, ...choice }: ImportOptions = {},
): Promise<Run> {
  const rows = readDataFile(file, choice.folder ?? process.cwd(), 'jsonl');
  return await withWritableStore(choice, async (store) => await importRows(rows, store, { onNotice, stop }));
}
