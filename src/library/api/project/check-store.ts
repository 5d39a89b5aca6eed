import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { findAbandonedWork, findParts } from '../../../core/lib/files/find-leftovers.ts';
import { type HalfSentRun, listHalfSent } from '../../../evaluate/run/record/receive.ts';
import { checkStore as findDamages } from '../../../evaluate/run/record/salvage.ts';
import { memoryAddress } from '../../../stores/memory.ts';
import { isPostgresUrl } from '../../../stores/postgres/url.ts';
import type { Damage, Store } from '../../../stores/store.ts';
import { type StoreChoice, withStore } from '../open-store.ts';

/** Files of processes that were killed. */
export interface Leftovers {
  /** The paths of halves of files in the folder of the project, up to three levels below, and in the store's folder. */
  readonly parts: readonly string[];
  /** The paths of temporary files and folders of processes that have ended. */
  readonly work: readonly string[];
  /** The hashes of pictures and other files in the store that no run names. */
  readonly unused: readonly string[];
  /** The paths of files with answers that could not be stored yet: `touchstone run --resume` stores them, and nothing removes them. */
  readonly waiting: readonly string[];
  /** The runs that were sent to this store in part: `touchstone push` completes one, and `touchstone delete` removes it. */
  readonly halfSent: readonly HalfSentRun[];
}

/** The faults and the leftovers that `checkStore` has found. */
export interface StoreCheck {
  /** True where there is a store. */
  readonly exists: boolean;
  /** True where every record is as it was written. */
  readonly isWhole: boolean;
  readonly damages: readonly Damage[];
  readonly leftovers: Leftovers;
  /** True once the leftovers are removed, apart from answers that wait. Nothing is removed while the store is damaged. */
  readonly isCleaned: boolean;
}

/** The store to check, and what to do with what is found. */
export interface StoreCheckOptions extends StoreChoice {
  /** True to remove what processes left that were killed. */
  readonly clean?: boolean;
}

/**
 * Compares every record of a store with its checksum and every summary with its records, and finds what processes left that were
 * killed: files that nothing was written to for an hour. Throws what opening a store throws.
 */
export async function checkStore(options: StoreCheckOptions = {}): Promise<StoreCheck> {
  return await withStore(options, async (store) => {
    const damages = await Array.fromAsync(findDamages(store));
    const leftovers = await findLeftovers(store, path.resolve(options.folder ?? '.'));
    const isCleaned = options.clean === true && damages.length === 0;
    // The uses of a file may be among what is damaged.
    if (isCleaned) await removeLeftovers(store, leftovers);
    return {
      exists: store.address !== memoryAddress,
      isWhole: damages.length === 0,
      damages,
      leftovers,
      isCleaned,
    };
  });
}

async function findLeftovers(store: Store, folder: string): Promise<Leftovers> {
  const { address } = store;
  const isFile = address !== memoryAddress && !isPostgresUrl(address);
  return {
    parts: await findParts([folder, ...(isFile ? [path.dirname(address)] : [])]),
    work: await findAbandonedWork(),
    unused: await store.blobs.listUnused(),
    waiting: await findWaiting(path.join(folder, '.touchstone', 'spool')),
    halfSent: await listHalfSent(store),
  };
}

async function findWaiting(spool: string): Promise<string[]> {
  const names = await readdir(spool).catch(() => []);
  const files: string[] = names.map((name) => path.join(spool, name));
  return files.sort();
}

async function removeLeftovers(store: Store, { parts, work, unused }: Leftovers): Promise<void> {
  await store.blobs.removeUnused(unused);
  for (const file of [...parts, ...work]) await rm(file, { recursive: true, force: true });
}
