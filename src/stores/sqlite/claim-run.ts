import { accessSync, closeSync, constants, existsSync, openSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TouchstoneError } from '../../errors.ts';
import type { Claim } from '../store.ts';
import { explainFault, isBusy } from './explain-fault.ts';

/**
 * Takes a run for this process, by a lock on a file beside the store that the system lets go of when the process ends,
 * however it ends. Throws `run-in-progress` when another has it, and `store-unreadable` where nothing may be written.
 */
export function claimRun(storeFile: string, runId: string): Claim {
  const file = lockFileOf(storeFile, runId);
  const before = makeFile(file, storeFile);
  const lock = openLock(file, storeFile);
  try {
    lock.exec(`PRAGMA busy_timeout = ${longestLookMs}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inProgress(runId) : explainFault(error, file);
  }
  // The process that had it may have removed the file before we took it, and another may have made a new one: we hold the lock of nothing.
  if (before === undefined || identityOf(file) !== before) {
    lock.close();
    return claimRun(storeFile, runId);
  }
  return {
    [Symbol.asyncDispose]: async () => {
      if (!lock.isOpen) return;
      try {
        rmSync(file, { force: true });
      } finally {
        lock.close();
      }
    },
  };
}

/** Others may hold the lock for a moment, to see whether a process has the run: so long, in milliseconds, that is waited for. */
const longestLookMs = 200;

/** Says whether a process has a run. */
export function isClaimed(storeFile: string, runId: string): boolean {
  const file = lockFileOf(storeFile, runId);
  if (!existsSync(file)) return false;
  try {
    using lock = new DatabaseSync(file, { readOnly: true });
    lock.exec('PRAGMA busy_timeout = 0; SELECT 1 FROM sqlite_schema');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    // It was released meanwhile.
    if (!existsSync(file)) return false;
    throw explainFault(error, file);
  }
}

function lockFileOf(storeFile: string, runId: string): string {
  return `${storeFile}-${runId.replace(/[^\w-]/g, '_')}.lock`;
}

/** Makes sure that there is a file, and tells which one. One that is there is not opened: closing it would end its locks. */
function makeFile(file: string, storeFile: string): string | undefined {
  try {
    // A process that may not remove it again could not release the run.
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

/** A file system gives the number of a file that was removed to the next one: the time of its making tells them apart. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeNs}`;
}

function inProgress(runId: string): TouchstoneError {
  return new TouchstoneError('run-in-progress', `Run ${runId} is being worked on by another process.`);
}
