import type { CasedTrial } from '../../schema/result.ts';
import type { Database } from './database.ts';
import { createJournal } from './journal.ts';
import type { KeptTrial } from './kept-trial.ts';
import type { SqliteOptions } from './open-database.ts';
import type { OpenRun } from './open-run.ts';
import { placesPerPage } from './pages/place.ts';
import { type ResultTables, toRows } from './result-tables.ts';
import type { RunTable } from './run-table.ts';

const longestWaitMs = 250;

/** Keeps trials at once, however few come at a time, and puts them into the tables many at a time. */
export interface TrialKeeper {
  /** Throws `run-not-found`, or `run-not-resumable` for a run that shares the trials of another. */
  add(runId: string, trials: readonly CasedTrial[]): void;
  /** A run with all its trials in the tables. */
  findSettled(runId: string): OpenRun;
  /** A run that is over, or is to be forgotten, has no journal. */
  endJournal(run: OpenRun): void;
  close(): void;
}

/** What a keeper of trials works with. */
export interface TrialKeeperNeeds {
  readonly database: Database;
  readonly file: string;
  readonly runs: RunTable;
  readonly results: ResultTables;
}

/** A keeper over the tables of a store. */
export function createTrialKeeper(
  { database, file, runs, results }: TrialKeeperNeeds,
  { durability = 'process' }: SqliteOptions = {},
): TrialKeeper {
  const journal = createJournal<KeptTrial>({
    storeFile: file,
    many: placesPerPage,
    longestWaitMs,
    idOf: runs.idOf,
    keep: (number, rows) =>
      database.write(() => {
        // The run was deleted meanwhile: nothing of it is wanted.
        if (runs.idOf(number) !== undefined) results.addTrials(number, rows);
      }),
  });
  let latest: { readonly runId: string; readonly run: OpenRun } | undefined;

  /** Whose journal is open here is not looked for again: that takes as long as a line in the journal. */
  function ownerOf(runId: string): OpenRun {
    if (latest?.runId !== runId || !journal.isOpen(latest.run.trials)) {
      latest = { runId, run: runs.findOwner(runId) };
    }
    return latest.run;
  }

  return {
    add: (runId, trials) => {
      const run = ownerOf(runId);
      const rows = toRows(run, trials);
      // A line in a journal survives the process; for a power cut, every write has to wait for the disk.
      if (durability === 'process' && journal.append(run.trials, rows)) return;
      journal.settle(run.trials);
      database.write(() => results.addTrials(run.trials, rows));
    },
    findSettled: (runId) => {
      const run = runs.find(runId);
      journal.settle(run.trials);
      return run;
    },
    endJournal: (run) => journal.remove(run.trials),
    close: journal.close,
  };
}
