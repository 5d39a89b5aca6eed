import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileTerm } from '../../../core/lib/filter/match-filter.ts';
import { type Filter, type FilterTerm, sides, type Sort } from '../../../core/lib/filter/filter.ts';
import type { TrialOutcome } from '../../../core/schema/result.ts';
import { cellPatterns } from '../../../core/trials/matrix-patterns.ts';
import type {
  MatrixCount,
  MatrixPage,
  MatrixPlace,
  MatrixQuery,
  TrialCursor,
} from '../../../core/trials/trial-queries.ts';
import { comparePlaces } from '../../../core/trials/trial-values.ts';
import type { OpenColumn } from './matrix-statement.ts';
import { mostFolded, type PackedColumns } from './packed-columns.ts';

/** The results in the order of their codes in packed columns; the first means that nothing was asked. */
const packedResults = [null, 'passed', 'failed', 'error', 'not-measured', 'unscored'] as const;

/** The results and scores of the columns of a matrix by position, as typed arrays. */
export interface PackedMatrix {
  readonly results: readonly Uint8Array[];
  /** NaN where there is none; empty unless they are needed. */
  readonly totals: readonly Float64Array[];
  readonly rows: number;
}

/** A question about a matrix of packed columns. */
type PackedQuery = Pick<MatrixQuery, 'where' | 'sort'>;

const ofTotals: ReadonlySet<string> = new Set(['spread', 'mean', 'total']);

/**
 * Reads the columns of a matrix for a query that is about results and scores alone; undefined for another one, and for columns whose
 * cases have other positions or very many attempts.
 */
export async function packMatrix(
  columns: readonly OpenColumn[],
  { where = [], sort }: PackedQuery,
  packed: PackedColumns,
): Promise<PackedMatrix | undefined> {
  const named = [...where, ...(sort === undefined ? [] : [sort])];
  const isByScore = sort === undefined || ofTotals.has(sort.field);
  const isAlike = columns.every(({ isSamePlan, run }) => isSamePlan && run.attempts <= mostFolded);
  if (!isAlike || !isByScore || !named.every(isPacked)) return undefined;
  const results: Uint8Array[] = [];
  const totals: Float64Array[] = [];
  for (const column of columns) results.push(await packed.results(column));
  if (named.some(({ field }) => ofTotals.has(field)))
    for (const column of columns) totals.push(await packed.totals(column));
  return { results, totals, rows: results[0]?.length ?? 0 };
}

function isPacked({ side, field }: Pick<FilterTerm, 'side' | 'field'>): boolean {
  if (side === undefined) return field === 'cells' || field === 'spread' || field === 'mean';
  return field === 'result' || field === 'passed' || field === 'total';
}

/** Counts the rows of packed columns by the results of their cells. */
export async function countPacked(matrix: PackedMatrix, where: Filter): Promise<MatrixCount[]> {
  const matches = createRowTest(matrix, where);
  const counts = new Map<number, number>();
  for (let row = 0; row < matrix.rows; row += 1) {
    if (row % rowsAtOnce === 0) await nextTurn();
    if (!matches(row)) continue;
    const key = keyOf(matrix, row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([key, rows]) => ({ results: resultsOf(key, matrix.results.length), rows }));
}

/** The rows that are looked at before others have their turn. */
const rowsAtOnce = 100_000;

/** Selects the next rows of packed columns in an order of their scores. */
export async function selectPacked(
  matrix: PackedMatrix,
  { where = [], sort, after, limit }: MatrixQuery & { readonly sort: Sort },
): Promise<MatrixPage> {
  const matches = createRowTest(matrix, where);
  const valueOf = createValueReader(matrix, sort);
  const compare = comparePlaces(sort);
  const most = limit + 1;
  let best: TrialCursor[] = [];
  let worst: TrialCursor | undefined;
  for (let row = 0; row < matrix.rows; row += 1) {
    if (row % rowsAtOnce === 0) await nextTurn();
    const value = valueOf(row);
    if (worst !== undefined && !isBefore(value, worst.value, sort)) continue;
    if (!matches(row)) continue;
    const place = { value, ordinal: row };
    if (after !== undefined && compare(place, after) <= 0) continue;
    best.push(place);
    if (best.length < 4 * most) continue;
    best = best.toSorted(compare).slice(0, most);
    worst = best.at(-1);
  }
  best = best.toSorted(compare).slice(0, most);
  const places = best.slice(0, limit).map(
    ({ value, ordinal }): MatrixPlace => ({
      positions: matrix.results.map(() => ordinal),
      results: resultsOf(keyOf(matrix, ordinal), matrix.results.length),
      value,
    }),
  );
  return { places, isMore: best.length > limit };
}

/** Returns whether a value comes before another one. Of equal values the earlier row does, which was looked at earlier. */
function isBefore(
  value: number | null,
  other: TrialCursor['value'],
  { isDescending }: Pick<Sort, 'isDescending'>,
): boolean {
  if (value === null) return false;
  if (other === null) return true;
  return isDescending ? value > Number(other) : value < Number(other);
}

/** Returns one number for the results of all cells of a row. */
function keyOf({ results }: PackedMatrix, row: number): number {
  let key = 0;
  for (const column of results) key = key * packedResults.length + (column[row] ?? 0);
  return key;
}

function resultsOf(key: number, columns: number): (TrialOutcome | null)[] {
  const results: (TrialOutcome | null)[] = [];
  for (let rest = key; results.length < columns; rest = Math.floor(rest / packedResults.length))
    results.unshift(packedResults[rest % packedResults.length] ?? null);
  return results;
}

/** Creates the test of whether a row matches a filter. What is about results alone is decided once for equal rows. */
function createRowTest(matrix: PackedMatrix, where: Filter): (row: number) => boolean {
  const columns = matrix.results.length;
  const tests = where.filter(({ field }) => !ofTotals.has(field)).map(createResultTest);
  const numbers = where
    .filter(({ field }) => ofTotals.has(field))
    .map((term) => {
      const [read, test] = [createValueReader(matrix, term), compileTerm(term)];
      return (row: number): boolean => {
        const value = read(row);
        return test(value === null ? [] : [value]);
      };
    });
  const known = new Map<number, boolean>();
  return (row) => {
    const key = tests.length === 0 ? 0 : keyOf(matrix, row);
    let isMatch = known.get(key);
    if (isMatch === undefined) {
      const results = resultsOf(key, columns);
      isMatch = tests.every((test) => test(results));
      known.set(key, isMatch);
    }
    return isMatch && numbers.every((test) => test(row));
  };
}

function createResultTest(term: FilterTerm): (results: readonly (TrialOutcome | null)[]) => boolean {
  const matches = compileTerm(term);
  const { side, field } = term;
  if (side === undefined) return (results) => matches(cellPatterns(results));
  const at = sides.indexOf(side);
  return (results) => {
    const result = results[at] ?? null;
    if (field === 'result') return matches(result === null ? [] : [result]);
    return matches(result === 'passed' ? ['true'] : result === 'failed' ? ['false'] : []);
  };
}

/** Creates the reader of a number of the scores of a row: the number of a column, their largest difference, or their mean. */
function createValueReader(
  { totals }: PackedMatrix,
  { side, field }: Pick<Sort, 'side' | 'field'>,
): (row: number) => number | null {
  if (side !== undefined) {
    const column = totals[sides.indexOf(side)];
    return (row) => {
      const total = column?.[row] ?? Number.NaN;
      return Number.isNaN(total) ? null : total;
    };
  }
  return (row) => {
    let [least, most, sum, known] = [Infinity, -Infinity, 0, 0];
    for (const column of totals) {
      const total = column[row] ?? Number.NaN;
      if (Number.isNaN(total)) continue;
      least = Math.min(least, total);
      most = Math.max(most, total);
      sum += total;
      known += 1;
    }
    if (field === 'mean') return known === 0 ? null : sum / known;
    return known < 2 ? null : most - least;
  };
}
