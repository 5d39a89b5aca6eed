import { createWriteStream } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { randomId } from '../random-id.ts';

/** The content of a file, piece by piece. */
export type Pieces = AsyncIterable<string | Uint8Array> | readonly string[];

/** Writes a file completely or not at all: to a temporary file beside it, which then takes its place. */
export async function replaceFile(file: string, pieces: Pieces, mode: number): Promise<void> {
  const partial = `${file}.${randomId()}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(partial, { flags: 'wx', mode, flush: true }));
    // A file that is itself a mount point cannot be replaced by renaming.
    await rename(partial, file).catch(async () => await copyFile(partial, file));
  } finally {
    await rm(partial, { force: true });
  }
}
