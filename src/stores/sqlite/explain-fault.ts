import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { storeDamaged } from '../refusals.ts';

interface Fault {
  /** The end of a sentence that begins with "The store". */
  readonly what: string;
  /** The advice to the user; the general remedy of the error code by default. */
  readonly remedy?: string;
}

const elsewhere = 'or use another folder: `--store` names one';
const readOnly: Fault = {
  what: 'cannot be written to',
  remedy: `Check who may write to its folder, ${elsewhere}.`,
};

const noRoom: Fault = {
  what: 'cannot be written to',
  remedy: `Make room on the disk, or allow larger files (\`ulimit -f\`), and resume the run, ${elsewhere}; what was stored is safe.`,
};

const inTheWay: Fault = {
  what: 'cannot be created or opened',
  remedy: `Something else has its name or the name of its folder: move it away, ${elsewhere}.`,
};

const startAnew =
  'Restore a backup, or move it away with all files whose names begin with its name: the next run then creates a new store.';

/** The faults by SQLite result code; an extended code has priority over its primary one. See https://sqlite.org/rescode.html. */
const faults: Readonly<Record<number, Fault>> = {
  // SQLITE_IOERR_WRITE, _FSYNC, _DIR_FSYNC, _TRUNCATE, _SHMSIZE: a file may not grow, or the disk refuses the data.
  778: noRoom,
  1034: noRoom,
  1290: noRoom,
  1546: noRoom,
  4874: noRoom,
  5: {
    what: 'is locked by another process',
    remedy: 'Wait until the other process is done, then run the same command again; what was stored is safe.',
  },
  8: readOnly,
  13: {
    what: 'has no room left',
    remedy: `Make room on the disk and resume the run, ${elsewhere}; what was stored is safe.`,
  },
  14: readOnly,
  26: { what: 'is not a Touchstone store', remedy: startAnew },
};

/** The faults by error code of the file system. */
const faultsOfFiles: Readonly<Record<string, Fault>> = {
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  EDQUOT: noRoom,
  EFBIG: noRoom,
  EEXIST: inTheWay,
  EISDIR: inTheWay,
  ENOTDIR: inTheWay,
  ENOSPC: noRoom,
};

/**
 * Converts an error of SQLite or the file system into a `store-unreadable` or `store-damaged` error with a remedy. Returns a
 * `TouchstoneError`, and an error that is a bug in the program, unchanged.
 */
export function explainFault(thrown: unknown, file: string): unknown {
  if (thrown instanceof TouchstoneError) return thrown;
  // SQLITE_CORRUPT, or a number larger than any that Touchstone writes.
  if (resultCodeOf(thrown) === 11 || fileCodeOf(thrown) === 'ERR_OUT_OF_RANGE')
    return storeDamaged(file, messageOf(thrown), thrown);
  if (isMistake(thrown)) return thrown;
  const { what, remedy } = faults[extendedCodeOf(thrown)] ??
    faults[resultCodeOf(thrown)] ??
    faultsOfFiles[fileCodeOf(thrown)] ?? { what: 'cannot be used' };
  return new TouchstoneError('store-unreadable', `The store ${file} ${what}: ${messageOf(thrown)}.`, {
    cause: thrown,
    remedy,
  });
}

/** Returns the error for a read-only store whose last writes are in a log that SQLite could read only by writing. */
export function needsFile(store: string, file: string, cause?: unknown): TouchstoneError {
  const message = `The store ${store} cannot be read: its last writes are in ${file}, and its folder cannot be written to.`;
  return new TouchstoneError('store-unreadable', message, {
    cause,
    remedy: 'Copy the folder to a place where you may write, and open the copy with `--store`.',
  });
}

function isMistake(thrown: unknown): boolean {
  return (thrown instanceof TypeError || thrown instanceof RangeError) && !('errcode' in thrown);
}

/** Returns whether an error means that another process has locked the file. */
export function isBusy(thrown: unknown): boolean {
  return resultCodeOf(thrown) === 5;
}

/** Returns whether an error means that the file or its folder cannot be written to. */
export function isReadOnly(thrown: unknown): boolean {
  return faults[resultCodeOf(thrown)] === readOnly;
}

/** Returns the primary SQLite result code of an error; 0 when the error is not from SQLite. */
function resultCodeOf(thrown: unknown): number {
  return extendedCodeOf(thrown) & 0xff;
}

function extendedCodeOf(thrown: unknown): number {
  const code = (thrown as { readonly errcode?: unknown }).errcode;
  return typeof code === 'number' ? code : 0;
}

/** Returns the file-system code of an error, such as `ENOSPC`; empty when it has none. */
function fileCodeOf(thrown: unknown): string {
  return String((thrown as { readonly code?: unknown }).code ?? '');
}
