import { constants, createWriteStream, statSync } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { Readable } from 'node:stream';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { makeFolder } from '../../core/lib/make-folder.ts';
import { type Pieces, replaceFile } from '../../core/lib/files/replace-file.ts';

export type { Pieces };

/**
 * Writes a file completely or not at all. The content goes to a temporary file next to it, which replaces the old file once
 * all of it is on disk, so that a full disk leaves the old file intact. A pipe or a device is written to directly. Throws
 * `output-unwritable`.
 */
export async function writeFile(named: string, pieces: Pieces): Promise<void> {
  const file = path.resolve(named);
  try {
    const before = statSync(file, { throwIfNoEntry: false });
    if (before === undefined) await replaceFile(file, pieces, 0o666);
    else if (before.isFile()) {
      await access(file, constants.W_OK);
      // The file that a link points to is replaced, not the link.
      await replaceFile(await realpath(file), pieces, before.mode & 0o777);
    } else await pipeline(Readable.from(pieces), createWriteStream(file));
  } catch (error) {
    // What the pieces are made of is at fault, not the file.
    if (error instanceof TouchstoneError) throw error;
    const reason = messageOf(error)
      .replaceAll(/\.[0-9a-f]{32}\.part/g, '')
      .replaceAll(file, named);
    throw new TouchstoneError('output-unwritable', `${named} cannot be written: ${reason}.`, {
      cause: error,
    });
  }
}

/** Makes a folder that a command writes into, with those above it. Throws `output-unwritable`. */
export function makeOutputFolder(named: string): void {
  try {
    makeFolder(named);
  } catch (error) {
    throw new TouchstoneError('output-unwritable', `${named} cannot be made: ${messageOf(error)}.`, {
      remedy: 'Name a folder that can be written to.',
      cause: error,
    });
  }
}

/**
 * Writes several files, all that can be written. Throws `output-unwritable` at the end, with the names of the others: what
 * a command has found out is worth more than one of its files.
 */
export async function writeEach(writings: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: TouchstoneError[] = [];
  for (const write of writings) {
    await write().catch((error: unknown) => {
      if (!(error instanceof TouchstoneError)) throw error;
      failures.push(error);
    });
  }
  const [first] = failures;
  if (first === undefined) return;
  const message = failures.map((failure) => failure.message).join('\n');
  throw new TouchstoneError(first.code, message, { remedy: first.remedy, cause: first });
}
