import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, type Database } from './database.ts';
import { explainFault } from './explain-fault.ts';
import { migrate } from './migrate.ts';

/** How a store is kept. */
export interface SqliteOptions {
  /**
   * What a promise that has resolved survives: the end of the process, however it ends (`process`), or a power cut as well
   * (`power`), for which every write waits for the disk.
   */
  readonly durability?: 'process' | 'power';
}

/**
 * Opens a database file, creating it and its folder when needed, and brings it to the current layout. Throws
 * `store-unreadable` or `store-version`.
 */
export function openDatabase(file: string, { durability = 'process' }: SqliteOptions = {}): Database {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 10000; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
    // With NORMAL, a write-ahead log keeps every committed row when the process dies; a power cut can lose the last ones.
    database.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    migrate(database, file);
    return createDatabase(database, file);
  } catch (error) {
    database?.close();
    throw explainFault(error, file);
  }
}
