import path from 'node:path';
import { existsSync } from 'node:fs';
import { configSchema } from '../config/config.ts';
import { findConfig } from '../config/find-config.ts';
import { loadConfig } from '../config/load-config.ts';
import { storeFileIn } from '../config/load-evaluation.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import type { Store } from '../stores/store.ts';

/**
 * The store that a command about past runs means: the folder named with `--store`, else the one that the config here
 * names, else `.touchstone` here.
 */
export async function openStore(folder: string | undefined): Promise<Store> {
  return openSqliteStore(storeFileIn(folder === undefined ? await defaultFolder() : path.resolve(folder)));
}

async function defaultFolder(): Promise<string> {
  const here = path.resolve('.touchstone');
  if (existsSync(storeFileIn(here))) return here;
  const file = await findConfig().catch(() => undefined);
  if (file === undefined) return here;
  const { folder, written } = await loadConfig(file);
  const named = configSchema.shape.store.safeParse((written as { store?: unknown } | null)?.store);
  return path.resolve(folder, named.success ? named.data : '.touchstone');
}
