import { type BigIntStats, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { TouchstoneError } from '../../errors.ts';
import { createDatabase, type Database } from './database.ts';
import { isReadOnly, needsFile } from './explain-fault.ts';
import { checkLayout } from './migrate.ts';

/**
 * Opens a database that cannot be written to. Throws `store-version` when it would have to be brought to another layout
 * first, and `store-unreadable` when its last writes cannot be read without writing.
 */
export function openToRead(file: string): Database {
  return tryToRead(file) ?? openUntouched(file);
}

/** With what its last writer has left beside it; undefined where SQLite would have to write for that. */
function tryToRead(file: string): Database | undefined {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec('PRAGMA busy_timeout = 10000; SELECT 1 FROM sqlite_schema');
  } catch (error) {
    database.close();
    if (isReadOnly(error)) return undefined;
    throw error;
  }
  return checked(database, file);
}

/**
 * The file by itself, as nobody is writing to it: SQLite then takes no locks, and would not see it change. Everything that
 * was kept is in it, unless there is a log of writes beside it.
 */
function openUntouched(file: string): Database {
  const before = stateOf(file);
  for (const log of [`${file}-wal`, `${file}-journal`]) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) throw needsFile(file, log);
  }
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  const database = checked(new DatabaseSync(address, { readOnly: true }), file);
  const whileUnchanged = <Result>(read: () => Result): Result => {
    const result = read();
    if (stateOf(file) !== before) throw changedMeanwhile(file);
    return result;
  };
  return {
    ...database,
    prepare: (sql) => {
      const { run, get, all } = database.prepare(sql);
      return {
        run,
        get: (...values) => whileUnchanged(() => get(...values)),
        all: (...values) => whileUnchanged(() => all(...values)),
      };
    },
  };
}

function checked(database: DatabaseSync, file: string): Database {
  try {
    checkLayout(database, file);
    return createDatabase(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
}

function stateOf(file: string): string {
  const { size, mtimeNs, ino }: BigIntStats = statSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

function changedMeanwhile(file: string): TouchstoneError {
  const message = `The store ${file} was written to by another process while it was read.`;
  return new TouchstoneError('store-unreadable', message, { remedy: 'Run the same command again.' });
}
