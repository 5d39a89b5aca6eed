/**
 * Pairs rows with columns, each at most once, so that the sum of the weights of the pairs is as large as it can be: the
 * Hungarian algorithm with shortest augmenting paths (Kuhn 1955, Jonker and Volgenant 1987), in O(rows² · columns). Gives
 * the column of each row; null for a row without one and for a pair of weight 0. Weights are not negative, rows equally long.
 */
export function assign(weights: readonly (readonly number[])[]): (number | null)[] {
  const rows = weights.length;
  const columns = weights[0]?.length ?? 0;
  const weightOf = (row: number, column: number) => weights[row]?.[column] ?? 0;
  const isWide = rows <= columns;
  const pairs = isWide
    ? pairAll(rows, columns, weightOf)
    : pairAll(columns, rows, (row, column) => weightOf(column, row));
  const columnOf: (number | null)[] = weights.map(() => null);
  for (const [first, second] of pairs) {
    const [row, column] = isWide ? [first, second] : [second, first];
    if (weightOf(row, column) > 0) columnOf[row] = column;
  }
  return columnOf;
}

/** Gives every row a column, where there are at least as many columns. Place 0 stands for "none" and for the newcomer. */
function pairAll(
  rows: number,
  columns: number,
  weightOf: (row: number, column: number) => number,
): [number, number][] {
  const rowPrices = new Float64Array(rows + 1);
  const columnPrices = new Float64Array(columns + 1);
  const rowAt = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);

  function findFreeColumn(newcomer: number): number {
    const distances = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const isReached = new Uint8Array(columns + 1);
    rowAt[0] = newcomer;
    for (let column = 0; ; ) {
      isReached[column] = 1;
      const row = at(rowAt, column);
      let nearest = 0;
      for (let next = 1; next <= columns; next++) {
        if (isReached[next] === 1) continue;
        const cost = -weightOf(row - 1, next - 1) - at(rowPrices, row) - at(columnPrices, next);
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
