import { messageOf, TouchstoneError } from '../../errors.ts';

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

/** What SQLite's primary result codes mean for a user. See https://sqlite.org/rescode.html. */
const faults: Readonly<Record<number, Fault>> = {
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
};

/**
 * Turns what SQLite, zstd or the file system threw into a `store-unreadable` that says what to do. A `TouchstoneError`, and
 * a mistake of the program, stay as they are.
 */
export function explainFault(thrown: unknown, file: string): unknown {
  if (thrown instanceof TouchstoneError || isMistake(thrown)) return thrown;
  const { what, remedy } = faults[resultCodeOf(thrown)] ?? { what: 'cannot be used' };
  return new TouchstoneError('store-unreadable', `The store ${file} ${what}: ${messageOf(thrown)}.`, {
    cause: thrown,
    ...(remedy !== undefined && { remedy }),
  });
}

function isMistake(thrown: unknown): boolean {
  return (thrown instanceof TypeError || thrown instanceof RangeError) && !('errcode' in thrown);
}

/** Whether another process is in the way. */
export function isBusy(thrown: unknown): boolean {
  return resultCodeOf(thrown) === 5;
}

/** The part of a result code that all of its variants share; 0 when it was not SQLite that threw. */
function resultCodeOf(thrown: unknown): number {
  const code = (thrown as { readonly errcode?: unknown }).errcode;
  return typeof code === 'number' ? code & 0xff : 0;
}
