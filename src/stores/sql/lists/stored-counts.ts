import { TouchstoneError } from '../../../core/errors.ts';
import type { SqlSession } from '../database.ts';
import type { RunTables } from '../run-table.ts';
import type { ColumnTypes } from '../tables.ts';
import type { SelectedRun } from './select-trials.ts';

/**
 * Returns the statements that create the table of counts. They are made from records, and can be made again at any time; so they
 * have no checksums. Rows that are added or removed change `totals`; what makes an update count is left to each database.
 */
export function createStoredCountsTable({ integer, text, options }: ColumnTypes): string {
  return `
  -- Rows of the run that were changed in place.
  ALTER TABLE totals ADD COLUMN rows_changed ${integer} NOT NULL DEFAULT 0;

  -- Counts over all trials of large runs that have ended, as JSON, by what is counted. They hold while the run is in the same state.
  CREATE TABLE stored_counts (
    run ${integer} NOT NULL,
    question ${text} NOT NULL,
    state ${text} NOT NULL,
    counts ${text} NOT NULL,
    PRIMARY KEY (run, question)
  ) ${options};`;
}

/** The tables whose rows are counted, with the runs whose counts read a row of them. */
export const sourcesOfCounts = [
  { table: 'cases', readers: 'trials_of' },
  { table: 'trials', readers: 'trials_of' },
  { table: 'scores', readers: 'number' },
] as const;

/** The trials from which on counting takes long enough to store the counts, and the most characters that are stored. */
const limits = { fewestTrials: 2000, mostCharacters: 4_000_000 };

/** Creates the part of a store that makes the counts over all trials of a large run once, and stores them. */
export function createStoredCounts({ database, write }: Pick<RunTables, 'database' | 'write'>) {
  return {
    /**
     * Returns counts over all trials of a run: those that were stored, while nothing has changed in the run since.
     * @param question - What is counted.
     */
    keep: async <Count>(
      { run, open }: SelectedRun,
      question: string,
      count: () => Promise<Count[]>,
    ): Promise<Count[]> => {
      if (run.finishedAt === undefined) return await count();
      const { number } = open;
      const state = await readState(database, number);
      if (state === undefined || state.trials < limits.fewestTrials) return await count();
      const [found] = await database.all(
        'SELECT counts FROM stored_counts WHERE run = ? AND question = ? AND state = ?',
        [number, question, state.text],
      );
      if (found !== undefined) return JSON.parse(found[0] as string) as Count[];
      const counts = await count();
      const text = JSON.stringify(counts);
      if (text.length <= limits.mostCharacters) {
        const storing = write(run.id, async (session) => {
          // Who changes rows of the run now waits, and then removes these counts.
          const locked = `SELECT run FROM totals WHERE run IN (?, ?) ORDER BY run${database.dialect.lockRows}`;
          await session.all(locked, [number, open.trialsOf]);
          const now = await readState(session, number);
          if (now?.text === state.text) await session.run(store, [number, question, state.text, text]);
        });
        await storing.catch(ignoreUnwritable);
      }
      return counts;
    },
  };
}

export type StoredCounts = ReturnType<typeof createStoredCounts>;

const store = `INSERT INTO stored_counts (run, question, state, counts) VALUES (?, ?, ?, ?)
  ON CONFLICT (run, question) DO UPDATE SET state = excluded.state, counts = excluded.counts`;

/** A store that cannot be written to, or has no room, still answers: the counts are made again the next time. */
function ignoreUnwritable(error: unknown): void {
  if (!(error instanceof TouchstoneError && error.code === 'store-unreadable')) throw error;
}

/** Reads a text that is another one as soon as anything has changed that is counted of a run, and the number of its trials. */
async function readState(
  session: Pick<SqlSession, 'all'>,
  number: number,
): Promise<{ readonly text: string; readonly trials: number } | undefined> {
  const rows = await session.all(
    `SELECT runs.checksum, totals.run, totals.cases, totals.trials, totals.scores, totals.scores_removed, totals.rows_changed
      FROM totals, runs WHERE runs.number = ? AND totals.run IN (runs.number, runs.trials_of) ORDER BY totals.run`,
    [number],
  );
  if (rows.length === 0) return undefined;
  return { text: JSON.stringify(rows), trials: Math.max(...rows.map((row) => Number(row[3]))) };
}
