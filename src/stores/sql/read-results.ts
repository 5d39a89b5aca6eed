import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { CaseNames, CasedTrial, Outcome, PlannedCase, Result } from '../../core/schema/result.ts';
import { storeDamaged } from '../refusals.ts';
import type { SqlDatabase, SqlRow } from './database.ts';
import { createRunRows, readListed, type RunSelection } from './read-rows.ts';
import {
  type OpenRun,
  caseTable,
  plannedCaseOf,
  positionOf,
  scoreTable,
  toOutcome,
  trialOf,
  trialTable,
} from './records.ts';
import { readRow } from './rows.ts';

/** The number of rows read at a time: fewer for whole results, which may be long, than for numbers. */
const sizes = { whole: 50, numbers: 200 };

const cases: RunSelection = {
  columns: caseTable.selected,
  from: 'cases',
  where: 'run = ?',
  order: 'position',
  counted: 'cases',
};

const trials: RunSelection = {
  columns: trialTable.selected,
  from: 'trials',
  where: 'run = ?',
  order: 'ordinal',
  counted: 'trials',
};

/** The index of the first column of scores in a selected result. */
const scoreAt = trialTable.columns.length + 2;

function selectResults({ joinScores }: SqlDatabase['dialect']): RunSelection {
  return {
    columns: `${trialTable.selected}, ${scoreTable.selected}`,
    from: `trials ${joinScores}`,
    where: 'trials.run = ?',
    order: 'trials.ordinal',
    counted: 'trials',
    scoreAt,
  };
}

/** Creates the readers of the cases, trials and results of runs, in batches. They throw `store-damaged` for a missing row. */
export function createResultReader(database: SqlDatabase) {
  const { address, dialect } = database;
  const { readAll, readAt } = createRunRows(database);
  const results = selectResults(dialect);

  const toCases = (rows: readonly SqlRow[]) => rows.map((row) => readRow(caseTable, row, { address }));

  async function readCasesOf(run: OpenRun, rows: readonly SqlRow[]): Promise<Map<number, PlannedCase>> {
    const positions = new Set(rows.map((row) => positionOf(run, row[1] as number)));
    const found = new Map<number, PlannedCase>();
    for await (const group of readListed(database, cases, {
      values: [run.trialsOf],
      listed: [...positions],
    })) {
      for (const planned of toCases(group).map(plannedCaseOf)) found.set(planned.position, planned);
    }
    return found;
  }

  async function toResults(run: OpenRun, rows: readonly SqlRow[]): Promise<Result[]> {
    const planned = await readCasesOf(run, rows);
    return rows.map((row) => {
      const { text } = readRow(trialTable, row, { address });
      const ordinal = row[1] as number;
      const testCase = planned.get(positionOf(run, ordinal))?.case;
      if (testCase === undefined)
        throw storeDamaged(address, `the question of attempt ${ordinal} is missing`);
      const { verdicts, scorecard } = scoresIn(row);
      return { case: testCase, trial: trialOf(text, testCase), verdicts, scorecard };
    });
  }

  function scoresIn(row: SqlRow): Pick<Result, 'verdicts' | 'scorecard'> {
    if (row.length <= scoreAt || row[scoreAt] === null) return { verdicts: {}, scorecard: null };
    return parseJson(readRow(scoreTable, row, { address, from: scoreAt }).text);
  }

  return {
    async *readCases(run: OpenRun, positions?: readonly number[]) {
      const groups =
        positions === undefined ? readAll(run, cases, sizes.numbers) : readAt(run, cases, positions);
      for await (const group of groups) yield toCases(group);
    },
    /** Yields the names of cases. They are in the columns, which the checksum covers, too: no record has to be parsed. */
    async *readCaseNames(run: OpenRun): AsyncGenerator<CaseNames[]> {
      for await (const group of readAll(run, cases, sizes.numbers)) {
        yield toCases(group).map(({ columns: { id, category, cluster } }) => ({
          id: String(id),
          category: (category ?? undefined) as string | undefined,
          cluster: (cluster ?? undefined) as string | undefined,
        }));
      }
    },
    async *readResults(run: OpenRun, ordinals?: readonly number[]): AsyncGenerator<Result[]> {
      const groups =
        ordinals === undefined ? readAll(run, results, sizes.whole) : readAt(run, results, ordinals);
      for await (const group of groups) yield await toResults(run, group);
    },
    /** Returns the results at the given places, which must be in ascending order; none for a place without a trial. */
    async readExisting(run: OpenRun, ordinals: readonly number[]): Promise<Result[]> {
      const where = { values: [run.number, run.trialsOf], listed: ordinals };
      const found: Result[] = [];
      for await (const group of readListed(database, results, where))
        found.push(...(await toResults(run, group)));
      return found;
    },
    async *readTrials(run: OpenRun): AsyncGenerator<CasedTrial[]> {
      for await (const group of readAll(run, trials, sizes.whole)) {
        yield (await toResults(run, group)).map(({ case: testCase, trial }) => ({ case: testCase, trial }));
      }
    },
    async *readOutcomes(run: OpenRun): AsyncGenerator<Outcome[]> {
      for await (const group of readAll(run, results, sizes.numbers)) {
        yield (await toResults(run, group)).map(toOutcome);
      }
    },
    /** Returns the columns of the stored trials among the given ordinals. */
    async findTrials(run: OpenRun, ordinals: readonly number[]) {
      const where = { values: [run.trialsOf], listed: ordinals };
      const groups = await Array.fromAsync(readListed(database, trials, where));
      return groups.flat().map((row) => readRow(trialTable, row, { address }).columns);
    },
  };
}
