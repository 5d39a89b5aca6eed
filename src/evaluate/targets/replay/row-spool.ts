import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { workName } from '../../../core/lib/files/work-folder.ts';
import { packNumbers, unpackNumbers } from '../../../core/lib/json/pack-numbers.ts';
import { randomId } from '../../../core/lib/random-id.ts';

/** A store of rows that are written once and read one by one, with a limit on the memory it takes. */
export interface RowSpool {
  /** Stores a row and returns the handle to read it by. */
  put(row: object): number;
  get(handle: number): object;
  /** Removes all rows. */
  close(): void;
}

/**
 * Creates an empty spool. Its file, if one becomes necessary, is readable by its owner alone and has no name where the
 * system allows that.
 */
export function createRowSpool(): RowSpool {
  const rows: (Buffer | Stored)[] = [];
  const withLongNumbers = new Set<number>();
  let total = 0;
  let file: SpoolFile | undefined;
  return {
    put: (row) => {
      const packed = packNumbers(row);
      if (packed !== row) withLongNumbers.add(rows.length);
      const bytes = serialize(packed);
      total += bytes.length;
      rows.push(total <= maxBytesInMemory ? bytes : (file ??= createFile()).write(bytes));
      return rows.length - 1;
    },
    get: (handle) => {
      const row = rows[handle];
      if (row === undefined) throw new RangeError(`There is no row ${handle}.`);
      const read: unknown = deserialize(Buffer.isBuffer(row) ? row : (file as SpoolFile).read(row));
      return (withLongNumbers.has(handle) ? unpackNumbers(read) : read) as object;
    },
    close: () => {
      file?.close();
      rows.length = 0;
    },
  };
}

/** The most bytes held in memory; further rows go to a file. */
const maxBytesInMemory = 8 * 2 ** 20;

/** The position of a row in the file. */
interface Stored {
  readonly offset: number;
  readonly length: number;
}

interface SpoolFile {
  write(bytes: Buffer): Stored;
  read(stored: Stored): Buffer;
  close(): void;
}

function createFile(): SpoolFile {
  const name = path.join(tmpdir(), `${workName('rows')}${randomId()}`);
  const descriptor = openSync(name, 'wx+', 0o600);
  const isNameless = process.platform !== 'win32';
  if (isNameless) unlinkSync(name);
  let end = 0;
  return {
    write: (bytes) => {
      writeSync(descriptor, bytes, 0, bytes.length, end);
      end += bytes.length;
      return { offset: end - bytes.length, length: bytes.length };
    },
    read: ({ offset, length }) => {
      const bytes = Buffer.alloc(length);
      readSync(descriptor, bytes, 0, length, offset);
      return bytes;
    },
    close: () => {
      closeSync(descriptor);
      if (!isNameless) unlinkSync(name);
    },
  };
}
