import { trialsAreShared } from '../refusals.ts';
import type { Store } from '../store.ts';
import { createSqlBlobs, type SqlBlobs } from './blobs.ts';
import { checkStore } from './check.ts';
import { findAnswers } from './lists/find-answers.ts';
import { countProgress, createTrialCounter } from './lists/count-trials.ts';
import type { SqlDatabase, SqlInput } from './database.ts';
import { createJudgementTable, judgementMethods } from './judgements.ts';
import { createTraits } from './lists/count-traits.ts';
import { createStoredCounts, type StoredCounts } from './lists/stored-counts.ts';
import { createSqlDocuments, removeDocumentsOf } from './documents/documents.ts';
import { createSqlAccounts } from './accounts/accounts.ts';
import { createSqlShared, removeSharedOf } from './shared.ts';
import { createSqlTexts } from './texts/texts.ts';
import { createResultReader } from './read-results.ts';
import {
  caseRow,
  caseTable,
  type OpenRun,
  plannedCaseOf,
  runRow,
  runTable,
  scoreRow,
  scoreTable,
  trialRow,
  trialTable,
} from './records.ts';
import { type RecordTable, readRow, toValue, upsertRows } from './rows.ts';
import { addTrials } from './write-trials.ts';
import { createMatrixRows } from './lists/select-matrix.ts';
import { createTrialSelector } from './lists/select-trials.ts';
import { createRunTable, type RunTables, shrinkRun } from './run-table.ts';
import { readWholeRecords } from './salvage.ts';
import type { StoreParts } from './store-parts.ts';

/** Creates a store on a database with the tables of `tables.ts`. Every call that writes is one transaction. */
export function createSqlStore(database: SqlDatabase, parts: StoreParts): Store {
  const runs = createRunTable(database);
  /** The run that was last written to: it is not read again for every write. */
  let known: ({ readonly runId: string } & OpenRun) | undefined;
  const toFault = () => {
    known = undefined;
    return new Replaced();
  };
  const write: RunTables['write'] = async (runId, work) =>
    await database.transaction(async (session) => {
      if (known?.runId === runId) runs.keep(session, { ...known, toFault });
      else known = { runId, ...(await runs.findToWrite(session, runId)) };
      const run = known;
      parts.requireClaim?.(session, { runId, number: run.number });
      return await work(session, run);
    });
  const shared: RunTables = {
    database,
    runs,
    find: async (runId) => await runs.find(database, runId),
    write: async (runId, work) =>
      await write(runId, work).catch(async (error: unknown) => {
        if (!(error instanceof Replaced)) throw error;
        return await write(runId, work);
      }),
  };
  const stored = createStoredCounts(shared);
  const tables: Tables = {
    ...shared,
    stored,
    traits: createTraits(shared, stored),
    addNew: async (runId, table, toRows) => {
      if (parts.addNew === undefined || known?.runId !== runId) return false;
      return await parts.addNew(table, toRows(known), { runId, number: known.number });
    },
  };
  const blobs = createSqlBlobs({ ...tables, medium: parts.blobs });
  return {
    address: database.address,
    exists: parts.exists,
    ...runMethods(tables, { ...parts, release: blobs.release }),
    ...caseMethods(tables),
    ...trialMethods(tables),
    ...judgementMethods(tables),
    documents: createSqlDocuments(database),
    shared: createSqlShared(database),
    accounts: createSqlAccounts(database),
    blobs: blobs.methods,
    matrix: createMatrixRows(tables),
    texts: createSqlTexts(database),
    readVersion: async () => await database.readVersion(),
    check: () => checkStore(database),
    readWhole: async function* (runId, onLost) {
      const [open, run] = [await tables.find(runId), await runs.findRow(database, runId)];
      if (run !== undefined) yield* readWholeRecords({ database, run: runs.read(run), open, onLost });
    },
    close: async () => await database.close(),
  };
}

/** The fault that a run was removed, and perhaps added again, since this process wrote to it. */
class Replaced extends Error {}

/** The tables that the methods of a store share. */
interface Tables extends RunTables {
  readonly stored: StoredCounts;
  readonly traits: ReturnType<typeof createTraits>;
  /** Adds new rows to the run that was last written to, as `StoreParts` can. */
  addNew(runId: string, table: RecordTable<string>, toRows: (run: OpenRun) => SqlInput[][]): Promise<boolean>;
}

type RunMethods =
  | 'createRun'
  | 'updateRun'
  | 'readRun'
  | 'listRuns'
  | 'claimRun'
  | 'isClaimed'
  | 'deleteRun'
  | 'shrinkRun';

function runMethods(
  { database, runs, find, write, traits }: Tables,
  { claimRun, isClaimed, release }: Pick<StoreParts, 'claimRun' | 'isClaimed'> & Pick<SqlBlobs, 'release'>,
): Pick<Store, RunMethods> {
  return {
    createRun: async (run, { trialsOf } = {}) =>
      await database.transaction((session) => runs.insert(session, run, trialsOf)),
    updateRun: async (run) =>
      await write(run.id, async (session, open) => {
        await session.run(runTable.upsert, runRow(run, open));
        traits.forget();
      }),
    readRun: async (runId) => {
      const row = await runs.findRow(database, runId);
      return row && runs.read(row);
    },
    listRuns: async (choice) => await runs.list(database, choice),
    claimRun: async (runId, part) => {
      await find(runId);
      return await claimRun(runId, part);
    },
    isClaimed: async (runId, part) => {
      if (await isClaimed(runId, part)) return true;
      await find(runId);
      return false;
    },
    shrinkRun: async (runId, most) =>
      await write(
        runId,
        async (session, run) =>
          (await removeDocumentsOf(session, runId, most)) || (await shrinkRun(session, run, most)),
      ),
    deleteRun: async (runId) => {
      await write(runId, async (session, run) => {
        await runs.remove(session, run);
        await release(session, run);
        await removeSharedOf(session, runId);
        await removeDocumentsOf(session, runId);
      });
      await database.shrink();
    },
  };
}

type CaseMethods = 'addCases' | 'readCases' | 'findCase' | 'readCaseNames';

function caseMethods({ database, find, write }: Tables): Pick<Store, CaseMethods> {
  const reader = createResultReader(database);
  return {
    addCases: async (runId, cases) =>
      await write(runId, async (session, run) => {
        requireOwn(run, runId);
        await upsertRows(
          session,
          caseTable,
          cases.map((planned) => caseRow(run, planned)),
        );
      }),
    readCases: async function* (runId, positions) {
      for await (const group of reader.readCases(await find(runId), positions))
        yield* group.map(plannedCaseOf);
    },
    findCase: async (runId, caseId) => {
      const [row] = await database.all(
        `SELECT ${caseTable.selected} FROM cases WHERE run = ? AND id = ? ORDER BY position LIMIT 1`,
        [(await find(runId)).trialsOf, toValue(caseId)],
      );
      return row && plannedCaseOf(readRow(caseTable, row, database));
    },
    readCaseNames: async function* (runId) {
      yield* reader.readCaseNames(await find(runId));
    },
  };
}

type TrialMethods =
  | 'countProgress'
  | 'addTrials'
  | 'findDone'
  | 'addScores'
  | 'readResults'
  | 'readTrials'
  | 'readOutcomes'
  | 'findAnswers'
  | 'selectTrials'
  | 'readColumns'
  | 'countTrials'
  | 'countTraits';

function trialMethods({ database, find, addNew, write, traits, stored }: Tables): Pick<Store, TrialMethods> {
  const reader = createResultReader(database);
  const selector = createTrialSelector(database, reader);
  const countTrials = createTrialCounter(database, { ...selector, stored });
  const judgements = createJudgementTable(database);
  return {
    addTrials: async (runId, trials, writing) => {
      const toRows = (run: OpenRun) => {
        requireOwn(run, runId);
        return trials.map((cased) => trialRow(run, cased));
      };
      if (await addNew(runId, trialTable, toRows)) return [];
      return await write(runId, async (session, run) => {
        requireOwn(run, runId);
        return await addTrials(session, trials, { run, lockRows: database.dialect.lockRows, ...writing });
      });
    },
    findDone: async (runId, specs) => {
      const ordinals = specs.map(({ ordinal }) => ordinal);
      const kept = await reader.findTrials(await find(runId), ordinals);
      const done = kept.filter(({ status }) => status !== 'cancelled');
      const keys = new Map(done.map(({ ordinal, key }) => [ordinal, key]));
      return new Set(specs.flatMap(({ ordinal, key }) => (keys.get(ordinal) === key ? [key] : [])));
    },
    addScores: async (runId, scored) => {
      const toRows = (run: OpenRun) => scored.map((scores) => scoreRow(run, scores));
      const isAlone = !judgements.areUsed(scored) && !traits.areIn(runId, scored);
      if (isAlone && (await addNew(runId, scoreTable, toRows))) return;
      await write(runId, async (session, run) => {
        await upsertRows(session, scoreTable, toRows(run));
        await traits.replace(session, { runId, open: run }, scored);
        await judgements.addUses(session, run, scored);
      });
    },
    countProgress: async (runId) => await countProgress(database, await find(runId)),
    readResults: async function* (runId, ordinals) {
      for await (const group of reader.readResults(await find(runId), ordinals)) yield* group;
    },
    readTrials: async function* (runId) {
      yield* reader.readTrials(await find(runId));
    },
    readOutcomes: async function* (runId) {
      yield* reader.readOutcomes(await find(runId));
    },
    findAnswers: async (query) => await findAnswers(database, query),
    selectTrials: async (runId, query) =>
      await selector.selectTrials(...(await traits.resolve(runId, query))),
    readColumns: async function* (runId, query = {}) {
      yield* selector.readColumns(...(await traits.resolve(runId, query)));
    },
    countTrials: async (runId, query = {}) => await countTrials(...(await traits.resolve(runId, query))),
    countTraits: traits.count,
  };
}

function requireOwn({ number, trialsOf }: OpenRun, runId: string): void {
  if (trialsOf !== number) throw trialsAreShared(runId);
}
