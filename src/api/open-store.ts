import { existsSync } from 'node:fs';
import path from 'node:path';
import { storeFileIn } from '../config/load-evaluation.ts';
import { TouchstoneError } from '../errors.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { openStoreFile } from '../config/open-store-of.ts';
import type { Store } from '../stores/store.ts';

/** The store that a function of the library works on. */
export interface StoreChoice {
  /** The folder of a project, whose runs are kept in `.touchstone`; the current one when left out. */
  readonly folder?: string;
  /** An open store, in place of that of the folder; it stays open. */
  readonly store?: Store;
}

/** Uses a store to read from, and closes it again unless it was given. Creates nothing: where there is none, it is empty. */
export async function withStore<Result>(
  choice: StoreChoice,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openStore(choice);
  try {
    return await use(store);
  } finally {
    if (choice.store === undefined) await store.close();
  }
}

/** Uses a store to write to, which is created where there is none, and closes it again unless it was given. */
export async function withWritableStore<Result>(
  choice: StoreChoice,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = choice.store ?? openStoreFile(fileOf(choice));
  try {
    return await use(store);
  } finally {
    if (choice.store === undefined) await store.close();
  }
}

/** Yields what is read from the store of a choice, which is open as long as somebody reads. */
export function readFromStore<Item>(
  choice: StoreChoice,
  read: (store: Store) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  return readFrom({ given: choice.store, open: () => openStore(choice) }, read);
}

/** Yields what is read from a store that is opened for it, and closed again unless it was given. */
export async function* readFrom<Item>(
  { given, open }: { readonly given: Store | undefined; readonly open: () => Store },
  read: (store: Store) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const store = open();
  try {
    yield* read(store);
  } finally {
    if (given === undefined) await store.close();
  }
}

/** Returns the folder of a store, which keeps its baselines. Throws `usage-invalid` for a store that has none. */
export function storeFolderOf({ folder = process.cwd(), store }: StoreChoice): string {
  if (store === undefined) return path.resolve(folder, '.touchstone');
  if (store.folder !== undefined) return store.folder;
  throw new TouchstoneError('usage-invalid', 'The store has no folder, and baselines are kept in one.', {
    remedy: 'Use a store in a file: `openSqliteStore`.',
  });
}

function openStore(choice: StoreChoice): Store {
  const file = fileOf(choice);
  return choice.store ?? (existsSync(file) ? openStoreFile(file) : createMemoryStore());
}

function fileOf({ folder = process.cwd() }: StoreChoice): string {
  return storeFileIn(path.resolve(folder, '.touchstone'));
}
