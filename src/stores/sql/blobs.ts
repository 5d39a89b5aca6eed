import { TouchstoneError } from '../../core/errors.ts';
import { hashBytes } from '../../core/lib/content-hash.ts';
import type { Blob, BlobStore } from '../blobs/blob-store.ts';
import { storeDamaged } from '../refusals.ts';
import type { SqlDatabase, SqlSession } from './database.ts';
import type { OpenRun } from './records.ts';
import type { ColumnTypes } from './tables.ts';

/** Where the bytes of blobs are: in files, or in a table. */
export interface BlobMedium {
  /** Returns whether there are bytes of a hash; what is there stays until the end of the transaction. */
  holds(session: SqlSession, hash: string): Promise<boolean>;
  /** Writes bytes. Called within a transaction, perhaps twice. */
  write(session: SqlSession, hash: string, bytes: Uint8Array): Promise<void>;
  remove(session: SqlSession, hash: string): Promise<void>;
  /** Returns the hashes of all bytes. */
  list(): Promise<string[]>;
  read(hash: string): Promise<Uint8Array | undefined>;
}

/** Returns the statement that creates the table of the blobs that the records of a plan name. */
export function createBlobUses({ integer, text, options }: ColumnTypes): string {
  return `
  -- The pictures and other files that the questions and answers of a plan name.
  CREATE TABLE blob_uses (
    run ${integer} NOT NULL,
    hash ${text} NOT NULL,
    PRIMARY KEY (run, hash)
  ) ${options};
  CREATE INDEX blob_uses_by_hash ON blob_uses (hash);`;
}

/** The methods of a store on blobs, and those by which runs are removed with theirs. */
export interface SqlBlobs {
  readonly methods: BlobStore;
  /** Removes the blobs that only a plan named which is gone now. */
  release(session: SqlSession, run: OpenRun): Promise<void>;
}

/** The parts of a store that the methods on blobs use. */
interface BlobNeeds {
  readonly database: SqlDatabase;
  readonly medium: BlobMedium;
  find(runId: string): Promise<OpenRun>;
  write<Result>(runId: string, work: (session: SqlSession, run: OpenRun) => Promise<Result>): Promise<Result>;
}

/** Creates the part of a store that keeps blobs. */
export function createSqlBlobs({ database, medium, find, write }: BlobNeeds): SqlBlobs {
  const keepOne = async (runId: string, { hash, read }: Blob) => {
    const isKept = await write(runId, async (session, run) => {
      if (!(await medium.holds(session, hash))) return false;
      await use(session, run, hash);
      return true;
    });
    if (isKept) return;
    const bytes = await read();
    if (hashBytes(bytes) !== hash)
      throw new TouchstoneError('blob-changed', `The file with the hash ${hash.slice(0, 12)}… has changed.`);
    await write(runId, async (session, run) => {
      // Another process may have written it meanwhile.
      if (!(await medium.holds(session, hash))) await medium.write(session, hash, bytes);
      await use(session, run, hash);
    });
  };

  const use = async (session: SqlSession, { trialsOf }: OpenRun, hash: string) => {
    await session.run('INSERT INTO blob_uses (run, hash) VALUES (?, ?) ON CONFLICT DO NOTHING', [
      trialsOf,
      hash,
    ]);
  };

  /** Removes uses of a plan, and the bytes that no plan names any more. */
  const drop = async (session: SqlSession, { trialsOf }: OpenRun, hashes: readonly string[]) => {
    for (const hash of hashes) {
      // A process that stores it at this moment is awaited: then it is named again.
      await medium.holds(session, hash);
      await session.run('DELETE FROM blob_uses WHERE run = ? AND hash = ?', [trialsOf, hash]);
      await removeIfUnused(session, hash);
    }
  };

  const removeIfUnused = async (session: SqlSession, hash: string) => {
    const [use] = await session.all('SELECT 1 FROM blob_uses WHERE hash = ? LIMIT 1', [hash]);
    if (use === undefined) await medium.remove(session, hash);
  };

  const usedBy = async (session: Pick<SqlSession, 'all'>, { trialsOf }: OpenRun) =>
    (await session.all('SELECT hash FROM blob_uses WHERE run = ? ORDER BY hash', [trialsOf])).map(
      ([hash]) => hash as string,
    );

  return {
    methods: {
      keep: async (runId, blobs) => {
        // One after the other, so that one file at a time is in memory.
        for (const blob of blobs) await keepOne(runId, blob);
      },
      read: async (hash) => {
        const bytes = await medium.read(hash);
        if (bytes === undefined || hashBytes(bytes) === hash) return bytes;
        throw storeDamaged(
          database.address,
          `the file ${hash.slice(0, 12)}… has changed since it was stored`,
        );
      },
      listUsed: async (runId) => await usedBy(database, await find(runId)),
      retain: async (runId, hashes) =>
        await write(runId, async (session, run) => {
          const gone = (await usedBy(session, run)).filter((hash) => !hashes.has(hash));
          await drop(session, run, gone);
        }),
      listUnused: async () => {
        // In this order, so that what is stored meanwhile is known to be named.
        const hashes = await medium.list();
        const used = new Set(
          (await database.all('SELECT DISTINCT hash FROM blob_uses')).map(([hash]) => hash),
        );
        return hashes.filter((hash) => !used.has(hash)).sort();
      },
      removeUnused: async (hashes) => {
        for (const hash of hashes)
          await database.transaction(async (session) => {
            await medium.holds(session, hash);
            await removeIfUnused(session, hash);
          });
      },
    },
    release: async (session, run) => {
      const [reader] = await session.all('SELECT 1 FROM runs WHERE trials_of = ? LIMIT 1', [run.trialsOf]);
      if (reader === undefined) await drop(session, run, await usedBy(session, run));
    },
  };
}

/** Creates the medium of blobs in a table of the database. */
export function createBlobTable(database: SqlDatabase): BlobMedium {
  return {
    holds: async (session, hash) => {
      const rows = await session.all(`SELECT 1 FROM blobs WHERE hash = ?${database.dialect.lockRows}`, [
        hash,
      ]);
      return rows.length > 0;
    },
    write: async (session, hash, bytes) => {
      await session.run(
        "INSERT INTO blobs (hash, bytes) VALUES (?, decode(?, 'base64')) ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash",
        [hash, Buffer.from(bytes).toString('base64')],
      );
    },
    remove: async (session, hash) => void (await session.run('DELETE FROM blobs WHERE hash = ?', [hash])),
    list: async () => (await database.all('SELECT hash FROM blobs')).map(([hash]) => hash as string),
    read: async (hash) => {
      const [row] = await database.all("SELECT encode(bytes, 'base64') FROM blobs WHERE hash = ?", [hash]);
      return row === undefined ? undefined : Buffer.from(row[0] as string, 'base64');
    },
  };
}

/** Creates the medium of blobs in memory. */
export function createBlobMemory(): BlobMedium {
  const kept = new Map<string, Uint8Array>();
  return {
    holds: async (_session, hash) => kept.has(hash),
    write: async (_session, hash, bytes) => void kept.set(hash, bytes),
    remove: async (_session, hash) => void kept.delete(hash),
    list: async () => [...kept.keys()],
    read: async (hash) => kept.get(hash),
  };
}
