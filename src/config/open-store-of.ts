import path from 'node:path';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';
import { type LoadedEvaluation, storeFileIn, storeFileOf } from './load-evaluation.ts';
import { parseStoreSetting } from './store-setting.ts';

/** Opens the store of a config with its durability; in another folder when one is given. */
export function openStoreOf(loaded: LoadedEvaluation, folder?: string): Store {
  const file = folder === undefined ? storeFileOf(loaded) : storeFileIn(path.resolve(folder));
  return openSqliteStore(file, { durability: parseStoreSetting(loaded.config.store).durability });
}
