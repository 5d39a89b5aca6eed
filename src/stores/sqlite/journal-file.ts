import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { messageOf, TouchstoneError } from '../../errors.ts';
import type { Placed } from './pages/piece.ts';

/** A file that rows are written to the end of. */
export interface JournalFile<Value> {
  /** Throws `store-unreadable` when there is no room; then nothing was written. */
  append(rows: readonly Placed<Value>[]): void;
  empty(): void;
  remove(): void;
}

/** Begins a journal, in the stead of one that may be there. */
export function openJournalFile<Value>(file: string): JournalFile<Value> {
  const descriptor = openSync(file, 'w');
  let length = 0;
  const cutTo = (bytes: number) => {
    ftruncateSync(descriptor, bytes);
    length = bytes;
  };

  function write(line: Uint8Array): void {
    for (let written = 0; written < line.length; ) {
      written += writeSync(descriptor, line, written, line.length - written, length + written);
    }
    length += line.length;
  }

  return {
    append: (rows) => {
      try {
        write(Buffer.from(`${JSON.stringify(rows)}\n`));
      } catch (error) {
        cutTo(length);
        throw cannotWrite(file, error);
      }
    },
    empty: () => cutTo(0),
    remove: () => {
      closeSync(descriptor);
      rmSync(file, { force: true });
    },
  };
}

/** The rows of all lines up to one that is not whole: of the last, a kill may have left a part, and a power cut of any. */
export function readJournalFile<Value>(file: string): Placed<Value>[] {
  if (!existsSync(file)) return [];
  const rows: Placed<Value>[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    try {
      rows.push(...(JSON.parse(line) as Placed<Value>[]));
    } catch {
      break;
    }
  }
  return rows;
}

function cannotWrite(file: string, cause: unknown): TouchstoneError {
  return new TouchstoneError(
    'store-unreadable',
    `The store cannot be written to: ${messageOf(cause)} (${file}).`,
    { cause, remedy: 'Make room on the disk and resume the run; what was kept is safe.' },
  );
}
