import { existsSync, rmSync } from 'node:fs';
import { TouchstoneError } from '../../errors.ts';
import { claimRun } from './claim-run.ts';
import { needsFile } from './explain-fault.ts';
import { newestOf, readJournalFile } from './journal-file.ts';
import type { Placed } from './pages/piece.ts';

/** Journals whose processes have died over them. Those of processes that live are left alone. */
export interface LeftJournals {
  /** Puts what was left behind into the tables. The caller has the claim. */
  reuseAnswers(run: number): void;
  /** The same for a caller without the claim. Throws `store-unreadable` where there is something, and nothing may be written. */
  settle(run: number): void;
  remove(run: number): void;
}

/** What is done with journals, of whatever process. */
export interface LeftJournalNeeds<Value> {
  /** The file of the store; the journals stand beside it. */
  readonly storeFile: string;
  /** The id of a run, by which its journal is told from one that another store has left under the same number. */
  readonly idOf: (run: number) => string | undefined;
  /** Puts rows into the tables, all or none. */
  readonly keep: (run: number, rows: readonly Placed<Value>[]) => void;
}

/** The journals that may stand beside a store. */
export function createLeftJournals<Value>({ storeFile, idOf, keep }: LeftJournalNeeds<Value>): LeftJournals {
  const rowsLeft = (run: number) => readJournalFile<Value>(journalFileOf(storeFile, run), idOf(run));

  function reuseAnswers(run: number): void {
    const rows = rowsLeft(run);
    if (rows.length > 0) keep(run, newestOf(rows));
    remove(run);
  }

  function remove(run: number): void {
    rmSync(journalFileOf(storeFile, run), { force: true });
  }

  function inherit(run: number, work: (run: number) => void): void {
    const release = existsSync(journalFileOf(storeFile, run)) ? claimToInherit(run) : undefined;
    try {
      if (release !== undefined) work(run);
    } finally {
      release?.();
    }
  }

  function claimToInherit(run: number): (() => void) | undefined {
    try {
      return claimJournal(storeFile, run);
    } catch (error) {
      if (rowsLeft(run).length > 0) throw needsFile(storeFile, journalFileOf(storeFile, run), error);
      return undefined;
    }
  }

  return {
    reuseAnswers,
    settle: (run) => inherit(run, reuseAnswers),
    remove: (run) => inherit(run, remove),
  };
}

/** Where the journal of a run stands. */
export function journalFileOf(storeFile: string, run: number): string {
  return `${storeFile}-${run}.journal`;
}

/** The journal of a run belongs to one process at a time: undefined when another has it. */
export function claimJournal(storeFile: string, run: number): (() => void) | undefined {
  try {
    return claimRun(storeFile, `journal-${run}`);
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'run-in-progress') return undefined;
    throw error;
  }
}
