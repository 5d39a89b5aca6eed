import { readFileSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { storeDamaged } from '../refusals.ts';

// See https://sqlite.org/fileformat2.html#walformat.
const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Makes sure that SQLite reads the whole write-ahead log beside a database. SQLite passes over everything behind a frame
 * whose checksum is wrong, since a process that was killed may leave such a frame at the end. But one that stands before
 * other frames was changed afterwards, and the commits behind it were promised. Throws `store-damaged`.
 */
export function checkLog(connection: DatabaseSync, file: string): void {
  const log = `${file}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= headerBytes) return;
  // Again where commits are missing: another process may begin the log anew between the two readings.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const frames = readFrames(readFileSync(log));
    const read = Number(connection.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.['log']);
    // The last frame may be one that is being written, or was when its writer was killed.
    const lost = frames?.slice(0, -1).slice(Math.max(0, read));
    if (lost?.every(({ isCommit }) => !isCommit) === true) return;
  }
  throw storeDamaged(file, `its last writes, in ${log}, cannot be read whole`);
}

/** Reads which frames of a log belong to its present round; undefined when its header is not as it was written. */
function readFrames(log: Buffer): { readonly isCommit: boolean }[] | undefined {
  if (log.length <= headerBytes) return [];
  if (!isHeader(log)) return undefined;
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  const frames: { readonly isCommit: boolean }[] = [];
  for (let at = headerBytes; at + frameHeaderBytes <= log.length; at += frameBytes) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    frames.push({ isCommit: log.readUInt32BE(at + 4) > 0 });
  }
  return frames;
}

/** Computes the checksum of the header as SQLite does, in the order of bytes that the first four say. */
function isHeader(log: Buffer): boolean {
  const isBigEndian = log.readUInt32BE(0) === 0x377f0683;
  const word = (at: number) => (isBigEndian ? log.readUInt32BE(at) : log.readUInt32LE(at));
  let [first, second] = [0, 0];
  for (let at = 0; at < 24; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return log.readUInt32BE(24) === first && log.readUInt32BE(28) === second;
}
