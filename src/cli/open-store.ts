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
 * The store that a command about past runs means: the folder named with `--store`, else the one that the config here
 * names, else `.touchstone` here. Where there is none yet, it is an empty one and nothing is created.
 */
export async function openStore(folder: string | undefined): Promise<Store> {
  const file = await findStoreFile(folder);
  const isThere =
    existsSync(file) || statSync(path.dirname(file), { throwIfNoEntry: false })?.isFile() === true;
  return isThere ? openStoreFile(file) : createMemoryStore();
}

/** The same store as far as it can be read, whatever has become of its last writes. */
export async function openDamagedStore(folder: string | undefined): Promise<Store> {
  const file = await findStoreFile(folder);
  return existsSync(file) ? openStoreFile(file, { isDamaged: true }) : createMemoryStore();
}

/** The same store to write to, created when needed, with the durability that the config here names. */
export async function openWritableStore(folder: string | undefined): Promise<Store> {
  const { file, options } = await findWritableStore(folder);
  return openStoreFile(file, options);
}

/** What it takes to open a store. */
interface StorePlace {
  readonly file: string;
  readonly options: SqliteOptions;
}

/** Where that store is, and how it is kept. */
async function findWritableStore(folder: string | undefined): Promise<StorePlace> {
  const file = await findStoreFile(folder);
  // What is wrong with a config is said where the config is needed.
  const setting = await readSetting().catch(() => undefined);
  return { file, options: setting === undefined ? {} : { durability: setting.durability } };
}

/** The folder of that store, which keeps its baselines too. */
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

/** What the config here says of its store, with the whole path; undefined when there is no config. */
async function readSetting(): Promise<StoreSetting | undefined> {
  const file = await findConfig().catch(() => undefined);
  if (file === undefined) return undefined;
  const { folder, written } = await loadConfig(file);
  const named = configSchema.shape.store.safeParse((written as { store?: unknown } | null)?.store);
  const setting = parseStoreSetting(named.success ? named.data : '.touchstone');
  return { ...setting, path: path.resolve(folder, setting.path) };
}
