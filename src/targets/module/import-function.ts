import path from 'node:path';
import { formatPlace, messageOf, TouchstoneError } from '../../errors.ts';
import { describeValue } from '../../lib/describe-value.ts';
import { displayPath } from '../../lib/display-path.ts';
import { importUserFile } from '../../lib/import-user-file.ts';
import { placeOfImportFault } from '../../lib/place-of-import-fault.ts';
import { checkFile } from '../files/check-file.ts';
import type { ModuleFunction } from './module-function.ts';

/** Where a target's function is. */
export interface FunctionPlace {
  readonly folder: string;
  /** Relative to the folder. */
  readonly path: string;
  readonly export: string;
}

/** Imports a file and takes a function out of it. Throws `target-invalid` saying precisely what is missing. */
export async function importFunction(place: FunctionPlace): Promise<ModuleFunction> {
  const file = path.resolve(place.folder, place.path);
  await checkFile({ file, shown: place.path, setting: 'path' });
  const found = await importFile(file, place.path);
  const value = found[place.export];
  if (typeof value === 'function') return value as ModuleFunction;
  if (value === undefined) throw noSuchExport(place, Object.keys(found));
  throw new TouchstoneError(
    'target-invalid',
    `The export \`${place.export}\` of ${place.path} is ${describeValue(value)}, not a function.`,
    { remedy: 'Export a function `(input, request) => answer`.' },
  );
}

/** Imports a file. Throws `target-invalid` with the reason and, where that is known, the line. */
export async function importFile(file: string, shown: string): Promise<Record<string, unknown>> {
  try {
    return await importUserFile(file);
  } catch (error) {
    const reason = await describeImportError(error, file);
    throw new TouchstoneError('target-invalid', `${shown} cannot be imported: ${reason}`, {
      remedy: 'Fix the file; nothing was called.',
      cause: error,
    });
  }
}

function noSuchExport(place: FunctionPlace, names: readonly string[]): TouchstoneError {
  const wanted = place.export === 'default' ? 'no default export' : `no export \`${place.export}\``;
  const found = names.length === 0 ? 'It exports nothing.' : `It exports ${names.join(', ')}.`;
  return new TouchstoneError('target-invalid', `${place.path} has ${wanted}. ${found}`, {
    remedy: 'Name one of its exports with `export`, or add `export default`.',
  });
}

/** Why a file could not be imported, with the file, line and column where they are known. */
async function describeImportError(error: unknown, file: string): Promise<string> {
  const place = await placeOfImportFault(error, file);
  if (place === undefined) return messageOf(error);
  return `${messageOf(error)} (${formatPlace({ ...place, file: displayPath(place.file) })})`;
}
