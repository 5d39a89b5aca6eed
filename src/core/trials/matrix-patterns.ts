import { sides } from '../lib/filter/filter.ts';
import type { MatrixCounts } from '../schema/api/comparison/matrix.ts';
import type { MatrixCount, MatrixPlace } from './trial-queries.ts';

/** The results of the cells of a row. */
type Results = MatrixPlace['results'];

/** Returns the patterns that the cells of a row have together, as the field `cells` of filters names them. */
export function cellPatterns(results: Results): string[] {
  const failing = results.filter(isFailing).length;
  const passed = results.filter((result) => result === 'passed').length;
  const only =
    failing === 1 && passed === results.length - 1 ? sides[results.findIndex(isFailing)] : undefined;
  return [
    ...(failing > 0 && passed > 0 ? ['differ'] : []),
    ...(passed === results.length ? ['all-pass'] : []),
    ...(failing === results.length ? ['all-fail'] : []),
    ...(only === undefined ? [] : [`only-${only}-fails`]),
  ];
}

/** Counts all rows of a matrix, and the rows of each pattern that its page offers. */
export function countCells(
  counts: readonly MatrixCount[],
  columns: number,
): Pick<MatrixCounts, 'all' | 'differ' | 'allFail' | 'notAllPass' | 'onlyFails'> {
  const byPattern = new Map<string, number>();
  let all = 0;
  for (const { results, rows } of counts) {
    all += rows;
    for (const pattern of cellPatterns(results)) byPattern.set(pattern, (byPattern.get(pattern) ?? 0) + rows);
  }
  const of = (pattern: string): number => byPattern.get(pattern) ?? 0;
  const onlyFails = sides.slice(0, columns).map((side) => of(`only-${side}-fails`));
  return { all, differ: of('differ'), allFail: of('all-fail'), notAllPass: all - of('all-pass'), onlyFails };
}

function isFailing(result: Results[number]): boolean {
  return result === 'failed' || result === 'error';
}
