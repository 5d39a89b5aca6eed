/** Puts together what belongs to the same case and target. Both stand next to each other in the order of a plan. */
export async function* groupByCase<Row extends { readonly caseId: string; readonly target: string }>(
  rows: AsyncIterable<Row>,
): AsyncGenerator<[Row, ...Row[]]> {
  let group: [Row, ...Row[]] | undefined;
  for await (const row of rows) {
    if (group?.[0].caseId === row.caseId && group[0].target === row.target) {
      group.push(row);
      continue;
    }
    if (group !== undefined) yield group;
    group = [row];
  }
  if (group !== undefined) yield group;
}
