/** The pivot below which the columns of a design depend on each other. */
const singular = 1e-9;

/**
 * Returns the matrix that turns observations into the parameters of least squares, (XᵀX)⁻¹Xᵀ: for each parameter the weight
 * of every observation. Undefined when the parameters cannot be told apart.
 * @param rows - The design: a row for each observation, a column for each parameter.
 */
export function solveLeastSquares(rows: readonly (readonly number[])[]): number[][] | undefined {
  const width = rows[0]?.length ?? 0;
  const at = (row: number, column: number) => rows[row]?.[column] as number;
  const columns = Array.from({ length: width }, (_, column) => column);
  const observations = rows.map((_, row) => row);
  // The normal equations, with Xᵀ at the right: elimination leaves the solution there.
  const system = columns.map((one) => [
    ...columns.map((other) => observations.reduce((sum, row) => sum + at(row, one) * at(row, other), 0)),
    ...observations.map((row) => at(row, one)),
  ]);
  for (const pivot of columns) {
    const best = columns
      .slice(pivot)
      .reduce((most, row) => (size(system, row, pivot) > size(system, most, pivot) ? row : most), pivot);
    if (size(system, best, pivot) < singular) return undefined;
    const chosen = system[best] as number[];
    system[best] = system[pivot] as number[];
    const scale = chosen[pivot] as number;
    const scaled = chosen.map((value) => value / scale);
    system[pivot] = scaled;
    for (const row of columns) {
      const factor = row === pivot ? 0 : (system[row]?.[pivot] as number);
      if (factor === 0) continue;
      system[row] = (system[row] as number[]).map(
        (value, place) => value - factor * (scaled[place] as number),
      );
    }
  }
  return system.map((row) => row.slice(width));
}

function size(system: readonly (readonly number[])[], row: number, column: number): number {
  return Math.abs(system[row]?.[column] as number);
}
