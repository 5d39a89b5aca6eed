import type { Store } from '../store.ts';
import { createCaseTable } from './case-table.ts';
import { claimRun } from './claim-run.ts';
import type { Database } from './database.ts';
import { iteratePages } from './iterate-pages.ts';
import { createJudgementTable } from './judgement-table.ts';
import type { OpenRun } from './open-run.ts';
import { createResultReader } from './read-results.ts';
import { createResultTables } from './result-tables.ts';
import { createRunTable } from './run-table.ts';
import { tidyRun } from './tidy-run.ts';

/** All that the store does, whoever opened its database. */
type StoreMethods = Store;

/** The methods of a store over an open database. */
export function storeOn(database: Database, file: string): StoreMethods {
  const runs = createRunTable(database);
  const cases = createCaseTable(database);
  const results = createResultTables(database);
  const reader = createResultReader(database, cases, results);
  const judgements = createJudgementTable(database);

  function removeRun(run: OpenRun, runId: string): void {
    runs.remove(runId);
    judgements.removeRun(run);
    results.scores.removeRun(run.number);
    if (runs.areTrialsUsed(run)) return;
    results.trials.removeRun(run.trials);
    cases.pages.removeRun(run.trials);
  }

  return {
    createRun: async (run, { trialsOf } = {}) => database.write(() => runs.insert(run, trialsOf)),
    updateRun: async (run) => {
      runs.update(run);
      if (run.status === 'planning' || run.status === 'running') return;
      tidyRun(database, runs.find(run.id), { cases: cases.pages, ...results });
    },
    readRun: async (runId) => runs.read(runId),
    listRuns: async () => runs.list(),
    claimRun: async (runId) => {
      runs.find(runId);
      return claimRun(file, runId);
    },
    deleteRun: async (runId) => {
      database.write(() => removeRun(runs.find(runId), runId));
      database.shrink();
    },
    addCases: async (runId, planned) => database.write(() => cases.add(runs.findOwner(runId), planned)),
    readCases: (runId) => iteratePages(() => cases.pagesOf(runs.find(runId))),
    findCase: async (runId, caseId) => cases.find(runs.find(runId), caseId),
    countCategories: async (runId) => cases.countCategories(runs.find(runId)),
    addTrials: async (runId, trials) =>
      database.write(() => results.addTrials(runs.findOwner(runId), trials)),
    findDone: async (runId, specs) => database.read(() => results.findDone(runs.find(runId), specs)),
    addScores: async (runId, scored) =>
      database.write(() => {
        const run = runs.find(runId);
        judgements.noteUses(run, scored);
        results.addScores(run, scored);
      }),
    readResults: (runId, ordinals) => iteratePages(() => reader.readResults(runs.find(runId), ordinals)),
    readOutcomes: (runId) => iteratePages(() => reader.readOutcomes(runs.find(runId))),
    findJudgement: async (key) => judgements.find(key),
    addJudgements: async (runId, added) => database.write(() => judgements.add(runs.find(runId), added)),
    readJudgements: async function* (runId, ids) {
      yield* judgements.read(runs.find(runId), ids);
    },
    close: async () => database.close(),
  };
}
