import path from 'node:path';
import { TouchstoneError } from '../../core/errors.ts';
import { refuseHeldOut } from '../../core/lib/held-out.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import type { Config } from '../config/config.ts';
import { findConfig, loadConfig, readConfig } from '../config/load-config.ts';
import {
  defaultStoreIn,
  findStoreSetting,
  folderOfPlaced,
  hasStore,
  openPlacedStore,
  type PlacedStore,
  storeElsewhere,
  withoutPassword,
} from '../config/open-store-of.ts';
import { isPostgresUrl } from '../../stores/postgres/url.ts';
import type { Store, StoreOpening } from '../../stores/store.ts';

/** The store that a function of the library works on. */
export interface StoreChoice {
  /** The folder of a project, whose runs are stored in `.touchstone`, or else where its config says; the current one by default. */
  readonly folder?: string;
  /** A config, its file or its folder, whose `store` setting names the store in place of the folder's; where it names none, it is the folder's, if one is given. */
  readonly config?: Config | string;
  /** In place of every other store: an open one, which stays open; or the folder of one, or the address of a database. */
  readonly store?: Store | string;
}

/** Uses a store to read from, and closes it again unless it was given. Creates nothing: where there is none, it is empty. */
export async function withStore<Result>(
  choice: StoreChoice,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  return await useStore(choice, 'existing', use);
}

/** Uses a store to write to, which is created where there is none, and closes it again unless it was given. */
export async function withWritableStore<Result>(
  choice: StoreChoice,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  return await useStore(choice, 'create', use);
}

async function useStore<Result>(
  choice: StoreChoice,
  opening: StoreOpening,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(choice, opening);
  try {
    return await use(store);
  } finally {
    if (!isOpen(choice.store)) await store.close();
  }
}

/** Yields what is read from the store of a choice, which is open as long as someone reads. */
export async function* readFromStore<Item>(
  choice: StoreChoice,
  read: (store: Store) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const store = await openStore(choice, 'existing');
  try {
    yield* read(store);
  } finally {
    if (!isOpen(choice.store)) await store.close();
  }
}

function isOpen(store: StoreChoice['store']): store is Store {
  return typeof store === 'object';
}

/**
 * Opens the store of a choice. One that is opened as `existing` and is not there yet is an empty one in memory, and nothing is created
 * on disk; but one that is named has to be there: `store-not-found`.
 */
export async function openStore(choice: StoreChoice, opening: StoreOpening): Promise<Store> {
  if (isOpen(choice.store)) return choice.store;
  if (opening === 'existing') refuseMissing(choice);
  return openPlacedStore(await (opening === 'existing' ? findStore : findWritableStore)(choice), opening);
}

/** Throws `store-not-found` when a folder is named as the store and has none: a mistyped name is no empty store. */
export function refuseMissing(choice: StoreChoice): void {
  const { store } = choice;
  if (typeof store === 'string' && !isPostgresUrl(store))
    refuseHeldOut(path.resolve(folderOf(choice), store));
  if (typeof store !== 'string' || isPostgresUrl(store) || hasStore(path.resolve(folderOf(choice), store)))
    return;
  throw new TouchstoneError(
    'store-not-found',
    `There is no store in ${displayPath(path.resolve(folderOf(choice), store))}.`,
  );
}

/** Finds the store to write to, with the durability that the config of the folder names. */
export async function findWritableStore(choice: StoreChoice): Promise<PlacedStore> {
  const found = await findStore(choice);
  if (typeof found.setting !== 'string' || isPostgresUrl(found.setting)) return found;
  // An invalid config is reported by the commands that need it; here its defaults are enough.
  const own = await findStoreOfConfig(folderOf(choice)).catch(() => undefined);
  const elsewhere = path.resolve(found.folder, found.setting);
  return own === undefined ? found : { ...found, setting: storeElsewhere(own.setting, elsewhere) };
}

function folderOf({ folder = process.cwd() }: StoreChoice): string {
  return folder;
}

/**
 * Returns the folder of a SQLite store as `--store` takes it, where a command typed in the current folder would open another store;
 * else undefined.
 */
export async function storeToName(place: PlacedStore): Promise<string | undefined> {
  const folder = folderOfPlaced(place);
  // A config that cannot be read names no store: then the flag does no harm.
  const usual = await findStore({}).then(folderOfPlaced, () => undefined);
  return folder === undefined || folder === usual ? undefined : displayPath(folder);
}

/** Finds the store of a choice that names no open one. */
export async function findStore(choice: StoreChoice): Promise<PlacedStore> {
  const { config, folder, store } = choice;
  const here = folderOf(choice);
  if (typeof store === 'string') return { setting: withoutPassword(store), folder: here };
  if (config !== undefined) {
    const loaded = await readConfig(config, here);
    const named = await findStoreSetting(loaded);
    if (named !== undefined) return named;
    if (folder === undefined) return defaultStoreIn(loaded.folder);
  }
  if (hasStore(path.resolve(here, '.touchstone'))) return defaultStoreIn(here);
  return (await findStoreOfConfig(here)) ?? defaultStoreIn(here);
}

/** Finds the store that the config in a folder names; undefined when there is no config, or when it names no store. */
async function findStoreOfConfig(folder: string): Promise<PlacedStore | undefined> {
  const file = await findConfig(folder).catch(() => undefined);
  return file === undefined ? undefined : await findStoreSetting(await loadConfig(file));
}
