import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { configSchema } from '../config/config.ts';
import { findConfig, loadConfig } from '../config/load-config.ts';
import { storeFileIn } from '../config/load-evaluation.ts';
import { parseStoreSetting, type StoreSetting } from '../config/store-setting.ts';
import { createMemoryStore } from '../stores/memory.ts';

import { openStoreFile } from '../config/open-store-of.ts';
import type { SqliteOptions } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';

/**
 * Opens the store for a command about past runs: the folder given by `--store`, else `.touchstone` in the current
 * folder when it exists, else the folder that the config here names. When there is no store yet, the result is an empty
 * one in memory, and nothing is created on disk.
 */
export async function openStore(folder: string | undefined): Promise<Store> {
  const file = await findStoreFile(folder);
  const isThere =
    existsSync(file) || statSync(path.dirname(file), { throwIfNoEntry: false })?.isFile() === true;
  return isThere ? openStoreFile(file) : createMemoryStore();
}

/** Opens the store as far as it can be read, even when its last writes are damaged. */
export async function openDamagedStore(folder: string | undefined): Promise<Store> {
  const file = await findStoreFile(folder);
  return existsSync(file) ? openStoreFile(file, { isDamaged: true }) : createMemoryStore();
}

/** Opens the same store for writing, with the durability that the config here names; creates it when needed. */
export async function openWritableStore(folder: string | undefined): Promise<Store> {
  const { file, options } = await findWritableStore(folder);
  return openStoreFile(file, options);
}

/** The file of a store and the options to open it with. */
interface StorePlace {
  readonly file: string;
  readonly options: SqliteOptions;
}

/** Finds the store file, and its options in the config. */
async function findWritableStore(folder: string | undefined): Promise<StorePlace> {
  const file = await findStoreFile(folder);
  // An invalid config is reported by the commands that need it; here its defaults are enough.
  const setting = await readSetting().catch(() => undefined);
  return { file, options: setting === undefined ? {} : { durability: setting.durability } };
}

/** Returns the folder of that store, where its baselines are kept too. */
export async function findStoreFolder(folder: string | undefined): Promise<string> {
  return folder === undefined ? await defaultFolder() : path.resolve(folder);
}

async function findStoreFile(folder: string | undefined): Promise<string> {
  return storeFileIn(await findStoreFolder(folder));
}

async function defaultFolder(): Promise<string> {
  const here = path.resolve('.touchstone');
  if (existsSync(storeFileIn(here))) return here;
  return (await readSetting())?.path ?? here;
}

/** Reads the store setting of the config here, with an absolute path; undefined when there is no config. */
async function readSetting(): Promise<StoreSetting | undefined> {
  const file = await findConfig().catch(() => undefined);
  if (file === undefined) return undefined;
  const { folder, written } = await loadConfig(file);
  const named = configSchema.shape.store.safeParse((written as { store?: unknown } | null)?.store);
  const setting = parseStoreSetting(named.success ? named.data : '.touchstone');
  return { ...setting, path: path.resolve(folder, setting.path) };
}
