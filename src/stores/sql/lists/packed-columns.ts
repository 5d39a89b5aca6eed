import { setImmediate as nextTurn } from 'node:timers/promises';
import { mergeOutcomes } from '../../../core/trials/merge-outcomes.ts';
import type { SqlDatabase } from '../database.ts';
import type { OpenColumn } from './matrix-statement.ts';
import { readTotals as countRows } from '../read-rows.ts';
import { errorCondition } from './trial-columns.ts';

/** The results and scores of a target of a run, all attempts together, by the position of the case. */
export interface PackedColumns {
  /** Returns the codes of the results; see `packedResults`. */
  results(column: OpenColumn): Promise<Uint8Array>;
  /** Returns the means of the scores, NaN for none. */
  totals(column: OpenColumn): Promise<Float64Array>;
}

/** The most bytes of columns that are cached. A column of a million questions has one byte a question, with scores eight more. */
const mostBytes = 30_000_000;

/**
 * Creates the reader of packed columns. A table is read alone, as one text for many rows: a join, or a row of its own for each, takes
 * ten times as long. Columns of finished runs, which do not change, are cached while they fit.
 */
export function createPackedColumns(database: Reading): PackedColumns {
  const kept = new Map<string, Uint8Array | Float64Array>();
  async function keep<Column extends Uint8Array | Float64Array>(
    kind: string,
    { open, run, target }: OpenColumn,
    read: () => Promise<Column>,
  ): Promise<Column> {
    if (run.finishedAt === undefined) return await read();
    const key = JSON.stringify([kind, open.number, target, run.finishedAt, await countRows(database, open)]);
    const column = (kept.get(key) as Column | undefined) ?? (await read());
    kept.delete(key);
    kept.set(key, column);
    let bytes = kept.values().reduce((sum, { byteLength }) => sum + byteLength, 0);
    for (const [oldest, { byteLength }] of kept) {
      if (bytes <= mostBytes) break;
      kept.delete(oldest);
      bytes -= byteLength;
    }
    return column;
  }
  return {
    results: async (column) => await keep('results', column, async () => await readResults(database, column)),
    totals: async (column) => await keep('totals', column, async () => await readTotals(database, column)),
  };
}

type Reading = Pick<SqlDatabase, 'all' | 'dialect' | 'address'>;

/** The codes of results, in `packedResults`. */
const codes = { passed: 1, failed: 2, error: 3, 'not-measured': 4, unscored: 5 } as const;

/** The results in the order of their codes, from 1. */
const outcomes = Object.keys(codes) as (keyof typeof codes)[];

/** The most attempts that are folded: the codes of more of them do not fit into one number. */
export const mostFolded = 20;

async function readResults(database: Reading, column: OpenColumn): Promise<Uint8Array> {
  const { attempts } = column.run;
  const results = new Uint8Array((await rowsOf(database, column)) * attempts);
  const answered = column.run.scorecard === null ? codes.unscored : codes['not-measured'];
  const ofTrial = `CASE WHEN ${errorCondition} THEN '${codes.error}' WHEN trials.status <> 'completed'
    THEN '${notCompleted}' ELSE '${answered}' END`;
  const trials = { table: 'trials', text: ofTrial, between: '' } as const;
  await readTexts(database, column, trials, (text, placeAt) => {
    for (let at = 0; at < text.length; at += 1) results[placeAt(at)] = digitAt(text, at);
  });
  if (column.run.scorecard !== null) {
    const ofScore = `CASE WHEN scores.total IS NULL OR scores.passed IS NULL THEN '0'
      WHEN scores.passed = 1 THEN '${codes.passed}' ELSE '${codes.failed}' END`;
    const scores = { table: 'scores', text: ofScore, between: '' } as const;
    await readTexts(database, column, scores, (text, placeAt) => {
      for (let at = 0; at < text.length; at += 1) {
        const [place, code] = [placeAt(at), digitAt(text, at)];
        if (code !== 0 && results[place] === codes['not-measured']) results[place] = code;
      }
    });
  }
  // An attempt that was not completed is not measured, whatever its scores.
  for (let place = 0; place < results.length; place += 1)
    if (results[place] === notCompleted) results[place] = codes['not-measured'];
  return attempts === 1 ? results : foldAttempts(results, column.run);
}

/** Returns the codes of all attempts at each case together. What several cases have in common is decided once. */
function foldAttempts(results: Uint8Array, { attempts, caseRule }: OpenColumn['run']): Uint8Array {
  const folded = new Uint8Array(results.length / attempts);
  const known = new Map<number, number>();
  for (let row = 0; row < folded.length; row += 1) {
    let key = 0;
    for (let at = 0; at < attempts; at += 1)
      key = key * (outcomes.length + 1) + (results[row * attempts + at] ?? 0);
    let code = known.get(key);
    if (code === undefined) {
      const own = results.subarray(row * attempts, (row + 1) * attempts);
      const made = [...own].flatMap((each) => outcomes[each - 1] ?? []);
      code = made.length === 0 ? 0 : codes[mergeOutcomes(made, attempts, caseRule)];
      known.set(key, code);
    }
    folded[row] = code;
  }
  return folded;
}

function digitAt(text: string, at: number): number {
  return text.charCodeAt(at) - 48;
}

/** A code for a while. */
const notCompleted = 9;

async function readTotals(database: Reading, column: OpenColumn): Promise<Float64Array> {
  const { attempts } = column.run;
  const rows = await rowsOf(database, column);
  const [totals, known] = [new Float64Array(rows), new Uint8Array(rows)];
  const text = `coalesce(${database.dialect.exactText('scores.total')}, '')`;
  await readTexts(database, column, { table: 'scores', text, between: ',' }, (joined, placeAt) => {
    for (const [at, total] of joined.split(',').entries()) {
      if (total === '') continue;
      const row = Math.floor(placeAt(at) / attempts);
      totals[row] = (totals[row] ?? 0) + Number(total);
      known[row] = (known[row] ?? 0) + 1;
    }
  });
  // Of no scores, NaN.
  for (let row = 0; row < rows; row += 1) totals[row] = (totals[row] ?? 0) / (known[row] ?? 0);
  return totals;
}

async function rowsOf({ all }: Reading, { open }: OpenColumn): Promise<number> {
  const [row] = await all('SELECT max(position) FROM cases WHERE run = ?', [open.trialsOf]);
  return ((row?.[0] as number | null | undefined) ?? -1) + 1;
}

/** A text to read of each row of a table, and the separator of two of them. */
interface ReadText {
  readonly table: 'trials' | 'scores';
  readonly text: string;
  readonly between: string;
}

/** Reads a text of each attempt of a column, and passes many of them on as one, with the place of each among the attempts of the column. */
async function readTexts(
  database: Reading,
  column: OpenColumn,
  { table, text, between }: ReadText,
  use: (joined: string, placeAt: (at: number) => number) => void,
): Promise<void> {
  const { all, dialect } = database;
  const { open, run, target } = column;
  const { attempts } = run;
  const index = run.targets.findIndex(({ name }) => name === target);
  const step = open.trialsPerCase;
  const placeOf = (ordinal: number) => Math.floor(ordinal / step) * attempts + (ordinal % attempts);
  const number = table === 'trials' ? open.trialsOf : open.number;
  const of = `FROM ${dialect.columnsOf(table)} WHERE ${table}.run = ? AND ${table}.ordinal >= ? AND ${table}.ordinal < ?${
    step === attempts ? '' : ` AND ${table}.ordinal % ${step} / ${attempts} = ${index}`
  }`;
  const inOrder = (each: string, mark: string) => dialect.joinedTexts(each, mark, `${table}.ordinal`);
  const rows = await rowsOf(database, column);
  const size = Math.min(dialect.countedAtOnce, rows) * step;
  for (let from = 0; from < rows * step; from += size) {
    const values = [number, from, from + size];
    const [found] = await all(
      `SELECT count(*), min(${table}.ordinal), max(${table}.ordinal), ${inOrder(text, between)} ${of}`,
      values,
    );
    const [count, first, last, joined] = found as unknown as readonly [number, number, number, string];
    await nextTurn();
    if (count === 0) continue;
    const start = placeOf(first);
    const isWhole = placeOf(last) - start === count - 1;
    const ordinals = isWhole ? undefined : await readOrdinals();
    use(joined, ordinals === undefined ? (at) => start + at : (at) => placeOf(ordinals[at] ?? 0));

    async function readOrdinals(): Promise<number[]> {
      const [row] = await all(`SELECT ${inOrder(`CAST(${table}.ordinal AS TEXT)`, ',')} ${of}`, values);
      return String(row?.[0]).split(',').map(Number);
    }
  }
}
