import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest-name.ts';
import { type Baseline, baselineNameSchema } from '../../schema/baseline.ts';
import { readBaselineFile, writeBaselineFile } from './baseline-file.ts';

const ending = '.json';

/** The file of a baseline by its name, in the folder of a store. Throws `usage-invalid` for what cannot be a name. */
export function fileOfBaseline(storeFolder: string, name: string): string {
  if (baselineNameSchema.safeParse(name).success && !name.endsWith(ending)) {
    return path.join(folderOf(storeFolder), `${name}${ending}`);
  }
  throw new TouchstoneError('usage-invalid', `"${name}" cannot be the name of a baseline.`, {
    remedy: 'Use letters, digits, `.`, `_` and `-`, such as `main` or `release-2.1`.',
  });
}

/**
 * The file that somebody means by `main` (a name, in the folder of the store) or by `baselines/main.json` (a file, from
 * a folder).
 */
export function locateBaseline(
  given: string,
  { folder, storeFolder }: { readonly folder: string; readonly storeFolder: string },
): string {
  const isFile = given.endsWith(ending) || /[\\/]/.test(given);
  return isFile ? path.resolve(folder, given) : fileOfBaseline(storeFolder, given);
}

/**
 * How a file is named in a record: by the name of the baseline, or else by its path from the folder of the store. The
 * opposite of `locateBaseline` with that folder for both.
 */
export function nameBaseline(file: string, storeFolder: string): string {
  const full = path.resolve(file);
  const name = path.basename(full, ending);
  const isNamed = path.dirname(full) === path.resolve(folderOf(storeFolder)) && full.endsWith(ending);
  if (isNamed && baselineNameSchema.safeParse(name).success) return name;
  const relative = path.relative(storeFolder, full);
  if (path.isAbsolute(relative)) return full;
  const portable = relative.replaceAll(path.sep, '/');
  return portable.includes('/') ? portable : `./${portable}`;
}

/** Keeps a baseline under its name, in place of an earlier one. */
export async function keepBaseline(storeFolder: string, baseline: Baseline): Promise<string> {
  const file = fileOfBaseline(storeFolder, baseline.name);
  await mkdir(folderOf(storeFolder), { recursive: true });
  await writeBaselineFile(file, baseline);
  return file;
}

/** The names of the baselines that a store keeps, in the order of the alphabet. */
export async function listBaselines(storeFolder: string): Promise<string[]> {
  const files = await readdir(folderOf(storeFolder)).catch((): string[] => []);
  return files
    .filter((file) => file.endsWith(ending) && !file.startsWith('.'))
    .map((file) => path.basename(file, ending))
    .toSorted();
}

/** Reads a baseline by its name. Throws `baseline-not-found`, or `baseline-unreadable`. */
export async function readNamedBaseline(storeFolder: string, name: string): Promise<Baseline> {
  await refuseUnknown(storeFolder, name);
  return await readBaselineFile(fileOfBaseline(storeFolder, name));
}

/** Removes a baseline; its run stays. Throws `baseline-not-found`. */
export async function removeBaseline(storeFolder: string, name: string): Promise<void> {
  await refuseUnknown(storeFolder, name);
  await rm(fileOfBaseline(storeFolder, name));
}

async function refuseUnknown(storeFolder: string, name: string): Promise<void> {
  const names = await listBaselines(storeFolder);
  if (names.includes(name)) return;
  const known = names.length === 0 ? ' There are none yet.' : ` Known are ${names.join(', ')}.`;
  throw new TouchstoneError(
    'baseline-not-found',
    `There is no baseline "${name}".${didYouMean(name, names) || known}`,
  );
}

function folderOf(storeFolder: string): string {
  return path.join(storeFolder, 'baselines');
}
