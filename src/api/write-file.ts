import { constants, createWriteStream, statSync } from 'node:fs';
import { access, copyFile, realpath, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, TouchstoneError } from '../errors.ts';
import { randomId } from '../lib/random-id.ts';

/** The content of a file, piece by piece. */
export type Pieces = AsyncIterable<string | Uint8Array> | readonly string[];

/**
 * Writes a file completely or not at all. The content goes to a temporary file beside it, which replaces the old file once
 * all of it is on disk, so that a full disk leaves the old file intact. A pipe or a device is written to directly. Throws
 * `output-unwritable`.
 */
export async function writeFile(file: string, pieces: Pieces): Promise<void> {
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
    const reason = messageOf(error).replaceAll(/\.[0-9a-f]{32}\.part/g, '');
    throw new TouchstoneError('output-unwritable', `${file} cannot be written: ${reason}.`, { cause: error });
  }
}

async function replaceFile(file: string, pieces: Pieces, mode: number): Promise<void> {
  const partial = `${file}.${randomId()}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(partial, { flags: 'wx', mode, flush: true }));
    // A file that is itself a mount point cannot be replaced by renaming.
    await rename(partial, file).catch(async () => await copyFile(partial, file));
  } finally {
    await rm(partial, { force: true });
  }
}
