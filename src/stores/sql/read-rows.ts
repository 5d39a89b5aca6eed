import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlDatabase, SqlRow, SqlValue } from './database.ts';
import { runNotFound, storeDamaged } from '../refusals.ts';
import type { OpenRun } from './records.ts';
import type { RecordTable } from './rows.ts';

/** The rows that are read at a time: the second number after a batch whose texts are short, since each is a message to the server and back, if there is one. */
const batchSizes = { first: 50, largest: 200 };
/** The characters of a batch whose texts are short. */
const shortBatch = 256_000;

/** Returns how many rows to read after a batch. */
function sizeAfter(rows: readonly SqlRow[], first: number): number {
  let characters = 0;
  for (const row of rows) for (const value of row) if (typeof value === 'string') characters += value.length;
  return characters < shortBatch ? Math.max(first, batchSizes.largest) : first;
}

/** The parts of a `SELECT` statement. */
export interface Selection {
  readonly columns: string;
  readonly from: string;
  readonly where: string;
  /** The column that orders the rows and marks the end of a batch: unique, ascending integers. */
  readonly order: string;
}

/**
 * Yields rows in batches, ordered by a number that is the second column of each row. No statement stays open between
 * batches, so that other writers can proceed, and other tasks of the event loop run in between.
 */
async function* readGroups(
  database: Pick<SqlDatabase, 'all' | 'address'>,
  { columns, from, where, order }: Selection,
  { values, size }: { readonly values: readonly SqlValue[]; readonly size: number },
): AsyncGenerator<SqlRow[]> {
  const sql = `SELECT ${columns} FROM ${from} WHERE ${where} AND ${order} > ? ORDER BY ${order} LIMIT `;
  let most = size;
  for (let last = -1; ; ) {
    const rows = await database.all(`${sql}${most}`, [...values, last]);
    if (rows.length > 0) yield rows;
    if (rows.length < most) return;
    most = sizeAfter(rows, size);
    const next = rows.at(-1)?.[1] as number;
    if (!(next > last)) throw storeDamaged(database.address, `rows of ${from} are not in order`);
    last = next;
    await nextTurn();
  }
}

/** Yields the rows with the given numbers, in batches, ordered by number. */
export async function* readListed(
  database: Pick<SqlDatabase, 'all'>,
  { columns, from, where, order }: Selection,
  { values, listed }: { readonly values: readonly SqlValue[]; readonly listed: readonly number[] },
): AsyncGenerator<SqlRow[]> {
  let length = batchSizes.first;
  for (let start = 0; start < listed.length; ) {
    const some = listed.slice(start, start + length);
    // A list is padded with its last value, so that one statement serves all lists of a length.
    const padded = [...some, ...Array.from({ length: length - some.length }, () => some.at(-1) as number)];
    const list = padded.map(() => '?').join(', ');
    const rows = await database.all(
      `SELECT ${columns} FROM ${from} WHERE ${where} AND ${order} IN (${list}) ORDER BY ${order}`,
      [...values, ...padded],
    );
    yield rows;
    start += length;
    length = listed.length - start > batchSizes.first ? sizeAfter(rows, batchSizes.first) : batchSizes.first;
    await nextTurn();
  }
}

/** Yields all rows of a table in batches, ordered by their key. Throws an error when they are not in this order. */
export async function* readByKey(
  database: Pick<SqlDatabase, 'all'>,
  { name, selected, columns, keyLength }: RecordTable<string>,
  size: number,
): AsyncGenerator<SqlRow[]> {
  const key = columns.slice(0, keyLength).join(', ');
  const marks = Array.from({ length: keyLength }, () => '?').join(', ');
  const order = `ORDER BY ${key} LIMIT ${size}`;
  const next = `SELECT ${selected} FROM ${name} WHERE (${key}) > (${marks}) ${order}`;
  let rows = await database.all(`SELECT ${selected} FROM ${name} ${order}`);
  let last: SqlRow = [];
  while (rows.length > 0) {
    yield rows;
    const reached = (rows.at(-1) as SqlRow).slice(0, keyLength);
    if (!isLater(reached, last)) throw new Error(`rows of the table ${name} are not in order`);
    rows = await database.all(next, reached);
    last = reached;
  }
}

function isLater(key: SqlRow, last: SqlRow): boolean {
  const differs = key.findIndex((value, index) => value !== last[index]);
  const [value, before] = [key[differs], last[differs]];
  return before === undefined || (differs >= 0 && (value as string | number) > (before as string | number));
}

/** A selection of rows of a run. */
export interface RunSelection extends Selection {
  /** The total in `totals` that counts these rows. */
  readonly counted: 'cases' | 'trials';
  /** The index of the column that is null where a trial has no scores. */
  readonly scoreAt?: number;
}

/** The numbers of rows that a run has. */
const countRows = {
  cases: 'SELECT count(*), 0 FROM cases WHERE run = ?',
  trials: `SELECT count(*), (SELECT count(*) FROM scores WHERE run = ?) FROM trials WHERE run = ?`,
};

/** The words for the rows of each table in messages. */
export const rowWords = {
  cases: 'questions',
  trials: 'attempts',
  scores: 'scores',
  judgements: 'judgements',
} as const;

/** Creates the readers of the rows of a run. They throw `store-damaged` for a missing row. */
export function createRunRows(database: SqlDatabase) {
  /** Yields all rows of a run. Throws `store-damaged` at the end when there were fewer than its totals count. */
  async function* readAll(run: OpenRun, selection: RunSelection, size: number): AsyncGenerator<SqlRow[]> {
    const { scoreAt } = selection;
    const before = await readTotals(database, run);
    let [rows, scored] = [0, 0];
    for await (const group of readGroups(database, selection, { values: valuesFor(run, selection), size })) {
      rows += group.length;
      if (scoreAt !== undefined) scored += group.filter((row) => row[scoreAt] !== null).length;
      yield group;
    }
    await requireAll(run, selection, { before, rows, scored });
  }

  /** Throws `store-damaged` when there are fewer rows than the totals counted before. */
  async function requireAll(
    run: OpenRun,
    { counted, scoreAt }: RunSelection,
    { before, rows, scored }: { readonly before: Totals; readonly rows: number; readonly scored: number },
  ): Promise<void> {
    const now = await readTotals(database, run);
    if (rows < before[counted]) throw missing(counted, before[counted] - rows);
    // Scores are also removed when a trial is replaced.
    if (scoreAt === undefined || now.scoresRemoved !== before.scoresRemoved || scored >= before.scores)
      return;
    throw missing('scores', before.scores - scored);
  }

  const missing = (what: keyof typeof rowWords, count: number) =>
    storeDamaged(database.address, `a run has lost ${count} of its ${rowWords[what]}`);

  /** Yields the rows at the given places. When one does not exist, counts all rows to make sure that none was lost. */
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
    const before = await readTotals(database, run);
    const values = counted === 'cases' ? [run.trialsOf] : [run.number, run.trialsOf];
    const [[rows, scored] = []] = await database.all(countRows[counted], values);
    await requireAll(run, selection, { before, rows: Number(rows), scored: Number(scored) });
  }

  return { readAll, readAt };
}

function valuesFor(run: OpenRun, { scoreAt }: RunSelection): number[] {
  return scoreAt === undefined ? [run.trialsOf] : [run.number, run.trialsOf];
}

/** The numbers of rows that a run must have, as the triggers counted them. */
export interface Totals {
  readonly cases: number;
  readonly trials: number;
  readonly scores: number;
  readonly judgements: number;
  readonly scoresRemoved: number;
}

/** Reads the totals of a run. Throws `run-not-found`, or `store-damaged` when the totals are missing. */
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
