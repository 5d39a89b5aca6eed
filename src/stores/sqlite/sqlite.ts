import {
  type BigIntStats,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { TouchstoneError } from '../../core/errors.ts';
import { refuseHeldOut } from '../../core/lib/held-out.ts';
import { moveFileSync, partOf } from '../../core/lib/files/replace-file.ts';
import { makeFolder } from '../../core/lib/make-folder.ts';
import type { BlobMedium } from '../sql/blobs.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { createSqlStore } from '../sql/sql-store.ts';
import { createMemoryStore } from '../memory.ts';
import { defineStore, type Store } from '../store.ts';
import { claimRun, isClaimed } from './claim-run.ts';
import { explainFault, isReadOnly, needsFile } from './explain-fault.ts';
import { checkLayout, migrate } from './migrations.ts';
import { createSqliteDatabase, type SqliteUse } from './sqlite-database.ts';

const defaultLockWaitMs = 10_000;

const optionsSchema = () =>
  z.strictObject({
    path: z.string().min(1).default('.touchstone').describe('The folder, relative to the config file.'),
    durability: z
      .enum(['process', 'power'])
      .default('process')
      .describe(
        'What a stored answer survives: the end of the process, however it ends, or a power cut as well. For `power`, ' +
          'every write waits for the disk, 0.3 to 3 ms each.',
      ),
    lockWaitMs: z
      .int()
      .min(0)
      .default(defaultLockWaitMs)
      .describe(
        'How long a read or write waits while another process has the file locked. After that the command ends with ' +
          '`store-unreadable`; stored answers are safe.',
      ),
  });

/** The store in one SQLite file as a config names it. */
export const sqliteStore = defineStore({
  name: 'sqlite',
  version: 1,
  summary: 'Runs in one SQLite file, `touchstone.db`, which several processes can use at the same time.',
  options: optionsSchema,
  create: ({ path: storePath, durability, lockWaitMs }, { folder, opening }) => {
    const file = sqliteFileIn(path.resolve(folder, storePath));
    refuseHeldOut(file);
    if (opening === 'existing' && !isThere(file)) return createMemoryStore();
    return openSqliteStore(file, { lockWaitMs, durability, isCreatedLate: opening === 'first-write' });
  },
});

/** Returns the file of the store in a folder. */
export function sqliteFileIn(folder: string): string {
  return path.join(folder, 'touchstone.db');
}

/** Returns whether there is a store. A file in place of its folder counts as one, so that opening it explains the fault. */
function isThere(file: string): boolean {
  return existsSync(file) || statSync(path.dirname(file), { throwIfNoEntry: false })?.isFile() === true;
}

/** Options of a SQLite store. */
export interface SqliteOptions {
  /**
   * The events that a write survives once its promise has resolved: any end of the process (`process`, the default), or a
   * power cut as well (`power`), for which every write waits for the disk.
   */
  readonly durability?: 'process' | 'power';
  /** The milliseconds that a read or write waits while another process holds the file; 10,000 by default. */
  readonly lockWaitMs?: number;
  /** True to create a file that is not there when something is first written, and not at once. */
  readonly isCreatedLate?: boolean;
}

/**
 * Opens a store in one SQLite file through Node's own module, and creates the file and its folder when needed. Several
 * processes can use the store at the same time. An existing store that cannot be written to is opened for reading.
 * Throws `store-unreadable` when the file is not a Touchstone store, and later when it can no longer be read or written;
 * `store-version` when this Touchstone does not know its layout.
 */
export function openSqliteStore(file: string, options: SqliteOptions = {}): Store {
  const address = path.resolve(file);
  const isLate = options.isCreatedLate === true && !isThere(address);
  const database = isLate ? openLate(address, options) : openDatabase(address, options);
  return createSqlStore(database, {
    exists: async () => existsSync(address),
    claimRun: async (runId, part) => claimRun(address, runId, part),
    isClaimed: async (runId, part) => isClaimed(address, runId, { part }),
    blobs: createBlobFolder(address),
  });
}

/**
 * Creates the medium of blobs in a folder next to the file of a store: `blobs/ab/cdef…` for the hash `abcdef…`. Files are written and
 * removed while the transaction holds the file of the store, so that no other process does so at the same time.
 */
export function createBlobFolder(storeFile: string): BlobMedium {
  const folder = path.join(path.dirname(storeFile), 'blobs');
  const fileOf = (hash: string) => path.join(folder, hash.slice(0, 2), hash.slice(2));
  const explained = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw explainFault(error, storeFile);
    }
  };
  return {
    holds: async (_session, hash) => existsSync(fileOf(hash)),
    write: async (_session, hash, bytes) =>
      explained(() => {
        const file = fileOf(hash);
        mkdirSync(path.dirname(file), { recursive: true });
        // A process that dies midway leaves no half of a file under its name.
        const begun = partOf(file);
        writeFileSync(begun, bytes, { flush: true });
        moveFileSync(begun, file);
      }),
    remove: async (_session, hash) => explained(() => rmSync(fileOf(hash), { force: true })),
    list: async () => {
      const names = await readdir(folder, { recursive: true }).catch(() => []);
      return names.map((name) => name.split(path.sep).join('')).filter((name) => /^[0-9a-f]{64}$/.test(name));
    },
    read: async (hash) => {
      try {
        return await readFile(fileOf(hash));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw explainFault(error, storeFile);
      }
    },
  };
}

/** Returns a database whose file is created by the first transaction; until there is a file, it reads as an empty one. */
function openLate(file: string, options: SqliteOptions): SqlDatabase {
  const empty = openEmpty(file);
  let opened: SqlDatabase | undefined;
  const toWrite = () => (opened ??= openDatabase(file, options));
  const toRead = () => (opened === undefined && !existsSync(file) ? empty : toWrite());
  return {
    ...empty,
    all: async (sql, values) => await toRead().all(sql, values),
    transaction: async (work, parts) => await toWrite().transaction(work, parts),
    readVersion: async () => await toRead().readVersion(),
    checkStructure: async () => await toRead().checkStructure(),
    shrink: async () => await toRead().shrink(),
    purge: async () => await toRead().purge(),
    close: async () => {
      await empty.close();
      await opened?.close();
    },
  };
}

function openEmpty(file: string): SqlDatabase {
  const connection = new DatabaseSync(':memory:');
  return prepared(connection, file, { prepare: () => migrate(connection, file), use: {} });
}

function openDatabase(file: string, options: SqliteOptions): SqlDatabase {
  const { durability, lockWaitMs: timeout = defaultLockWaitMs } = options;
  try {
    const folder = path.dirname(file);
    // Answers may contain confidential text, which must neither be committed by accident nor be read by other users of the machine. An existing folder is left as it is.
    makeFolder(path.dirname(folder));
    if (makeFolder(folder, 0o700)) writeFileSync(path.join(folder, '.gitignore'), '*\n');
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw folderInTheWay();
    try {
      return openToWrite(file, { timeout, durability });
    } catch (error) {
      if (isReadOnly(error) && existsSync(file)) return openToRead(file, { timeout });
      throw error;
    }
  } catch (error) {
    throw explainFault(error, file);
  }
}

function folderInTheWay(): Error {
  return Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
}

/** Prepares a connection and returns the database on it. Closes the connection when the preparation fails. */
function prepared(
  connection: DatabaseSync,
  file: string,
  { prepare, use }: { readonly prepare: () => void; readonly use: SqliteUse },
): SqlDatabase {
  try {
    connection.exec('PRAGMA cell_size_check = ON');
    prepare();
    // From here on, this process waits for others without holding up its own work.
    connection.exec('PRAGMA busy_timeout = 0');
    return createSqliteDatabase(connection, file, use);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The settings of opening a database. `timeout` is the time in ms to wait while another process holds the file. */
interface Opening {
  readonly timeout: number;
  readonly durability?: SqliteOptions['durability'];
}

function openToWrite(file: string, { timeout, durability }: Opening): SqlDatabase {
  // SQLite gives the files of its log the permissions of the file. The owner of an existing file has chosen its permissions.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const connection = new DatabaseSync(file, { timeout });
  const prepare = () => {
    // These can be set only while the file is empty.
    if (connection.prepare('PRAGMA page_count').get()?.['page_count'] === 0)
      connection.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL');
    // With NORMAL, committed rows in a write-ahead log survive the death of the process; a power cut can lose the last ones.
    const synchronous = durability === 'power' ? 'FULL' : 'NORMAL';
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    migrate(connection, file);
  };
  return prepared(connection, file, { prepare, use: { lockWaitMs: timeout } });
}

/**
 * Opens a database that cannot be written to. Throws `store-version` when its layout would have to be upgraded first, and
 * `store-unreadable` when its last writes cannot be read without writing.
 */
function openToRead(file: string, { timeout }: Pick<Opening, 'timeout'>): SqlDatabase {
  const connection = new DatabaseSync(file, { readOnly: true, timeout });
  try {
    connection.exec('SELECT 1 FROM sqlite_schema');
  } catch (error) {
    connection.close();
    // SQLite would have to write in order to read the log that the last writer has left next to the file.
    if (isReadOnly(error)) return openUntouched(file, timeout);
    throw error;
  }
  return prepared(connection, file, {
    prepare: () => checkLayout(connection, file),
    use: { lockWaitMs: timeout },
  });
}

/**
 * Opens the file alone, as immutable: SQLite then takes no locks and would not notice a change, so every read checks that
 * the file has not changed. The file contains everything that was stored, unless there is a log of writes next to it.
 */
function openUntouched(file: string, timeout: number): SqlDatabase {
  const before = stateOf(file);
  for (const log of [`${file}-wal`, `${file}-journal`]) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) throw needsFile(file, log);
  }
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  const connection = new DatabaseSync(address, { readOnly: true, timeout });
  const afterReading = () => {
    if (stateOf(file) !== before) throw changedMeanwhile(file);
  };
  return prepared(connection, file, {
    prepare: () => checkLayout(connection, file),
    use: { afterReading, lockWaitMs: timeout },
  });
}

function stateOf(file: string): string {
  const { size, mtimeNs, ino }: BigIntStats = statSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

function changedMeanwhile(file: string): TouchstoneError {
  const message = `The store ${file} was written to by another process while it was read.`;
  return new TouchstoneError('store-unreadable', message, { remedy: 'Run the same command again.' });
}
