import type { Config } from '../config/config.ts';
import { findConfig, loadConfig } from '../config/load-config.ts';
import {
  defaultStoreIn,
  findStoreSetting,
  openPlacedStore,
  type PlacedStore,
} from '../config/open-store-of.ts';
import type { Store, StoreOpening } from '../../stores/store.ts';

/** The store that a function of the library works on. */
export interface StoreChoice {
  /** The folder of a project, whose runs are kept in `.touchstone`; the current one by default. */
  readonly folder?: string;
  /** A config, its file or its folder, whose `store` setting names the store in place of that of the folder. */
  readonly config?: Config | string;
  /** An open store, in place of every other; it stays open. */
  readonly store?: Store;
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
    if (choice.store === undefined) await store.close();
  }
}

/** Yields what is read from the store of a choice, which is open as long as someone reads. */
export function readFromStore<Item>(
  choice: StoreChoice,
  read: (store: Store) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  return readFrom({ ownStore: choice.store, open: () => openStore(choice, 'existing') }, read);
}

/** Yields what is read from a store that is opened for it, and closed again unless it was given. */
export async function* readFrom<Item>(
  { ownStore, open }: { readonly ownStore: Store | undefined; readonly open: () => Store | Promise<Store> },
  read: (store: Store) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const store = await open();
  try {
    yield* read(store);
  } finally {
    if (ownStore === undefined) await store.close();
  }
}

async function openStore({ store, ...place }: StoreChoice, opening: StoreOpening): Promise<Store> {
  return store ?? openPlacedStore(await findStore(place), opening);
}

async function findStore({ config, folder }: Omit<StoreChoice, 'store'>): Promise<PlacedStore> {
  const here = folder ?? process.cwd();
  if (config === undefined) return defaultStoreIn(here);
  const loaded =
    typeof config === 'string'
      ? await loadConfig(await findConfig(config))
      : { written: config, folder: here };
  return (await findStoreSetting(loaded)) ?? defaultStoreIn(folder ?? loaded.folder);
}
