import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { formatPlace, messageOf, TouchstoneError } from '../../../errors.ts';
import { importUserFile } from '../../../lib/import-user-file.ts';
import { describeValue } from '../../../lib/describe-value.ts';
import { displayPath } from '../../../lib/display-path.ts';
import { didYouMean } from '../../../lib/nearest-name.ts';
import { placeOfImportFault } from '../../../lib/place-of-import-fault.ts';
import type { AnyCriterionFunction } from './criterion-function.ts';

/** Where a criterion function is. */
export interface FunctionPlace {
  /** Absolute. */
  readonly file: string;
  /** As the option says it. */
  readonly path: string;
  readonly export: string;
}

/** Throws `config-invalid` where there is no such file, with the nearest name that is there. */
export function checkFile({ file, path: shown }: FunctionPlace): void {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status?.isFile()) return;
  if (status !== undefined) throw refusal(`${shown} is a folder; \`path\` must name a file.`);
  throw refusal(
    `There is no file ${shown}.${didYouMean(path.basename(file), namesIn(path.dirname(file)))}`,
    'Correct `path`; it is relative to the folder of the config file.',
  );
}

/** Imports a file and takes a function out of it. Throws `config-invalid` saying precisely what is missing. */
export async function importFunction(place: FunctionPlace): Promise<AnyCriterionFunction> {
  const found = await importFile(place);
  const value = found[place.export];
  if (typeof value === 'function') return value as AnyCriterionFunction;
  const names = Object.keys(found);
  const has = names.length === 0 ? 'It exports nothing.' : `It exports ${names.join(', ')}.`;
  const problem =
    value === undefined
      ? `${place.path} has no ${place.export === 'default' ? 'default export' : `export \`${place.export}\``}. ${has}`
      : `The export \`${place.export}\` of ${place.path} is ${describeValue(value)}, not a function.`;
  throw refusal(problem, 'Export a function `({ state, groundTruth, transcript }) => true or false`.');
}

async function importFile({ file, path: shown }: FunctionPlace): Promise<Record<string, unknown>> {
  try {
    return await importUserFile(file);
  } catch (error) {
    const place = await placeOfImportFault(error, file);
    const where = place === undefined ? '' : ` (${formatPlace({ ...place, file: displayPath(place.file) })})`;
    const message = `${shown} cannot be imported: ${messageOf(error)}${where}`;
    throw refusal(message, 'Fix the file; nothing was called.', error);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function refusal(message: string, remedy?: string, cause?: unknown): TouchstoneError {
  return new TouchstoneError('config-invalid', message, { ...(remedy !== undefined && { remedy }), cause });
}
