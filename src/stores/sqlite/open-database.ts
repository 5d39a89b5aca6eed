import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, type Database } from './database.ts';
import { explainFault, isReadOnly } from './explain-fault.ts';
import { migrate } from './migrate.ts';
import { openToRead } from './open-to-read.ts';

/** How a store is kept. */
export interface SqliteOptions {
  /**
   * What a promise that has resolved survives: the end of the process, however it ends (`process`), or a power cut as well
   * (`power`), for which every write waits for the disk.
   */
  readonly durability?: 'process' | 'power';
}

/**
 * Opens a database file, creating it and its folder when needed, and brings it to the current layout. One that is there and
 * cannot be written to is opened all the same, to be read. Throws `store-unreadable` or `store-version`.
 */
export function openDatabase(file: string, { durability = 'process' }: SqliteOptions = {}): Database {
  try {
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

function folderInTheWay(): Error {
  return Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
}

function openToWrite(file: string, durability: SqliteOptions['durability']): Database {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 10000');
    // Can be set in a file that is yet empty, and in no other.
    if (database.prepare('PRAGMA page_count').get()?.['page_count'] === 0) {
      database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    }
    // With NORMAL, a write-ahead log keeps every committed row when the process dies; a power cut can lose the last ones.
    const synchronous = durability === 'power' ? 'FULL' : 'NORMAL';
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
    migrate(database, file);
    return createDatabase(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
}
