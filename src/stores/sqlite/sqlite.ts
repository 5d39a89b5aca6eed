import { type BigIntStats, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { storeDamaged } from '../refusals.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import type { Store } from '../store.ts';
import { claimRun, isClaimed } from './claim-run.ts';
import { explainFault, isReadOnly, needsFile } from './explain-fault.ts';
import { checkLayout, migrate } from './migrations.ts';
import { createSqliteDatabase, type SqliteUse } from './sqlite-database.ts';

/** How a store is kept. */
export interface SqliteOptions {
  /**
   * What a promise that has resolved survives: the end of the process, however it ends (`process`), or a power cut as well
   * (`power`), for which every write waits for the disk.
   */
  readonly durability?: 'process' | 'power';
  /** Opens also a store whose last writes are lost, to see and save what is left: it is only read then, and stays as it is. */
  readonly isDamaged?: boolean;
}

/**
 * Opens a store in one SQLite file, through Node's own module, creating the file and its folder when needed. Several
 * processes can use it at the same time. One that is there and cannot be written to is opened all the same, to be read.
 * Throws `store-unreadable` when the file is no database of ours, and later on when it cannot be read or written any more;
 * `store-version` when it has a layout that this Touchstone does not know, `store-damaged` when its last writes are lost.
 */
export function openSqliteStore(file: string, options: SqliteOptions = {}): Store {
  const database = openDatabase(file, options);
  return createSqlStore(database, {
    folder: path.dirname(path.resolve(file)),
    claimRun: async (runId) => claimRun(file, runId),
    isClaimed: async (runId) => isClaimed(file, runId),
  });
}

function openDatabase(file: string, { durability, isDamaged }: SqliteOptions): SqlDatabase {
  try {
    const faults = isDamaged === true ? findFaults(file) : [];
    if (faults.length > 0) return openToRead(file, faults);
    checkLog(file);
    const folder = path.dirname(file);
    // Answers may hold what belongs in no repository; a folder that was there already is its owner's.
    if (mkdirSync(folder, { recursive: true }) !== undefined)
      writeFileSync(path.join(folder, '.gitignore'), '*\n');
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw folderInTheWay();
    try {
      return openToWrite(file, durability);
    } catch (error) {
      if (isReadOnly(error) && existsSync(file)) return openToRead(file);
      throw error;
    }
  } catch (error) {
    throw explainFault(error, file);
  }
}

function findFaults(file: string): string[] {
  try {
    checkLog(file);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function folderInTheWay(): Error {
  return Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
}

/** Makes a database of a connection that is prepared first, and closed where that fails. */
function prepared(
  connection: DatabaseSync,
  file: string,
  { prepare, use }: { readonly prepare: () => void; readonly use?: SqliteUse },
): SqlDatabase {
  try {
    connection.exec('PRAGMA busy_timeout = 10000; PRAGMA cell_size_check = ON');
    prepare();
    return createSqliteDatabase(connection, file, use);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function openToWrite(file: string, durability: SqliteOptions['durability']): SqlDatabase {
  const connection = new DatabaseSync(file);
  const prepare = () => {
    // Can be set in a file that is yet empty, and in no other.
    if (connection.prepare('PRAGMA page_count').get()?.['page_count'] === 0)
      connection.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL');
    // With NORMAL, a write-ahead log keeps every committed row when the process dies; a power cut can lose the last ones.
    const synchronous = durability === 'power' ? 'FULL' : 'NORMAL';
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    migrate(connection, file);
  };
  return prepared(connection, file, { prepare });
}

/**
 * Opens a database that cannot be written to. Throws `store-version` when it would have to be brought to another layout
 * first, and `store-unreadable` when its last writes cannot be read without writing.
 */
function openToRead(file: string, faults: readonly string[] = []): SqlDatabase {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    connection.exec('PRAGMA busy_timeout = 10000; SELECT 1 FROM sqlite_schema');
  } catch (error) {
    connection.close();
    // SQLite would have to write in order to read what the last writer has left beside it.
    if (isReadOnly(error)) return openUntouched(file);
    throw error;
  }
  return prepared(connection, file, { prepare: () => checkLayout(connection, file), use: { faults } });
}

/**
 * Opens the file by itself, while no process writes to it: SQLite then takes no locks, and would not see it change.
 * Everything that was kept is in it, unless there is a log of writes beside it.
 */
function openUntouched(file: string): SqlDatabase {
  const before = stateOf(file);
  for (const log of [`${file}-wal`, `${file}-journal`]) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) throw needsFile(file, log);
  }
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  const connection = new DatabaseSync(address, { readOnly: true });
  const afterReading = () => {
    if (stateOf(file) !== before) throw changedMeanwhile(file);
  };
  return prepared(connection, file, { prepare: () => checkLayout(connection, file), use: { afterReading } });
}

function stateOf(file: string): string {
  const { size, mtimeNs, ino }: BigIntStats = statSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

function changedMeanwhile(file: string): TouchstoneError {
  const message = `The store ${file} was written to by another process while it was read.`;
  return new TouchstoneError('store-unreadable', message, { remedy: 'Run the same command again.' });
}

// See https://sqlite.org/fileformat2.html#walformat.
const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Makes sure that SQLite will read the whole write-ahead log beside a database. SQLite passes over everything behind a frame
 * whose checksum is wrong, since a process that was killed may leave such a frame at the end. But one that stands before a
 * commit was changed afterwards, and that commit was promised. Throws `store-damaged`. To be called before the database is
 * opened: closing it may put what could be read into its place, and remove the log.
 */
function checkLog(file: string): void {
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
