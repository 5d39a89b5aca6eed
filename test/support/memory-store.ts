import { DatabaseSync } from 'node:sqlite';
import { memoryAddress, storeInMemory } from '../../src/stores/memory.ts';
import { migrate } from '../../src/stores/sqlite/migrations.ts';
import type { Store } from '../../src/stores/store.ts';

/** The database of an empty store, once there is one. */
let image: Uint8Array | undefined;

/**
 * Creates an empty store in memory, as `createMemoryStore` of `src/stores/memory.ts` does, from a copy of the first one: that takes a
 * tenth of the time. It has room for 1 GiB.
 */
export function createMemoryStore(): Store {
  const connection = new DatabaseSync(':memory:');
  if (image === undefined) {
    migrate(connection, memoryAddress);
    image = connection.serialize();
  } else connection.deserialize(image);
  return storeInMemory(connection);
}
