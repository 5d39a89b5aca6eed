import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlDatabase, SqlRow, SqlValue } from './database.ts';
import { runNotFound, storeDamaged } from '../refusals.ts';
import type { OpenRun } from './records.ts';

/** So many values are named in one statement: the last is repeated where there are fewer, for all to be the same statement. */
const listLength = 50;
const list = Array.from({ length: listLength }, () => '?').join(', ');

/** What a statement selects: `order` is the column by which rows are read on, a number that rises. */
export interface Selection {
  readonly columns: string;
  readonly from: string;
  readonly where: string;
  readonly order: string;
}

/**
 * Reads rows in groups, in the order of a number that is the second column of each, by statements that do not stay open while
 * others write. Between groups, everything else has its turn.
 */
async function* readGroups(
  database: Pick<SqlDatabase, 'all' | 'address'>,
  { columns, from, where, order }: Selection,
  { values, size }: { readonly values: readonly SqlValue[]; readonly size: number },
): AsyncGenerator<SqlRow[]> {
  const sql = `SELECT ${columns} FROM ${from} WHERE ${where} AND ${order} > ? ORDER BY ${order} LIMIT ${size}`;
  for (let last = -1; ; ) {
    const rows = await database.all(sql, [...values, last]);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    const next = rows.at(-1)?.[1] as number;
    if (!(next > last)) throw storeDamaged(database.address, `rows of ${from} are not in order`);
    last = next;
    await nextTurn();
  }
}

/** Reads the rows at some numbers, in groups and in the order of the numbers. */
export async function* readListed(
  database: Pick<SqlDatabase, 'all'>,
  { columns, from, where, order }: Selection,
  { values, listed }: { readonly values: readonly SqlValue[]; readonly listed: readonly number[] },
): AsyncGenerator<SqlRow[]> {
  const sql = `SELECT ${columns} FROM ${from} WHERE ${where} AND ${order} IN (${list}) ORDER BY ${order}`;
  for (let from = 0; from < listed.length; from += listLength) {
    const some = listed.slice(from, from + listLength);
    const padded = [
      ...some,
      ...Array.from({ length: listLength - some.length }, () => some.at(-1) as number),
    ];
    yield await database.all(sql, [...values, ...padded]);
    await nextTurn();
  }
}

/** Rows of a run, and which column of a row says whether the trial has scores. */
export interface RunSelection extends Selection {
  readonly counted: 'cases' | 'trials';
  readonly scoreAt?: number;
}

/** Keys are short. */
const keysAtOnce = 2000;
const casePositions: RunSelection = {
  columns: 'run, position',
  from: 'cases',
  where: 'run = ?',
  order: 'position',
  counted: 'cases',
};
const trialKeys: RunSelection = {
  columns: 'trials.run, trials.ordinal, scores.run',
  from: 'trials LEFT JOIN scores ON scores.run = ? AND scores.ordinal = trials.ordinal',
  where: 'trials.run = ?',
  order: 'trials.ordinal',
  counted: 'trials',
  scoreAt: 2,
};

/** Reads the rows of runs, and misses every row that is lost. */
export function createRunRows(database: SqlDatabase) {
  /** Reads all rows of a run. Throws `store-damaged` at the end when fewer were there than the run is known to have. */
  async function* readAll(run: OpenRun, selection: RunSelection, size: number): AsyncGenerator<SqlRow[]> {
    const { counted, scoreAt } = selection;
    const before = await readTotals(database, run);
    let [rows, scored] = [0, 0];
    for await (const group of readGroups(database, selection, { values: valuesFor(run, selection), size })) {
      rows += group.length;
      if (scoreAt !== undefined) scored += group.filter((row) => row[scoreAt] !== null).length;
      yield group;
    }
    const now = await readTotals(database, run);
    if (rows < before[counted]) throw missing(counted, before[counted] - rows);
    // Scores also go with an answer that is made again.
    if (scoreAt === undefined || now.scoresRemoved !== before.scoresRemoved || scored >= before.scores)
      return;
    throw missing('scores', before.scores - scored);
  }

  const missing = (what: string, count: number) =>
    storeDamaged(database.address, `of the ${what} of a run, ${count} cannot be found`);

  /** Reads the rows at some places; where one is not there, it makes sure that none was lost. */
  async function* readAt(
    run: OpenRun,
    selection: RunSelection,
    listed: readonly number[],
  ): AsyncGenerator<SqlRow[]> {
    const { counted, scoreAt } = selection;
    let expected = listed.length;
    for await (const group of readListed(database, selection, {
      values: valuesFor(run, selection),
      listed,
    })) {
      expected -= group.filter((row) => scoreAt === undefined || row[scoreAt] !== null).length;
      yield group;
    }
    if (expected === 0) return;
    for await (const _ of readAll(run, counted === 'cases' ? casePositions : trialKeys, keysAtOnce));
  }

  return { readAll, readAt };
}

function valuesFor(run: OpenRun, { scoreAt }: RunSelection): number[] {
  return scoreAt === undefined ? [run.trialsOf] : [run.number, run.trialsOf];
}

/** How many rows a run is known to have. */
export interface Totals {
  readonly cases: number;
  readonly trials: number;
  readonly scores: number;
  readonly judgements: number;
  readonly scoresRemoved: number;
}

/** Reads how many rows a run is known to have. Throws `run-not-found`, and `store-damaged` where that is not known. */
export async function readTotals(
  database: Pick<SqlDatabase, 'all' | 'address'>,
  { number, trialsOf }: OpenRun,
): Promise<Totals> {
  const [row] = await database.all(
    `SELECT planned.cases, planned.trials, own.scores, own.judgement_uses, own.scores_removed
     FROM runs LEFT JOIN totals AS own ON own.run = runs.number LEFT JOIN totals AS planned ON planned.run = runs.trials_of
     WHERE runs.number = ? AND runs.trials_of = ?`,
    [number, trialsOf],
  );
  if (row === undefined) throw runNotFound(`number ${number}`);
  if (row.includes(null)) throw storeDamaged(database.address, 'the totals of a run are missing');
  const [cases, trials, scores, judgements, scoresRemoved] = row as readonly number[];
  return { cases, trials, scores, judgements, scoresRemoved } as Totals;
}
