import { type FSWatcher, readdirSync, statSync, watch as watchFolder } from 'node:fs';
import path from 'node:path';

/** The folder and the files to watch. */
export interface WatchedPlaces {
  readonly folder: string;
  /** Returns whether a path in the folder is ignored, with everything below it. */
  readonly ignores: (file: string) => boolean;
  /** Called with the absolute path of everything that is created, changed or removed. */
  readonly onChange: (file: string) => void;
}

/** A watcher of files. */
export interface FileWatcher {
  /** Watches further files, which may be outside of the folder. */
  add(files: readonly string[]): void;
  close(): void;
}

/** The pause before a folder is watched again, in milliseconds. */
const againMs = 200;

/** More folders than this are not watched: each takes a handle of the system. */
const mostFolders = 2000;

/**
 * Watches a folder with its subfolders. Each subfolder is watched by itself, so that what is ignored costs nothing; new ones
 * are watched as they appear.
 */
export function watchFiles(
  { folder, ignores, onChange }: WatchedPlaces,
  watch: (folder: string, onEvent: (event: string, name: string | null) => void) => FSWatcher = watchFolder,
): FileWatcher {
  const watchers = new Map<string, FSWatcher>();
  const single = new Set<string>();
  let isClosed = false;

  const report = (parent: string, name: string, isWhole: boolean): void => {
    const file = path.join(parent, name);
    if (!isWhole && !single.has(file)) return;
    if (isWhole && ignores(file)) return;
    if (isWhole && isFolder(file)) addFolder(file);
    onChange(file);
  };
  const open = (parent: string, isWhole: boolean): void => {
    try {
      const watcher = watch(parent, (_, name) => {
        // Without a name, anything in the folder may have changed.
        for (const each of name === null ? namesIn(parent) : [name]) report(parent, each, isWhole);
      });
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(parent);
        // A folder that is removed can no longer be watched, which its parent reports; any other is watched again.
        setTimeout(() => {
          if (!isClosed && isFolder(parent) && !watchers.has(parent)) open(parent, isWhole);
        }, againMs).unref();
      });
      watchers.set(parent, watcher);
    } catch {
      // It was removed meanwhile.
    }
  };
  const addFolder = (parent: string): void => {
    if (watchers.has(parent) || watchers.size >= mostFolders) return;
    open(parent, true);
    for (const entry of listFolders(parent)) if (!ignores(entry)) addFolder(entry);
  };

  addFolder(folder);
  return {
    add: (files) => {
      for (const file of files) {
        const parent = path.dirname(file);
        single.add(file);
        // A file is watched by its folder, since editors replace it by another one of that name.
        if (!watchers.has(parent)) open(parent, false);
      }
    },
    close: () => {
      isClosed = true;
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

function namesIn(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

function listFolders(parent: string): string[] {
  try {
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => path.join(parent, name));
  } catch {
    return [];
  }
}
