import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Outcome, Result } from '../../schema/result.ts';
import type { ScorecardResult } from '../../schema/scorecard-result.ts';
import { decodeCase, decodeNumbers, decodeTrial, decodeVerdict, type ScoreRow, toHex } from './row-codec.ts';
import { firstPlace, type OpenRun, placesOf, trialAt } from './trial-place.ts';

const pageSize = 100;

/** Values of a row in the order of its columns: reading rows as objects would take twice as long. */
type Row = readonly [place: number, ...values: unknown[]];

/** Reads the results of a run page by page, so that no read is open while others write. */
export function createResultReader(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const selectTrials = (columns: string) =>
    prepare(
      `SELECT trials.place, status, id, category, ${columns}
       FROM trials JOIN cases ON cases.place = CAST(:first AS INTEGER)
         + (trials.place - CAST(:first AS INTEGER)) / CAST(:trialsPerCase AS INTEGER)
       WHERE trials.place BETWEEN :from AND :to ORDER BY trials.place LIMIT ${pageSize}`,
    );
  const selectOf = (table: string, columns: string, order: string) =>
    prepare(`SELECT ${columns} FROM ${table} WHERE place BETWEEN ? AND ? ORDER BY ${order}`);
  const select = {
    trials: selectTrials('labels, content, hash, key, record'),
    outcomes: selectTrials('NULL'),
    scores: selectOf('scores', 'place, metric, status, value, unit, passed, detail', 'place, metric'),
    scoreNumbers: selectOf('scores', 'place, metric, status, value, unit, passed', 'place, metric'),
    scorecards: selectOf(
      'scorecard_results',
      'place, total, lower, upper, grade, passed, explanation',
      'place',
    ),
    scorecardNumbers: selectOf('scorecard_results', "place, total, lower, upper, grade, passed, ''", 'place'),
  };

  function* pages(run: OpenRun, statement: StatementSync): Generator<Row[]> {
    const trialsPerCase = run.targets.length * run.attempts;
    const [first, to] = placesOf(run);
    let from = first;
    for (;;) {
      const page = statement.all({ first: firstPlace(run), trialsPerCase, from, to }) as unknown as Row[];
      if (page.length > 0) yield page;
      if (page.length < pageSize) return;
      from = (page.at(-1)?.[0] as number) + 1;
    }
  }

  function* rows<Verdict>(
    run: OpenRun,
    statements: { trials: StatementSync; scores: StatementSync; scorecards: StatementSync },
    decode: (row: ScoreRow) => Verdict,
  ): Generator<{ row: Row; verdicts: Record<string, Verdict>; scorecard: ScorecardResult | null }> {
    for (const page of pages(run, statements.trials)) {
      const range = [page[0]?.[0] as number, page.at(-1)?.[0] as number] as const;
      const verdicts = groupByTrial(statements.scores.all(...range) as unknown as Row[], run, decode);
      const scorecards = byTrial(statements.scorecards.all(...range) as unknown as Row[]);
      for (const row of page) {
        yield { row, verdicts: verdicts.get(row[0]) ?? {}, scorecard: scorecards.get(row[0]) ?? null };
      }
    }
  }

  return {
    *readResults(run: OpenRun): Generator<Result> {
      for (const { row, ...said } of rows(run, select, decodeVerdict)) {
        yield { ...decodeCasedTrial(row, run), ...said };
      }
    },

    *readOutcomes(run: OpenRun): Generator<Outcome> {
      const { outcomes: trials, scoreNumbers: scores, scorecardNumbers: scorecards } = select;
      for (const { row, ...said } of rows(run, { trials, scores, scorecards }, decodeNumbers)) {
        const [place, status, id, category] = row as [
          number,
          Result['trial']['status'],
          string,
          string | null,
        ];
        const { target } = trialAt(run, place, id);
        yield { case: category === null ? {} : { category }, trial: { caseId: id, target, status }, ...said };
      }
    },
  };
}

function decodeCasedTrial(row: Row, run: OpenRun): Pick<Result, 'case' | 'trial'> {
  type Columns = [
    number,
    string,
    string,
    string | null,
    string | null,
    string,
    Uint8Array,
    Uint8Array,
    string,
  ];
  const [place, status, id, category, labels, content, hash, key, record] = row as unknown as Columns;
  const testCase = decodeCase({ id, category, labels, content });
  const trialRow = { key: toHex(key), status, record };
  return { case: testCase, trial: decodeTrial(trialRow, trialAt(run, place, id), testCase, toHex(hash)) };
}

function groupByTrial<Verdict>(
  rows: readonly Row[],
  run: OpenRun,
  decode: (row: ScoreRow) => Verdict,
): Map<number, Record<string, Verdict>> {
  type Columns = [
    number,
    number,
    string,
    number | null,
    string | null,
    number | null,
    string | null | undefined,
  ];
  const groups = new Map<number, Record<string, Verdict>>();
  let current: { place: number; verdicts: Record<string, Verdict> } | undefined;
  for (const row of rows) {
    const [place, metric, status, value, unit, passed, detail = null] = row as unknown as Columns;
    if (current?.place !== place) groups.set(place, (current = { place, verdicts: {} }).verdicts);
    current.verdicts[run.metrics[metric] as string] = decode({ status, value, unit, passed, detail });
  }
  return groups;
}

function byTrial(rows: readonly Row[]): Map<number, ScorecardResult> {
  type Columns = [number, number | null, number, number, string | null, number | null, string];
  return new Map(
    rows.map((row) => {
      const [place, total, lower, upper, grade, passed, explanation] = row as unknown as Columns;
      return [
        place,
        { total, lower, upper, grade, passed: passed === null ? null : passed === 1, explanation },
      ];
    }),
  );
}
