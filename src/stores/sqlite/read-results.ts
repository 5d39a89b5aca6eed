import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Outcome, Result } from '../../schema/result.ts';
import { decodeCase, decodeSpent, decodeTrial, toHex } from './row-codec.ts';
import { unpackNumbers, unpackScorecard, unpackScores } from './score-codec.ts';
import { firstPlace, type OpenRun, placeOf, placesOf, trialAt } from './trial-place.ts';

const pageSize = 100;

/** What numbers are made of, in the order of the columns: reading rows as objects would take twice as long. */
type OutcomeRow = [
  place: number,
  status: Result['trial']['status'],
  id: string,
  category: string | null,
  total: number | null,
  lower: number | null,
  upper: number | null,
  grade: string | null,
  outcome: string | null,
  passed: number | null,
  numbers: string | null,
  spent: string,
];

type ResultRow = [
  ...OutcomeRow,
  details: string | null,
  labels: string | null,
  content: string,
  hash: Uint8Array,
  key: Uint8Array,
  record: string,
];

const outcomeColumns =
  'trials.place, status, id, category, total, lower, upper, grade, outcome, passed, numbers, spent';
const resultColumns = `${outcomeColumns}, details, labels, content, hash, key, record`;

/** Reads the results of a run page by page, so that no read is open while others write. */
export function createResultReader(database: DatabaseSync) {
  const prepare = (columns: string): StatementSync => {
    const statement = database.prepare(
      `SELECT ${columns}
       FROM trials JOIN cases ON cases.place = CAST(:first AS INTEGER)
         + (trials.place - CAST(:first AS INTEGER)) / CAST(:trialsPerCase AS INTEGER)
       LEFT JOIN scores ON scores.place = trials.place
       WHERE trials.place BETWEEN :from AND :to ORDER BY trials.place LIMIT ${pageSize}`,
    );
    statement.setReturnArrays(true);
    return statement;
  };
  const selectOutcomes = prepare(outcomeColumns);
  const selectResults = prepare(resultColumns);

  function* rows<Row extends readonly [place: number, ...unknown[]]>(
    run: OpenRun,
    statement: StatementSync,
  ): Generator<Row> {
    const trialsPerCase = run.targets.length * run.attempts;
    const [first, to] = placesOf(run);
    let from = first;
    for (;;) {
      const page = statement.all({ first: firstPlace(run), trialsPerCase, from, to }) as unknown as Row[];
      yield* page;
      if (page.length < pageSize) return;
      from = (page.at(-1)?.[0] as number) + 1;
    }
  }

  function* rowsAt(run: OpenRun, ordinals: readonly number[]): Generator<ResultRow> {
    const trialsPerCase = run.targets.length * run.attempts;
    const first = firstPlace(run);
    for (const ordinal of ordinals) {
      const place = placeOf(run, ordinal);
      const found = selectResults.all({ first, trialsPerCase, from: place, to: place });
      yield* found as unknown as ResultRow[];
    }
  }

  return {
    *readResults(run: OpenRun, ordinals?: readonly number[]): Generator<Result> {
      const found = ordinals === undefined ? rows<ResultRow>(run, selectResults) : rowsAt(run, ordinals);
      for (const row of found) yield toResult(row, run);
    },
    *readOutcomes(run: OpenRun): Generator<Outcome> {
      for (const row of rows<OutcomeRow>(run, selectOutcomes)) yield toOutcome(row, run);
    },
  };
}

function toOutcome(row: OutcomeRow, run: OpenRun): Outcome {
  const [place, status, id, category, total, lower, upper, grade, outcome, passed, numbers, spent] = row;
  const { ordinal, target } = trialAt(run, place, id);
  const columns = { total, lower, upper, grade, outcome, passed };
  return {
    case: category === null ? {} : { category },
    trial: { ordinal, caseId: id, target, status, ...decodeSpent(spent) },
    verdicts: unpackNumbers(numbers, run.metrics),
    scorecard: unpackScorecard(columns, { explanation: '', hasOutcomes: run.hasOutcomes }),
  };
}

function toResult(row: ResultRow, run: OpenRun): Result {
  const [place, status, id, category, total, lower, upper, grade, outcome, passed, numbers, spent, ...rest] =
    row;
  const [details, labels, content, hash, key, record] = rest;
  const columns = { total, lower, upper, grade, outcome, passed };
  const testCase = decodeCase({ id, category, labels, content });
  const trialRow = { key: toHex(key), status, spent, record };
  const { verdicts, explanation } = unpackScores({ numbers, details }, run.metrics);
  return {
    case: testCase,
    trial: decodeTrial(trialRow, trialAt(run, place, id), testCase, toHex(hash)),
    verdicts,
    scorecard: unpackScorecard(columns, { explanation, hasOutcomes: run.hasOutcomes }),
  };
}
