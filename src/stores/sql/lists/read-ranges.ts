import type { ColumnValue, TrialColumns } from '../../store.ts';
import type { SqlDatabase, SqlRow, SqlValue } from '../database.ts';
import { type OpenRun, positionOf } from '../records.ts';
import type { SqlColumn } from './trial-columns.ts';

/** The tables that can be read one by one, with the column that has the place of a row. */
const keys = { trials: 'ordinal', scores: 'ordinal', cases: 'position' } as const;
type Table = keyof typeof keys;

/** A column with its place in the rows of its table. */
interface PlacedColumn {
  readonly table: Table;
  readonly at: number;
}

/** The first and the last place of a range in a table, and the largest number of rows. */
type Range = readonly [first: number, last: number, size: number];

/**
 * Creates a reader of columns of all trials of a run, a range of the plan at a time. Each table is read by itself: a join looks up
 * every row, which takes as long as to read them all. Returns undefined for a column that needs several tables.
 */
export function createRangeReader(
  database: Pick<SqlDatabase, 'all' | 'dialect'>,
  open: OpenRun,
  columns: readonly SqlColumn[],
): ((after: number, size: number) => Promise<TrialColumns[]>) | undefined {
  const selected: Record<Table, SqlColumn[]> = { trials: [], scores: [], cases: [] };
  const placed: PlacedColumn[] = [];
  for (const column of columns) {
    if (column.table === 'results') return undefined;
    placed.push({ table: column.table, at: selected[column.table].push(column) });
  }

  async function read(table: Table, [first, last, size]: Range): Promise<SqlRow[]> {
    const names = [`${table}.${keys[table]}`, ...selected[table].map(({ sql }) => sql)].join(', ');
    const sql = `SELECT ${names} FROM ${database.dialect.columnsOf(table)}
      WHERE ${table}.run = ? AND ${table}.${keys[table]} >= ? AND ${table}.${keys[table]} <= ? ORDER BY 1 LIMIT ?`;
    const values: SqlValue[] = selected[table].flatMap((column) => column.values);
    const run = table === 'scores' ? open.number : open.trialsOf;
    return await database.all(sql, [...values, run, first, last, size]);
  }

  const readOthers = async (table: Exclude<Table, 'trials'>, first: number, last: number) =>
    inStep(selected[table].length === 0 ? [] : await read(table, [first, last, last - first + 1]));

  return async (after, size) => {
    const trials = await read('trials', [after + 1, Number.MAX_SAFE_INTEGER, size]);
    const [first, last] = [trials[0]?.[0] as number | undefined, trials.at(-1)?.[0] as number];
    if (first === undefined) return [];
    const scoreAt = await readOthers('scores', first, last);
    const caseAt = await readOthers('cases', positionOf(open, first), positionOf(open, last));
    return trials.flatMap((trial) => {
      const ordinal = trial[0] as number;
      const testCase = caseAt(positionOf(open, ordinal));
      // As in a join: the caller counts the trials, and misses this one.
      if (testCase === undefined && selected.cases.length > 0) return [];
      const rows = { trials: trial, scores: scoreAt(ordinal), cases: testCase };
      const values = placed.map(({ table, at }) => (rows[table]?.[at] ?? null) as ColumnValue);
      return [{ ordinal, values }];
    });
  };
}

/** Creates a function that finds rows by their first column. Both the rows and what is looked for are in ascending order. */
function inStep(rows: readonly SqlRow[]): (key: number) => SqlRow | undefined {
  let place = 0;
  return (key) => {
    while (place < rows.length && (rows[place]?.[0] as number) < key) place += 1;
    const row = rows[place];
    return row?.[0] === key ? row : undefined;
  };
}
