import type { Stats } from 'node:fs';
import { glob, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../errors.ts';
import { nearestName } from '../lib/nearest-name.ts';
import { toTerminalText } from '../lib/terminal-text.ts';
import { fileError, folderError } from './file-source.ts';

/** Stands for standard input among paths. */
export const standardInput = '-';

/** A file of a dataset, known to exist. */
export interface FoundFile {
  /** As the user wrote it, or as the user's glob found it; safe to print. */
  readonly name: string;
  readonly path: string;
  /** A pipe or a device: it can be read once only. */
  readonly isStream: boolean;
}

/**
 * Finds the files that paths and globs name, relative to a folder: in the order they are named, the matches of a
 * glob sorted, each file once. Throws `dataset-not-found` for a path without a file and a glob without a match.
 */
export async function findFiles(paths: readonly string[], folder: string): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const named of paths) {
    for (const file of await findNamed(named, folder)) {
      if (!found.has(file.path)) found.set(file.path, file);
    }
  }
  return [...found.values()];
}

async function findNamed(named: string, folder: string): Promise<FoundFile[]> {
  if (named === standardInput) return [{ name: '<stdin>', path: standardInput, isStream: true }];
  const absolute = path.resolve(folder, named);
  const stats = await statOf(absolute, named);
  if (stats !== undefined) {
    if (stats.isDirectory()) throw folderError(toTerminalText(named));
    return [foundFile(named, absolute, stats)];
  }
  return /[*?[\]{}]/.test(named) ? findMatches(named, folder) : refuseMissing(named, absolute);
}

async function findMatches(pattern: string, folder: string): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for await (const match of glob(pattern, { cwd: folder })) {
    const absolute = path.resolve(folder, match);
    const stats = await statOf(absolute, match);
    if (stats?.isFile()) files.push(foundFile(match.replaceAll(path.sep, '/'), absolute, stats));
  }
  if (files.length > 0) return files.sort((a, b) => (a.name < b.name ? -1 : 1));
  const message = `${toTerminalText(pattern)}: no file matches`;
  throw new TouchstoneError('dataset-not-found', `${message} in ${toTerminalText(folder)}`);
}

async function statOf(absolute: string, named: string): Promise<Stats | undefined> {
  try {
    return await stat(absolute);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EINVAL') return undefined;
    throw fileError(error, toTerminalText(named));
  }
}

function foundFile(named: string, absolute: string, stats: Stats): FoundFile {
  return { name: toTerminalText(named), path: absolute, isStream: !stats.isFile() };
}

async function refuseMissing(named: string, absolute: string): Promise<never> {
  const name = toTerminalText(named);
  const inFolder = toTerminalText(path.dirname(absolute));
  const others = await readdir(path.dirname(absolute)).catch(() => undefined);
  if (others === undefined) {
    throw new TouchstoneError('dataset-not-found', `${name}: there is no folder ${inFolder}`);
  }
  const nearest = nearestName(path.basename(absolute), others);
  const remedy = nearest === undefined ? {} : { remedy: `Did you mean ${toTerminalText(nearest)}?` };
  throw new TouchstoneError('dataset-not-found', `${name}: there is no such file in ${inFolder}`, remedy);
}
