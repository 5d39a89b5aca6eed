import { createWriteStream, renameSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { randomId } from '../random-id.ts';

/** The content of a file, piece by piece. */
export type Pieces = AsyncIterable<string | Uint8Array> | readonly string[];

/** Returns the name under which a file is written before it takes its place: what is left under it is of a process that was killed. */
export function partOf(file: string): string {
  return `${file}.${randomId()}.part`;
}

/** Returns whether a file has a name of `partOf`. */
export function isPart(file: string): boolean {
  return /\.[0-9a-f]{32}\.part$/.test(file);
}

/** Writes a file completely or not at all: to a temporary file beside it, which then takes its place. */
export async function replaceFile(file: string, pieces: Pieces, mode: number): Promise<void> {
  const partial = partOf(file);
  try {
    await pipeline(Readable.from(pieces), createWriteStream(partial, { flags: 'wx', mode, flush: true }));
    // A file that is itself a mount point cannot be replaced by renaming.
    await moveFile(partial, file).catch(async () => await copyFile(partial, file));
  } finally {
    await rm(partial, { force: true });
  }
}

/** The pauses between tries to move a file, in milliseconds: ten tries within two seconds. */
const pausesMs = [5, 10, 20, 40, 80, 160, 320, 640, 640];

/**
 * Moves a file to another name, in the place of a file that has it. On Windows, a scanner or a reader that holds a file for a moment
 * makes that fail: it is tried again there, for two seconds at most. Rejects with the last error.
 */
export async function moveFile(
  from: string,
  to: string,
  { platform = process.platform, move = rename }: { platform?: NodeJS.Platform; move?: typeof rename } = {},
): Promise<void> {
  for (const pauseMs of platform === 'win32' ? pausesMs : []) {
    try {
      await move(from, to);
      return;
    } catch (error) {
      refuseOthers(error);
      await wait(pauseMs);
    }
  }
  await move(from, to);
}

/** Moves a file as {@link moveFile} does where nothing may happen in between, such as within a transaction: the process waits. */
export function moveFileSync(
  from: string,
  to: string,
  {
    platform = process.platform,
    move = renameSync,
  }: { platform?: NodeJS.Platform; move?: typeof renameSync } = {},
): void {
  for (const pauseMs of platform === 'win32' ? pausesMs : []) {
    try {
      move(from, to);
      return;
    } catch (error) {
      refuseOthers(error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
  move(from, to);
}

/** Throws an error again that another try cannot help. */
function refuseOthers(error: unknown): void {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['EACCES', 'EBUSY', 'EPERM'].includes(code)) throw error;
}
