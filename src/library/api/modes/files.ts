import { existsSync } from 'node:fs';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import { findRun } from '../../../look/queries/runs.ts';
import { exportDefinitions, exportNotes } from '../../../people/modes/files/export-modes.ts';
import { importModes as importTables, type ImportedModes } from '../../../people/modes/files/import-modes.ts';
import { readDataFile } from '../../config/load-config.ts';
import { type StoreChoice, withStore, withWritableStore } from '../open-store.ts';
import { checkOutputFiles } from '../output-files.ts';
import { writeFile } from '../write-file.ts';
import type { ModeWriterOptions } from './modes.ts';

/** The two tables of failure modes: what was read, and the modes. */
export interface ModeFiles {
  readonly notes: string;
  readonly definitions: string;
}

/** Returns the names of the two tables. The modes are in modes.csv beside the other one, which is notes.csv where that is what is named. */
function filesBeside(file: string): ModeFiles {
  const beside = (name: string) => path.join(path.dirname(file), name);
  return path.basename(file) === 'modes.csv'
    ? { notes: beside('notes.csv'), definitions: file }
    : { notes: file, definitions: beside('modes.csv') };
}

/**
 * Writes what was read as a table, and the failure modes as another one beside it, as `touchstone modes export` does: CSV in UTF-8 (RFC 4180).
 * @returns The names of the files.
 * @throws TouchstoneError for an unknown run, and `output-unwritable`.
 */
export async function exportModes(
  file: string,
  { run, ...choice }: StoreChoice & { readonly run?: string } = {},
): Promise<ModeFiles> {
  const files = filesBeside(file);
  return await withStore(choice, async (store) => {
    await checkOutputFiles([files.notes, files.definitions], { store });
    const id = run === undefined ? undefined : (await findRun(store, run)).id;
    await writeFile(files.notes, exportNotes(store, { run: id }));
    await writeFile(files.definitions, exportDefinitions(store));
    return files;
  });
}

/** Options of adding tables of what was read. */
export interface ImportModesOptions extends ModeWriterOptions {
  /**
   * The person who states that readers saw no verdict of a judge, no score and no note of others. Without it that is not known, and labels
   * made of these marks do not count towards a certificate.
   */
  readonly blindSaidBy?: string;
}

/**
 * Adds the tables that {@link exportModes} writes, or others with these columns, as `touchstone modes import` does. What is in the store already adds nothing.
 * @throws TouchstoneError `import-invalid` with the line of a row that cannot be used, `mode-conflict` for a mode with other words in the store.
 */
export async function importModes(
  file: string,
  { person, blindSaidBy, ...choice }: ImportModesOptions,
): Promise<ImportedModes> {
  const { notes, definitions } = filesBeside(file);
  const folder = choice.folder ?? process.cwd();
  if (!/\.csv$/i.test(file))
    throw new TouchstoneError(
      'import-invalid',
      `${file} is no table: failure modes are read from .csv files.`,
      {
        remedy: 'Save it as CSV in UTF-8; `touchstone modes export notes.csv` shows the columns.',
      },
    );
  const isDefined = existsSync(path.resolve(folder, definitions));
  return await withWritableStore(choice, async (store) => {
    return await importTables(store, {
      notes: readDataFile(notes, folder),
      definitions: isDefined ? readDataFile(definitions, folder) : noRows(),
      person,
      blindSaidBy,
    });
  });
}

/** Yields no rows, where there is no table of modes. */
async function* noRows(): AsyncGenerator<never> {}
