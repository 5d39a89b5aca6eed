import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder, and those above it that are missing, one after the other. (The `recursive` of Node's own function never
 * returns where a parent can never be made, such as below `/proc`.) An existing folder is left as it is. Throws the error of
 * the file system. Returns whether the folder was made.
 * @param mode - The permissions of the folders that are made.
 */
export function makeFolder(folder: string, mode?: number): boolean {
  const resolved = path.resolve(folder);
  if (isFolder(resolved)) return false;
  const parent = path.dirname(resolved);
  if (parent !== resolved) makeFolder(parent, mode);
  try {
    mkdirSync(resolved, mode);
    return true;
  } catch (error) {
    // Another process was faster.
    if (isFolder(resolved)) return false;
    throw error;
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
