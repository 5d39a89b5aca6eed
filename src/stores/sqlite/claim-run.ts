import { accessSync, constants, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TouchstoneError } from '../../errors.ts';
import { explainFault, isBusy } from './explain-fault.ts';

/**
 * Takes a run for this process, by a lock on a file beside the store that the system lets go of when the process ends,
 * however it ends. Throws `run-in-progress` when another has it, and `store-unreadable` where nothing may be written.
 * Returns what gives the run back.
 */
export function claimRun(storeFile: string, runId: string): () => void {
  const file = `${storeFile}-${runId.replace(/[^\w-]/g, '_')}.lock`;
  const lock = openLock(file, storeFile);
  const before = identityOf(file);
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inProgress(runId) : explainFault(error, storeFile);
  }
  // Whoever had it may have removed the file between our opening it and our taking it: then we hold the lock of nothing.
  if (before === undefined || identityOf(file) !== before) {
    lock.close();
    return claimRun(storeFile, runId);
  }
  return () => {
    if (!lock.isOpen) return;
    try {
      rmSync(file, { force: true });
    } finally {
      lock.close();
    }
  };
}

function openLock(file: string, storeFile: string): DatabaseSync {
  try {
    // Whoever may not remove it again could not give the run back.
    accessSync(path.dirname(file), constants.W_OK);
    return new DatabaseSync(file);
  } catch (error) {
    throw explainFault(error, storeFile);
  }
}

function identityOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

function inProgress(runId: string): TouchstoneError {
  return new TouchstoneError('run-in-progress', `Run ${runId} is being worked on by another process.`);
}
