import path from 'node:path';
import { openSqliteStore, type SqliteOptions } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';
import { type LoadedEvaluation, storeFileIn, storeFileOf } from './load-evaluation.ts';
import { parseStoreSetting } from './store-setting.ts';

/** Opens the store in a file. This is the only place that knows which kind of store that is. */
export function openStoreFile(file: string, options?: SqliteOptions): Store {
  return openSqliteStore(file, options);
}

/** Opens the store of a config with its durability; in another folder when one is given. */
export function openStoreOf(loaded: LoadedEvaluation, folder?: string): Store {
  const file = folder === undefined ? storeFileOf(loaded) : storeFileIn(path.resolve(folder));
  return openStoreFile(file, { durability: parseStoreSetting(loaded.config.store).durability });
}
