import path from 'node:path';
import { findConfig, loadConfig } from '../library/config/load-config.ts';
import {
  defaultStoreIn,
  findStoreSetting,
  hasStore,
  openPlacedStore,
  type PlacedStore,
  storeElsewhere,
  withoutPassword,
} from '../library/config/open-store-of.ts';
import { isPostgresUrl } from '../stores/postgres/url.ts';
import type { Store } from '../stores/store.ts';

/**
 * Opens the store for a command about past runs: the folder or the address given by `--store`, else `.touchstone` in the current
 * folder when it exists, else the store that the config here names. When there is no store yet, the result is an empty
 * one in memory, and nothing is created on disk.
 */
export async function openStore(folder: string | undefined): Promise<Store> {
  return openPlacedStore(await findStore(folder), 'existing');
}

/** Uses the store that `openStore` opens, and closes it again. */
export async function withStore<Result>(
  folder: string | undefined,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(folder);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Opens the same store for writing, with the durability that the config here names; creates it when needed. */
export async function openWritableStore(folder: string | undefined): Promise<Store> {
  return openPlacedStore(await findWritableStore(folder));
}

/** Finds the store to write to, for servers that open the stores of their projects beside it. */
export async function findWritableStore(folder: string | undefined): Promise<PlacedStore> {
  const found = await findStore(folder);
  if (typeof found.setting !== 'string' || isPostgresUrl(found.setting)) return found;
  // An invalid config is reported by the commands that need it; here its defaults are enough.
  const own = await findStoreOfConfig().catch(() => undefined);
  const elsewhere = path.resolve(found.folder, found.setting);
  const setting = own === undefined ? found.setting : storeElsewhere(own.setting, elsewhere);
  return { ...found, setting };
}

async function findStore(location: string | undefined): Promise<PlacedStore> {
  const here = process.cwd();
  if (location !== undefined) return { setting: withoutPassword(location), folder: here };
  if (hasStore(path.resolve('.touchstone'))) return defaultStoreIn(here);
  return (await findStoreOfConfig()) ?? defaultStoreIn(here);
}

/** Finds the store of the config here; undefined when there is no config, or when it names no store. */
async function findStoreOfConfig(): Promise<PlacedStore | undefined> {
  const file = await findConfig().catch(() => undefined);
  return file === undefined ? undefined : await findStoreSetting(await loadConfig(file));
}
