import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../errors.ts';
import { nearestName } from '../lib/nearest-name.ts';

/** Names of a config file, in the order in which they are looked for. */
const configFileNames: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'yaml', 'yml', 'json'].map(
  (extension) => `touchstone.config.${extension}`,
);

/**
 * The config file that a path means: the file itself, or the one in a folder. Throws `config-not-found`.
 * @param given - As the user wrote it; the current folder when left out.
 */
export async function findConfig(given = '.'): Promise<string> {
  const full = path.resolve(given);
  const stats = await stat(full).catch(() => undefined);
  if (stats === undefined) throw await noSuchFile(given, full);
  if (!stats.isDirectory()) return full;
  const files = await readdir(full);
  const found = configFileNames.find((name) => files.includes(name));
  if (found !== undefined) return path.join(full, found);
  const where = given === '.' ? 'this folder' : given;
  throw new TouchstoneError(
    'config-not-found',
    `There is no touchstone.config.ts (.js, .yaml, .json) in ${where}.`,
  );
}

async function noSuchFile(given: string, full: string): Promise<TouchstoneError> {
  const siblings = await readdir(path.dirname(full)).catch((): string[] => []);
  const nearest = nearestName(path.basename(full), siblings);
  const hint = nearest === undefined ? '' : ` Did you mean "${path.join(path.dirname(given), nearest)}"?`;
  return new TouchstoneError('config-not-found', `There is no file or folder ${given}.${hint}`);
}
