import { limitSteps } from '../../../core/lib/compute-within.ts';

/** The most steps of about ten nanoseconds each. */
const mostSteps = 1e8;

/**
 * Pairs rows with columns, each at most once, so that the sum of the pairs' weights is maximal: the Hungarian algorithm
 * with shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987), in O(rows² · columns). Returns the column of
 * each row; null for a row without a partner and for a pair of weight 0. Weights must not be negative, and rows must
 * have equal length. Throws `UnmeasurableError` (`too-long`) after about a second, as for some 400 rows that are all
 * alike.
 */
export function assign(weights: readonly (readonly number[])[]): (number | null)[] {
  const rows = weights.length;
  const columns = weights[0]?.length ?? 0;
  const isWide = rows <= columns;
  const table = isWide
    ? { rows, columns, weights: Float64Array.from(weights.flat()) }
    : { rows: columns, columns: rows, weights: transpose(weights, columns) };
  const columnOf: (number | null)[] = weights.map(() => null);
  for (const [first, second] of pairAll(table)) {
    const [row, column] = isWide ? [first, second] : [second, first];
    if ((weights[row]?.[column] ?? 0) > 0) columnOf[row] = column;
  }
  return columnOf;
}

/** A matrix of weights in row-major order with at least as many columns as rows. */
interface Table {
  readonly rows: number;
  readonly columns: number;
  readonly weights: Float64Array;
}

function transpose(weights: readonly (readonly number[])[], columns: number): Float64Array {
  const turned = new Float64Array(weights.length * columns);
  for (const [row, values] of weights.entries()) {
    for (const [column, weight] of values.entries()) turned[column * weights.length + row] = weight;
  }
  return turned;
}

/** Assigns a column to every row. Index 0 means "no row" and for the row that is being added. */
function pairAll({ rows, columns, weights }: Table): [number, number][] {
  const count = limitSteps(mostSteps, `${rows} and ${columns} things are too many to be paired`);
  const rowPrices = new Float64Array(rows + 1);
  const columnPrices = new Float64Array(columns + 1);
  const rowAt = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);

  function findFreeColumn(newcomer: number): number {
    const distances = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const isReached = new Uint8Array(columns + 1);
    rowAt[0] = newcomer;
    for (let column = 0; ; ) {
      count(columns);
      isReached[column] = 1;
      const row = at(rowAt, column);
      const start = (row - 1) * columns - 1;
      const price = at(rowPrices, row);
      let nearest = 0;
      for (let next = 1; next <= columns; next++) {
        if (isReached[next] === 1) continue;
        const cost = -at(weights, start + next) - price - at(columnPrices, next);
        if (cost < at(distances, next)) {
          distances[next] = cost;
          before[next] = column;
        }
        if (nearest === 0 || at(distances, next) < at(distances, nearest)) nearest = next;
      }
      raisePrices(at(distances, nearest), isReached, distances);
      if (rowAt[nearest] === 0) return nearest;
      column = nearest;
    }
  }

  function raisePrices(by: number, isReached: Uint8Array, distances: Float64Array): void {
    for (let column = 0; column <= columns; column++) {
      if (isReached[column] === 1) {
        rowPrices[at(rowAt, column)] = at(rowPrices, at(rowAt, column)) + by;
        columnPrices[column] = at(columnPrices, column) - by;
      } else distances[column] = at(distances, column) - by;
    }
  }

  for (let row = 1; row <= rows; row++) {
    let column = findFreeColumn(row);
    while (column !== 0) {
      const previous = at(before, column);
      rowAt[column] = at(rowAt, previous);
      column = previous;
    }
  }
  return Array.from(rowAt.subarray(1), (row, column): [number, number] => [row - 1, column]).filter(
    ([row]) => row !== -1,
  );
}

function at(values: Float64Array | Int32Array, index: number): number {
  return values[index] ?? 0;
}
