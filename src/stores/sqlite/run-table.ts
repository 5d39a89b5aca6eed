import { TouchstoneError } from '../../errors.ts';
import { millisecondsNow } from '../../lib/time.ts';
import type { Run } from '../../schema/run.ts';
import { trialsAreShared } from '../shared-trials.ts';
import type { Database, Row } from './database.ts';
import type { OpenRun } from './open-run.ts';

/** The records of all runs. */
export function createRunTable(database: Database) {
  const insertRun = database.prepare('INSERT INTO runs (id, created_at, trials, record) VALUES (?, ?, 0, ?)');
  const setTrials = database.prepare('UPDATE runs SET trials = ifnull(?, number) WHERE id = ?');
  const updateRun = database.prepare('UPDATE runs SET record = ? WHERE id = ?');
  const selectRun = database.prepare('SELECT record FROM runs WHERE id = ?');
  const selectNumbers = database.prepare('SELECT number, trials FROM runs WHERE id = ?');
  const selectId = database.prepare('SELECT id FROM runs WHERE number = ?');
  const selectNewest = database.prepare('SELECT max(created_at) AS newest FROM runs');
  const selectRuns = database.prepare('SELECT record FROM runs ORDER BY created_at DESC, id DESC');
  const selectSharing = database.prepare('SELECT 1 FROM runs WHERE trials = ? LIMIT 1');
  const deleteRun = database.prepare('DELETE FROM runs WHERE id = ?');
  /** By their numbers, which no other run ever gets: these parts of a run never change. */
  const known = new Map<number, OpenRun>();

  function read(runId: string): Run | undefined {
    const row = selectRun.get(runId);
    return row === undefined ? undefined : toRun(row);
  }

  function open(runId: string, { number, trials }: Row): OpenRun {
    const run = read(runId) as Run;
    const targets = run.targets.map(({ name }) => name);
    const opened = { number: Number(number), trials: Number(trials), targets, attempts: run.attempts };
    known.set(opened.number, opened);
    return opened;
  }

  function find(runId: string): OpenRun {
    const row = selectNumbers.get(runId);
    if (row === undefined) throw runNotFound(runId);
    return known.get(Number(row['number'])) ?? open(runId, row);
  }

  return {
    read,
    find,
    /** The id of the run with this number; undefined when it was deleted. */
    idOf: (number: number) => selectId.get(number)?.['id'] as string | undefined,
    /** The same for a run that is to get cases and trials: it shares nobody's. */
    findOwner: (runId: string): OpenRun => {
      const run = find(runId);
      if (run.trials !== run.number) throw trialsAreShared(runId);
      return run;
    },
    insert: (run: Run, trialsOf: string | undefined): void => {
      const trials = trialsOf === undefined ? null : find(trialsOf).trials;
      const newest = selectNewest.get()?.['newest'] as string | null;
      insertRun.run(run.id, whenSorted(run, newest), JSON.stringify(run));
      setTrials.run(trials, run.id);
    },
    update: (run: Run): void => {
      if (updateRun.run(JSON.stringify(run), run.id) === 0) throw runNotFound(run.id);
    },
    list: (): Run[] => selectRuns.all().map(toRun),
    remove: (runId: string): void => {
      deleteRun.run(runId);
    },
    /** Whether any run reads the cases and trials that this one reads. */
    areTrialsUsed: ({ trials }: OpenRun): boolean => selectSharing.get(trials) !== undefined,
  };
}

export type RunTable = ReturnType<typeof createRunTable>;

function toRun(row: Row): Run {
  return JSON.parse(row['record'] as string) as Run;
}

/** A run that was made longer ago than this, in milliseconds, comes from elsewhere, such as from an archive. */
const longestAgoMs = 60_000;

/** The time by which a run is sorted: its own. If the clock was set back, a run that is made now still comes after all others. */
function whenSorted({ createdAt }: Run, newest: string | null): string {
  const isMadeNow = Math.abs(millisecondsNow() - Date.parse(createdAt)) < longestAgoMs;
  if (!isMadeNow || newest === null || newest < createdAt) return createdAt;
  return new Date(Date.parse(newest) + 1).toISOString();
}

function runNotFound(runId: string): TouchstoneError {
  return new TouchstoneError('run-not-found', `There is no run ${runId}.`);
}
