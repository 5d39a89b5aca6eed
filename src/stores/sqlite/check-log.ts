import { readFileSync, statSync } from 'node:fs';
import { storeDamaged } from '../refusals.ts';

// See https://sqlite.org/fileformat2.html#walformat.
const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Makes sure that SQLite will read the whole write-ahead log beside a database. SQLite passes over everything behind a frame
 * whose checksum is wrong, since a process that was killed may leave such a frame at the end. But one that stands before a
 * commit was changed afterwards, and that commit was promised. Throws `store-damaged`. To be called before the database is
 * opened: closing it may put what could be read into its place, and remove the log.
 */
export function checkLog(file: string): void {
  const log = `${file}-wal`;
  // Again where commits are lost: another process may begin the log anew while it is read.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= headerBytes) return;
    if (isWhole(readFileSync(log))) return;
  }
  throw storeDamaged(file, `its last writes, in ${log}, cannot be read whole`);
}

/** Says whether all commits of the present round of a log can be read, but for one in the last frame. */
function isWhole(log: Buffer): boolean {
  if (log.length <= headerBytes) return true;
  // A machine with the other order of bytes wrote the sums.
  if (log.readUInt32BE(0) === 0x377f0683) return true;
  const words = new Int32Array(log.buffer.slice(log.byteOffset, log.byteOffset + (log.length & ~3)));
  let [first, second] = [0, 0];
  const add = (from: number, to: number) => {
    for (let word = from / 4; word < to / 4; word += 2) {
      first = (first + (words[word] as number) + second) | 0;
      second = (second + (words[word + 1] as number) + first) | 0;
    }
  };
  const isSummed = (at: number) => log.readInt32BE(at) === first && log.readInt32BE(at + 4) === second;
  const isOfThisRound = (at: number) =>
    at + frameHeaderBytes <= log.length && log.compare(log, 16, 24, at + 8, at + 16) === 0;

  add(0, 24);
  if (!isSummed(24)) return false;
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8);
  let isReadable = true;
  // The last frame may be one that is being written, or was when its writer was killed.
  for (let at = headerBytes; isOfThisRound(at) && isOfThisRound(at + frameBytes); at += frameBytes) {
    if (isReadable) {
      add(at, at + 8);
      add(at + frameHeaderBytes, at + frameBytes);
      isReadable = isSummed(at + 16);
    }
    const isCommit = log.readUInt32BE(at + 4) > 0;
    if (!isReadable && isCommit) return false;
  }
  return true;
}
