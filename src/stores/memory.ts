import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { TouchstoneError } from '../core/errors.ts';
import { createBlobMemory } from './sql/blobs.ts';
import { createSqlStore } from './sql/sql-store.ts';
import { migrate } from './sqlite/migrations.ts';
import { createSqliteDatabase } from './sqlite/sqlite-database.ts';
import { type Claim, defineStore, type QuestionHolder, type Store } from './store.ts';

/** The address of every store in memory. */
export const memoryAddress = 'memory';

/** The store in memory as a config names it: every opening creates an empty one. */
export const memoryStore = defineStore({
  name: 'memory',
  version: 1,
  summary:
    'Runs in memory, which are lost when the process ends: for tests, and for runs that are not needed later.',
  options: () => z.strictObject({}),
  create: () => createMemoryStore(),
});

/**
 * Creates a store in memory, which ends with the process: for tests, and for runs that need not be stored. It is an SQLite
 * database without a file.
 */
export function createMemoryStore(): Store {
  const connection = new DatabaseSync(':memory:');
  migrate(connection, memoryAddress);
  return storeInMemory(connection);
}

/** Creates the store in memory over its database, which has the newest layout. */
export function storeInMemory(connection: DatabaseSync): Store {
  const claimed = new Set<string>();
  return createSqlStore(createSqliteDatabase(connection, memoryAddress), {
    exists: async () => true,
    claimRun: async (runId, part = '') => claim({ runId, part }, claimed),
    isClaimed: async (runId, part = '') => claimed.has(claimName({ runId, part })),
    blobs: createBlobMemory(),
  });
}

function claimName({ runId, part }: QuestionHolder): string {
  return JSON.stringify([runId, part]);
}

function claim(what: QuestionHolder, claimed: Set<string>): Claim {
  const name = claimName(what);
  if (claimed.has(name))
    throw new TouchstoneError('run-in-progress', `Run ${what.runId} is being worked on already.`);
  claimed.add(name);
  let isMine = true;
  return {
    lost: new AbortController().signal,
    [Symbol.asyncDispose]: async () => {
      if (isMine) claimed.delete(name);
      isMine = false;
    },
  };
}
