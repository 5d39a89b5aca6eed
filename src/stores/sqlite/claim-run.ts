import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TouchstoneError } from '../../core/errors.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import type { Claim } from '../store.ts';
import { explainFault, isBusy } from './explain-fault.ts';

/**
 * Claims a run, or a part of it, for this process by a lock on a file next to the store. The system releases the lock when the process ends,
 * however it ends. Throws `run-in-progress` when another process has the run, and `store-unreadable` when the folder cannot
 * be written to.
 */
export function claimRun(storeFile: string, runId: string, part: string = ''): Claim {
  const file = lockFileOf(storeFile, runId, part);
  const before = makeFile(file, storeFile);
  const lock = openLock(file, storeFile);
  try {
    lock.exec(`PRAGMA busy_timeout = ${longestLookMs}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inProgress(runId) : explainFault(error, file);
  }
  // The previous holder may have removed the file before it was locked here, and another process may have created a new one:
  // then this is the lock of a file that no longer exists.
  if (before === undefined || identityOf(file) !== before) {
    lock.close();
    return claimRun(storeFile, runId, part);
  }
  return {
    // The system holds the lock as long as the process lives.
    lost: new AbortController().signal,
    [Symbol.asyncDispose]: async () => {
      if (lock.isOpen) release(file, () => lock.close());
    },
  };
}

/**
 * Releases a lock and removes its file, while it is held: no other process can have locked it then. On Windows, a file that is open cannot
 * be removed: there the lock is released first, and a file that the next process has locked meanwhile is left to it.
 */
export function release(file: string, close: () => void, platform = process.platform): void {
  const isWindows = platform === 'win32';
  if (isWindows) close();
  try {
    rmSync(file, { force: true });
  } catch (error) {
    // One that cannot be removed does no harm: the next claim of the run locks it again.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EBUSY', 'EPERM', 'EROFS'].includes(code)) throw error;
  }
  if (!isWindows) close();
}

/**
 * The time, in milliseconds, to wait for a lock. Other processes may take it for a moment to find out whether the run is
 * claimed.
 */
const longestLookMs = 200;

/** Returns whether a process has claimed a run, or a part of it. */
export function isClaimed(
  storeFile: string,
  runId: string,
  { part = '', tries = 10 }: { readonly part?: string; readonly tries?: number } = {},
): boolean {
  const file = lockFileOf(storeFile, runId, part);
  if (!existsSync(file)) return false;
  try {
    using lock = new DatabaseSync(file, { readOnly: true });
    lock.exec('PRAGMA busy_timeout = 0; SELECT 1 FROM sqlite_schema');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    // The file is removed when the run is released, and another process may have created it again since.
    if (tries > 1) return isClaimed(storeFile, runId, { part, tries: tries - 1 });
    throw explainFault(error, file);
  }
}

function lockFileOf(storeFile: string, runId: string, part: string): string {
  const name = runId.replace(/[^\w-]/g, '_');
  return `${storeFile}-${name}${part === '' ? '' : `+${hashText(part)}`}.lock`;
}

/** Creates the file unless it exists, and returns its identity. An existing file is not opened: closing it would end its locks. */
function makeFile(file: string, storeFile: string): string | undefined {
  try {
    // A process that may not remove the file could not release the run.
    accessSync(path.dirname(file), constants.W_OK);
    if (!existsSync(file)) closeSync(openSync(file, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw explainFault(error, storeFile);
  }
  return identityOf(file);
}

function openLock(file: string, storeFile: string): DatabaseSync {
  try {
    return new DatabaseSync(file);
  } catch (error) {
    throw explainFault(error, storeFile);
  }
}

/** Returns the identity of a file. File systems reuse the inode of a removed file, so the time of creation is part of it. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeNs}`;
}

function inProgress(runId: string): TouchstoneError {
  return new TouchstoneError('run-in-progress', `Run ${runId} is being worked on by another process.`);
}
