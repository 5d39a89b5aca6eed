import { messageOf, TouchstoneError } from '../../errors.ts';
import { storeDamaged } from '../refusals.ts';

interface Fault {
  /** What is wrong with the store. */
  readonly what: string;
  /** The general remedy when left out. */
  readonly remedy?: string;
}

const elsewhere = 'or use another folder: `--store` names one';
const readOnly: Fault = {
  what: 'cannot be written to',
  remedy: `Check who may write to its folder, ${elsewhere}.`,
};

const noRoom: Fault = {
  what: 'cannot be written to',
  remedy: `Make room on the disk, or allow larger files (\`ulimit -f\`), and resume the run, ${elsewhere}; what was kept is safe.`,
};

const inTheWay: Fault = {
  what: 'cannot be made or opened',
  remedy: `Something else has its name or that of its folder: move that away, ${elsewhere}.`,
};

const startAnew =
  'Put back a copy of it; or move it away with all files whose names begin with its own, and the next run begins a new one.';

/** What SQLite's result codes mean for a user, the extended ones before the primary. See https://sqlite.org/rescode.html. */
const faults: Readonly<Record<number, Fault>> = {
  // SQLITE_IOERR_WRITE, _FSYNC, _DIR_FSYNC, _TRUNCATE, _SHMSIZE: a file may not grow, or its disk does not take it.
  778: noRoom,
  1034: noRoom,
  1290: noRoom,
  1546: noRoom,
  4874: noRoom,
  5: {
    what: 'is held by another process',
    remedy: 'Wait until the other process is done, then run the same command again; what was kept is safe.',
  },
  8: readOnly,
  13: {
    what: 'has no room left',
    remedy: `Make room on the disk and resume the run, ${elsewhere}; what was kept is safe.`,
  },
  14: readOnly,
  26: { what: 'is no store', remedy: startAnew },
};

/** The same for the file system's own codes. */
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
 * Turns what SQLite or the file system threw into a `store-unreadable` or a `store-damaged` that says what to do. A
 * `TouchstoneError`, and a mistake of the program, stay as they are.
 */
export function explainFault(thrown: unknown, file: string): unknown {
  if (thrown instanceof TouchstoneError) return thrown;
  // SQLITE_CORRUPT, or a number that is larger than any that we write.
  if (resultCodeOf(thrown) === 11 || fileCodeOf(thrown) === 'ERR_OUT_OF_RANGE')
    return storeDamaged(file, messageOf(thrown), thrown);
  if (isMistake(thrown)) return thrown;
  const { what, remedy } = faults[extendedCodeOf(thrown)] ??
    faults[resultCodeOf(thrown)] ??
    faultsOfFiles[fileCodeOf(thrown)] ?? { what: 'cannot be used' };
  return new TouchstoneError('store-unreadable', `The store ${file} ${what}: ${messageOf(thrown)}.`, {
    cause: thrown,
    ...(remedy !== undefined && { remedy }),
  });
}

/** Of a store whose last writes stand in a file that only who may write can put where they belong. */
export function needsFile(store: string, file: string, cause?: unknown): TouchstoneError {
  const message = `The store ${store} cannot be read: its last writes stand in ${file}, and its folder cannot be written to.`;
  return new TouchstoneError('store-unreadable', message, {
    cause,
    remedy: 'Copy the folder to where you may write, and name the copy with `--store`.',
  });
}

function isMistake(thrown: unknown): boolean {
  return (thrown instanceof TypeError || thrown instanceof RangeError) && !('errcode' in thrown);
}

/** Whether another process is in the way. */
export function isBusy(thrown: unknown): boolean {
  return resultCodeOf(thrown) === 5;
}

/** Whether the file, or its folder, cannot be written to. */
export function isReadOnly(thrown: unknown): boolean {
  return faults[resultCodeOf(thrown)] === readOnly;
}

/** The part of a result code that all of its variants share; 0 when it was not SQLite that threw. */
function resultCodeOf(thrown: unknown): number {
  return extendedCodeOf(thrown) & 0xff;
}

function extendedCodeOf(thrown: unknown): number {
  const code = (thrown as { readonly errcode?: unknown }).errcode;
  return typeof code === 'number' ? code : 0;
}

/** Such as `ENOSPC`; empty when it was not the file system that threw. */
function fileCodeOf(thrown: unknown): string {
  return String((thrown as { readonly code?: unknown }).code ?? '');
}
