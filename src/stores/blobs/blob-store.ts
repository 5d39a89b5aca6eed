import { storeDamaged } from '../refusals.ts';

/** Bytes that records name by their hash. */
export interface Blob {
  /** The SHA-256 of the bytes, as 64 hexadecimal digits. */
  readonly hash: string;
  /** Returns the bytes. Called only when they are not stored yet. */
  read(): Promise<Uint8Array>;
}

/**
 * The pictures, PDFs and sounds of a store. Each is stored once, however many messages name it, and removed with the last run that
 * names it.
 */
export interface BlobStore {
  /**
   * Stores bytes under their hashes and records that a run names them. Done before the records that name them are stored. Throws
   * `blob-changed` when the bytes do not have their hash.
   */
  keep(runId: string, blobs: readonly Blob[]): Promise<void>;
  /** Returns bytes; undefined when there are none of this hash. Throws `store-damaged` when they have changed. */
  read(hash: string): Promise<Uint8Array | undefined>;
  /** Returns the hashes that the records of a run name, in ascending order. */
  listUsed(runId: string): Promise<string[]>;
  /** Records that a run, and those that share its attempts, name no others than these, and removes what no run names any more. */
  retain(runId: string, hashes: ReadonlySet<string>): Promise<void>;
  /** Returns the hashes of bytes that no run names: a process was killed after it had written them. */
  listUnused(): Promise<string[]>;
  /** Removes bytes that no run names; what a run names meanwhile stays. */
  removeUnused(hashes: readonly string[]): Promise<void>;
}

/** Returns the function that reads the bytes of a store by their hash. It throws `store-damaged` when they are missing. */
export function blobReaderOf(store: {
  readonly address: string;
  readonly blobs: BlobStore;
}): (hash: string) => Promise<Uint8Array> {
  return async (hash) => {
    const bytes = await store.blobs.read(hash);
    if (bytes !== undefined) return bytes;
    throw storeDamaged(store.address, `the file ${hash.slice(0, 12)}… of a question or an answer is missing`);
  };
}
