import type { DatabaseSync } from 'node:sqlite';
import { TouchstoneError } from '../../errors.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../store.ts';
import { createCaseTable } from './case-table.ts';
import { claimRun } from './claim-run.ts';
import { createJudgementTable } from './judgement-table.ts';
import { openDatabase } from './open-database.ts';
import { createResultTables } from './result-tables.ts';
import type { OpenRun } from './trial-place.ts';

/**
 * A store in one SQLite file, through Node's own module. Several processes can use it at the same time.
 * Throws `store-unreadable` when the file is no database, `store-version` when it is from the future.
 */
export function openSqliteStore(file: string): Store {
  const database = openDatabase(file);
  const runs = createRunTable(database);
  const cases = createCaseTable(database);
  const results = createResultTables(database);
  const judgements = createJudgementTable(database);

  return {
    createRun: async (run) => runs.insert(run),
    updateRun: async (run) => runs.update(run),
    readRun: async (runId) => runs.read(runId),
    listRuns: async () => runs.list(),
    claimRun: async (runId) => {
      runs.find(runId);
      return claimRun(file, runId);
    },
    deleteRun: async (runId) => {
      const run = runs.find(runId);
      results.deleteRun(run);
      judgements.deleteRun(run);
      cases.deleteRun(run);
      runs.remove(runId);
    },
    addCases: async (runId, planned) => cases.add(runs.find(runId), planned),
    readCases: async function* (runId) {
      yield* cases.read(runs.find(runId));
    },
    findCase: async (runId, caseId) => cases.find(runs.find(runId), caseId),
    countCategories: async (runId) => cases.countCategories(runs.find(runId)),
    addTrials: async (runId, trials) => results.addTrials(runs.find(runId), trials),
    findDone: async (runId, specs) => results.findDone(runs.find(runId), specs),
    addScores: async (runId, scored) => {
      const run = runs.find(runId);
      judgements.noteUses(run, scored);
      results.addScores(run, scored);
    },
    readResults: async function* (runId, ordinals) {
      yield* results.read(runs.find(runId), ordinals);
    },
    readOutcomes: async function* (runId) {
      yield* results.readOutcomes(runs.find(runId));
    },
    findJudgement: async (key) => judgements.find(key),
    addJudgements: async (runId, added) => judgements.add(runs.find(runId), added),
    readJudgements: async function* (runId, ids) {
      yield* judgements.read(runs.find(runId), ids);
    },
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function createRunTable(database: DatabaseSync) {
  const insertRun = database.prepare('INSERT INTO runs (id, created_at, record) VALUES (?, ?, ?)');
  const updateRun = database.prepare('UPDATE runs SET record = ? WHERE id = ?');
  const selectRun = database.prepare('SELECT number, record FROM runs WHERE id = ?');
  const selectRuns = database.prepare('SELECT record FROM runs ORDER BY created_at DESC, id DESC');
  const deleteRun = database.prepare('DELETE FROM runs WHERE id = ?');
  const known = new Map<string, OpenRun>();

  const read = (runId: string): Run | undefined => {
    const row = selectRun.get(runId);
    return row === undefined ? undefined : (JSON.parse(row['record'] as string) as Run);
  };

  return {
    read,
    insert: (run: Run) => {
      insertRun.run(run.id, run.createdAt, JSON.stringify(run));
    },
    update: (run: Run) => {
      if (updateRun.run(JSON.stringify(run), run.id).changes === 0) throw runNotFound(run.id);
    },
    list: () => selectRuns.all().map((row) => JSON.parse(row['record'] as string) as Run),
    remove: (runId: string) => {
      known.delete(runId);
      deleteRun.run(runId);
    },
    /** The number of a run and the names that its rows refer to by number; these never change. */
    find: (runId: string): OpenRun => {
      const open = known.get(runId);
      if (open !== undefined) return open;
      const row = selectRun.get(runId);
      if (row === undefined) throw runNotFound(runId);
      const run = JSON.parse(row['record'] as string) as Run;
      const found = {
        number: row['number'] as number,
        targets: run.targets.map(({ name }) => name),
        metrics: run.metrics.map(({ name }) => name),
        attempts: run.attempts,
        hasOutcomes: run.scorecard?.outcomes !== undefined,
      };
      known.set(runId, found);
      return found;
    },
  };
}

function runNotFound(runId: string): TouchstoneError {
  return new TouchstoneError('run-not-found', `There is no run ${runId}.`);
}
