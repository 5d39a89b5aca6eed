import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where git keeps what it knows of a work tree. */
export interface GitFolders {
  /** The top of the work tree. */
  readonly top: string;
  /** Of this work tree alone: what is checked out. */
  readonly own: string;
  /** Of all work trees of a repository: its branches. The same as `own` unless it is a linked work tree. */
  readonly common: string;
}

/** The git work tree that a folder is in; undefined when there is none. Linked work trees and submodules are found too. */
export function findGitFolders(folder: string): GitFolders | undefined {
  for (let top = path.resolve(folder); ; top = path.dirname(top)) {
    const own = gitFolderIn(top);
    if (own !== undefined) return { top, own, common: commonOf(own) };
    if (top === path.dirname(top)) return undefined;
  }
}

/** `.git` is the folder itself, or a file that says where it is. */
function gitFolderIn(top: string): string | undefined {
  const place = path.join(top, '.git');
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found && place;
  const [, named] = /^gitdir: (.+?)\r?\n*$/.exec(readFileSync(place, 'utf8')) ?? [];
  return named === undefined ? undefined : path.resolve(top, named);
}

function commonOf(own: string): string {
  const named = readLine(path.join(own, 'commondir'));
  return named === undefined ? own : path.resolve(own, named);
}

/** The text of a small file without the white space around it; undefined when there is none. */
export function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
