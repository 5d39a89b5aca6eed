import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { randomId } from '../../lib/random-id.ts';

/** Bytes that are held in memory; what is more goes to a file. */
const heldBytes = 8 * 2 ** 20;

/** Rows that are written once and read one by one, in memory that does not grow with their number beyond a limit. */
export interface RowSpool {
  /** Keeps a row; gives the handle that it is read by. */
  put(row: object): number;
  get(handle: number): object;
  /** Removes what was kept. */
  close(): void;
}

/** An empty spool. Its file, if it comes to one, can be read by nobody else and has no name where the system allows that. */
export function createRowSpool(): RowSpool {
  const rows: (Buffer | Stored)[] = [];
  let held = 0;
  let file: SpoolFile | undefined;
  return {
    put: (row) => {
      const bytes = serialize(row);
      held += bytes.length;
      rows.push(held <= heldBytes ? bytes : (file ??= createFile()).write(bytes));
      return rows.length - 1;
    },
    get: (handle) => {
      const row = rows[handle];
      if (row === undefined) throw new RangeError(`There is no row ${handle}.`);
      return deserialize(Buffer.isBuffer(row) ? row : (file as SpoolFile).read(row)) as object;
    },
    close: () => {
      file?.close();
      rows.length = 0;
    },
  };
}

/** Where in the file a row is. */
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
  const name = path.join(tmpdir(), `touchstone-${randomId()}`);
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
