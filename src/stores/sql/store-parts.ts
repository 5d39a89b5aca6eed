import type { Store } from '../store.ts';
import type { BlobMedium } from './blobs.ts';
import type { SqlInput, SqlSession } from './database.ts';
import type { RecordTable } from './rows.ts';

/** The parts of a store that depend on the kind of database. */
export interface StoreParts extends Pick<Store, 'exists' | 'claimRun' | 'isClaimed'> {
  /**
   * Makes sure, until the end of a transaction, that a run which this store has claimed is still its own: else the transaction fails
   * with `run-in-progress`. Absent where a claim cannot be lost.
   */
  requireClaim?(session: SqlSession, run: ClaimedRun): void;
  /**
   * Adds rows of a run to a table by one statement, which is a transaction by itself. Returns false unless it has added all of them as
   * new ones: a transaction then finds out why. Absent where a transaction costs no more.
   */
  addNew?(
    table: RecordTable<string>,
    rows: readonly (readonly SqlInput[])[],
    run: ClaimedRun,
  ): Promise<boolean>;
  /** Where the bytes of pictures and other files are. */
  readonly blobs: BlobMedium;
}

/** A run that may be claimed. */
export interface ClaimedRun {
  readonly runId: string;
  /** Its number in the table of runs. */
  readonly number: number;
}
