import path from 'node:path';
import type { Gate } from '../../core/schema/gate.ts';
import type { Store } from '../../stores/store.ts';

/** The folder next to the store's folder in which certificates are looked for. */
const usualFolder = 'calibrations';

/** The name of the folder in a project in which the SQLite store is by default. */
const storeFolder = '.touchstone';

/** Returns the folder that paths in records are relative to: the folder of the store's file, or else the current one. */
export function recordFolder({ address }: Pick<Store, 'address'>): string {
  return path.isAbsolute(address) ? path.dirname(address) : process.cwd();
}

/**
 * Returns the folder of the certificates that a gate relies on: the one that it names, else `calibrations` in the project, which
 * is where the store's own folder `.touchstone` is.
 */
export function certificateFolder({ judge }: Pick<Gate, 'judge'>, store: Pick<Store, 'address'>): string {
  if (judge?.certificates !== undefined) return path.resolve(recordFolder(store), judge.certificates);
  return path.join(projectFolder(store), usualFolder);
}

/** Returns the folder of the project of a store: the one that `.touchstone` is in, else the folder of the store itself. */
export function projectFolder(store: Pick<Store, 'address'>): string {
  const folder = recordFolder(store);
  return path.basename(folder) === storeFolder ? path.dirname(folder) : folder;
}
