import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isPart } from './replace-file.ts';
import { ownerOf } from './work-folder.ts';

/** The milliseconds after which nothing is written to a file any more that nothing was written to. */
const oldAfterMs = 3_600_000;
/** The number of levels of folders that are looked through. */
const levels = 4;

/** Lists halves of files in folders and up to three levels below: nothing was written to them for an hour. Links are not followed. */
export async function findParts(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(async (folder) => await partsIn(path.resolve(folder), levels)));
  return [...new Set(found.flat())].sort();
}

async function partsIn(folder: string, left: number): Promise<string[]> {
  const entries = await entriesOf(folder);
  const parts: string[] = [];
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isFile() && isPart(entry.name) && (await isOld(full))) parts.push(full);
    if (entry.isDirectory() && left > 1 && entry.name !== 'node_modules' && entry.name !== '.git')
      parts.push(...(await partsIn(full, left - 1)));
  }
  return parts;
}

/** Lists temporary files and folders of processes of this user that have ended, an hour after they were last changed. */
export async function findAbandonedWork(folder: string = tmpdir()): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await entriesOf(folder)) {
    const owner = ownerOf(name);
    const full = path.join(folder, name);
    // Another container may share the folder and have processes of its own: what is young is left alone.
    if (owner !== undefined && !isRunning(owner) && (await isOld(full))) found.push(full);
  }
  return found.sort();
}

/** Lists a folder; one that is not there, or that this user cannot read, has nothing. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch(() => []);
}

async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  return Date.now() - found.mtimeMs > oldAfterMs;
}

/** Returns whether a process runs on this machine, whichever user it belongs to. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is running, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
