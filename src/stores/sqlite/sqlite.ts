import type { Store } from '../store.ts';
import { openDatabase, type SqliteOptions } from './open-database.ts';
import { storeOn } from './store-on.ts';

/**
 * A store in one SQLite file, through Node's own module. Several processes can use it at the same time.
 * Throws `store-unreadable` when the file is no database of ours, and later on when it cannot be read or written any more;
 * `store-version` when it has a layout that this Touchstone does not know.
 */
export function openSqliteStore(file: string, options?: SqliteOptions): Store {
  const database = openDatabase(file, options);
  try {
    return storeOn(database, file, options);
  } catch (error) {
    database.close();
    throw error;
  }
}
