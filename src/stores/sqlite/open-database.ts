import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, TouchstoneError } from '../../errors.ts';
import { migrations } from './migrations.ts';

/** Opens a database file, creating it and its folder when needed, and brings it to the current schema. */
export function openDatabase(file: string): DatabaseSync {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    const database = new DatabaseSync(file);
    // WAL with NORMAL keeps every committed row through a crash of the process; only a power cut can lose the last ones.
    database.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    migrate(database, file);
    return database;
  } catch (error) {
    if (error instanceof TouchstoneError) throw error;
    throw new TouchstoneError(
      'store-unreadable',
      `The store ${file} cannot be opened: ${messageOf(error)}.`,
      {
        cause: error,
      },
    );
  }
}

/** Runs `work` in one transaction: all of it is kept, or nothing. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function migrate(database: DatabaseSync, file: string): void {
  if (versionOf(database) === migrations.length) return;
  inTransaction(database, () => {
    const version = versionOf(database);
    if (version > migrations.length) {
      throw new TouchstoneError(
        'store-version',
        `The store ${file} was written by a newer Touchstone (schema ${version}; this one knows ${migrations.length}).`,
      );
    }
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

function versionOf(database: DatabaseSync): number {
  return database.prepare('PRAGMA user_version').get()?.['user_version'] as number;
}
