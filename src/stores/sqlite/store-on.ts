import path from 'node:path';
import type { Store } from '../store.ts';
import { createCaseTable } from './case-table.ts';
import { claimRun } from './claim-run.ts';
import type { Database } from './database.ts';
import type { SqliteOptions } from './open-database.ts';
import { eachPage, iteratePages } from './iterate-pages.ts';
import { createJudgementTable } from './judgement-table.ts';
import type { OpenRun } from './open-run.ts';
import { createQuestionTable } from './question-table.ts';
import { createResultReader } from './read-results.ts';
import { createResultTables } from './result-tables.ts';
import { createRunTable } from './run-table.ts';
import { createTrialKeeper } from './trial-keeper.ts';
import { tidyRun } from './tidy-run.ts';

/** All that the store does. It has another name here, since this is a part of the store that is in the registry. */
type StoreMethods = Store;

/** The store over an open database. */
export function storeOn(database: Database, file: string, options?: SqliteOptions): StoreMethods {
  const runs = createRunTable(database);
  const cases = createCaseTable(database);
  const results = createResultTables(database);
  const reader = createResultReader(database, cases, results);
  const judgements = createJudgementTable(database);
  const questions = createQuestionTable(database);
  const trials = createTrialKeeper({ database, file, runs, results }, options);

  /** Whether its trials were removed, too: nobody else shares them. */
  function removeRun(run: OpenRun, runId: string): boolean {
    runs.remove(runId);
    judgements.removeRun(run);
    questions.giveBack(run);
    results.scores.removeRun(run.number);
    if (runs.areTrialsUsed(run)) return false;
    results.trials.removeRun(run.trials);
    cases.pages.removeRun(run.trials);
    return true;
  }

  return {
    folder: path.dirname(path.resolve(file)),
    createRun: async (run, { trialsOf } = {}) => database.write(() => runs.insert(run, trialsOf)),
    updateRun: async (run) => {
      runs.update(run);
      if (run.status === 'planning' || run.status === 'running') return;
      const over = trials.findSettled(run.id);
      trials.endJournal(over);
      tidyRun(database, over, { cases: cases.pages, ...results });
    },
    readRun: async (runId) => runs.read(runId),
    listRuns: async () => runs.list(),
    claimRun: async (runId) => {
      runs.find(runId);
      return claimRun(file, runId);
    },
    deleteRun: async (runId) => {
      const run = runs.find(runId);
      const areTrialsGone = database.write(() => removeRun(run, runId));
      if (areTrialsGone) trials.endJournal(run);
      database.shrink();
    },
    addCases: async (runId, planned) => database.write(() => cases.add(runs.findOwner(runId), planned)),
    readCases: (runId, positions) => iteratePages(() => cases.pagesOf(runs.find(runId), positions)),
    findCase: async (runId, caseId) => cases.find(runs.find(runId), caseId),
    readCaseNames: (runId) => eachPage(() => cases.namesOf(runs.find(runId))),
    addTrials: async (runId, added) => trials.add(runId, added),
    findDone: async (runId, specs) => results.findDone(trials.findSettled(runId), specs),
    addScores: async (runId, scored) => {
      const run = trials.findSettled(runId);
      database.write(() => {
        judgements.noteUses(run, scored);
        results.addScores(run, scored);
      });
    },
    readResults: (runId, ordinals) =>
      iteratePages(() => reader.readResults(trials.findSettled(runId), ordinals)),
    readTrials: (runId, part) => eachPage(() => reader.readTrials(trials.findSettled(runId), part)),
    readOutcomes: (runId, part) => eachPage(() => reader.readOutcomes(trials.findSettled(runId), part)),
    findJudgement: async (key, askedIn) => judgements.find(key, askedIn),
    addJudgements: async (runId, added) => database.write(() => judgements.add(runs.find(runId), added)),
    readJudgements: async function* (runId, ids) {
      yield* judgements.read(runs.find(runId), ids);
    },
    takeQuestions: async (runId, keys) => database.write(() => questions.take(runs.find(runId), keys)),
    giveBackQuestions: async (runId, keys) =>
      database.write(() => questions.giveBack(runs.find(runId), keys)),
    close: async () => {
      try {
        trials.close();
      } finally {
        database.close();
      }
    },
  };
}
