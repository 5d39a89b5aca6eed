import * as stores from '../library/api/open-store.ts';
import type { PlacedStore } from '../library/config/open-store-of.ts';
import type { Store } from '../stores/store.ts';

/** Opens the store for a command about past runs: that of `--store`, else that of the folder here. Creates nothing. */
export async function openStore(store: string | undefined): Promise<Store> {
  return await stores.openStore({ store }, 'existing');
}

/** Uses the store that `openStore` opens, and closes it again. */
export async function withStore<Result>(
  store: string | undefined,
  use: (opened: Store) => Promise<Result>,
): Promise<Result> {
  return await stores.withStore({ store }, use);
}

/** Opens the same store for writing, with the durability that the config here names; creates it when needed. */
export async function openWritableStore(store: string | undefined): Promise<Store> {
  return await stores.openStore({ store }, 'create');
}

/** Finds the store to write to, for servers that open the stores of their projects beside it. */
export async function findWritableStore(store: string | undefined): Promise<PlacedStore> {
  return await stores.findWritableStore({ store });
}
