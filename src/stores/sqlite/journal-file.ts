import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { messageOf, TouchstoneError } from '../../errors.ts';
import type { Placed } from './pages/piece.ts';

/** A file that rows are written to the end of. */
export interface JournalFile<Value> {
  /** Bytes of the rows in it. */
  readonly size: number;
  /** Throws `store-unreadable` when there is no room; then nothing was written. */
  append(rows: readonly Placed<Value>[]): void;
  empty(): void;
  remove(): void;
}

/** The first line: whose rows they are. */
const headOf = (runId: string | undefined) => `${JSON.stringify({ run: runId })}\n`;

/** Begins the journal of a run, in place of one that may be there. Throws `store-unreadable` when there is no room. */
export function openJournalFile<Value>(file: string, runId: string | undefined): JournalFile<Value> {
  const descriptor = openFile(file);
  const head = Buffer.from(headOf(runId));
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

  function append(line: Uint8Array): void {
    try {
      write(line);
    } catch (error) {
      cutTo(length);
      throw cannotWrite(file, error);
    }
  }

  append(head);
  return {
    get size() {
      return length - head.length;
    },
    append: (rows) => append(Buffer.from(`${JSON.stringify(rows)}\n`)),
    empty: () => cutTo(head.length),
    remove: () => {
      closeSync(descriptor);
      rmSync(file, { force: true });
    },
  };
}

/**
 * The rows of all lines that are whole: of the last, a kill may have left a part, and a power cut of any. None when it is the
 * journal of another run, as one is that stays behind where the store itself was put back or removed.
 */
export function readJournalFile<Value>(file: string, runId: string | undefined): Placed<Value>[] {
  const [head, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return `${head}\n` === headOf(runId) ? lines.flatMap((line) => readLine<Value>(line)) : [];
}

function readLine<Value>(line: string): Placed<Value>[] {
  try {
    const rows = JSON.parse(line) as Placed<Value>[];
    return rows.filter((row) => Number.isInteger(row.place) && row.value !== undefined);
  } catch {
    return [];
  }
}

/** In the order of their places; of two at the same place the later one. */
export function newestOf<Value>(rows: readonly Placed<Value>[]): Placed<Value>[] {
  const newest = new Map(rows.map((row) => [row.place, row]));
  return [...newest.values()].sort((one, other) => one.place - other.place);
}

function openFile(file: string): number {
  try {
    return openSync(file, 'w');
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function cannotWrite(file: string, cause: unknown): TouchstoneError {
  return new TouchstoneError(
    'store-unreadable',
    `The store cannot be written to: ${messageOf(cause)} (${file}).`,
    { cause, remedy: 'Make room on the disk and resume the run; what was kept is safe.' },
  );
}
