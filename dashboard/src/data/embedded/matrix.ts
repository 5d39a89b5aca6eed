import { vocabularyOf } from '../../../../src/core/lib/filter/fields.ts';
import { sides, type Sort } from '../../../../src/core/lib/filter/filter.ts';
import { compileFilter } from '../../../../src/core/lib/filter/match-filter.ts';
import { parseFilter } from '../../../../src/core/lib/filter/parse-filter.ts';
import { parseSort } from '../../../../src/core/lib/filter/parse-sort.ts';
import {
  type MatrixList,
  matrixCountsPath,
  matrixListSchema,
  matrixPath,
  type MatrixRow,
} from '../../../../src/core/schema/api/comparison/matrix.ts';
import { cellPatterns } from '../../../../src/core/trials/matrix-patterns.ts';
import { comparePlaces } from '../../../../src/core/trials/trial-values.ts';
import { type DataSource, FailedRequest } from '../data-source.ts';
import { type EmbeddedAnswers, missingAnswer } from './answers.ts';

/** Creates the source of a matrix in one file. Its rows are filtered and sorted here. */
export function createEmbeddedMatrix(answers: EmbeddedAnswers): DataSource & { readonly columns: string } {
  const { columns } = matrixListSchema.parse(answers.read(matrixPath));
  return {
    columns: [...new Set(columns.map(({ run }) => run))].join(','),
    isFile: true,
    get: async (path) => await Promise.resolve(readMatrix(answers, path)),
  };
}

/** Returns the rows of a matrix in a file, or their counts, as the server does. Throws a {@link FailedRequest}. */
export function readMatrix(answers: EmbeddedAnswers, path: string): unknown {
  const { pathname, searchParams } = new URL(path, 'http://report');
  if (pathname === matrixCountsPath) return answers.read(matrixCountsPath);
  if (pathname !== matrixPath) throw missingAnswer(path);
  const list = matrixListSchema.parse(answers.read(matrixPath));
  const choice = { where: searchParams.get('where') ?? '', sort: searchParams.get('sort') ?? '' };
  return { ...list, rows: chooseRows(list, choice) };
}

/** Filters rows by how their cells turned out, and sorts them by their scores; by itself, they are in the order of the file. */
function chooseRows(
  { rows, columns }: Pick<MatrixList, 'rows' | 'columns'>,
  { where, sort }: { readonly where: string; readonly sort: string },
): MatrixRow[] {
  const vocabulary = vocabularyOf('matrix', [], columns.length);
  const { filter, problem } =
    where === '' ? { filter: [], problem: undefined } : parseFilter(where, vocabulary);
  if (filter === undefined || filter.some(({ field }) => field !== 'cells'))
    throw refusal(problem?.message ?? 'The file is filtered by `cells` alone.');
  const matches = compileFilter<MatrixRow>(filter, ({ cells }) =>
    cellPatterns(cells.map(({ result }) => result)),
  );
  const shown = rows.filter(matches);
  if (sort === '') return shown;
  const { sort: order, problem: unsorted } = parseSort(sort, vocabulary);
  if (order === undefined) throw refusal(unsorted);
  return shown
    .map((row) => ({ row, ordinal: row.position, value: valueOf(row, order) }))
    .sort(comparePlaces(order))
    .map(({ row }) => row);
}

function valueOf({ cells, position }: MatrixRow, { side, field }: Sort): number | null {
  const known = cells.flatMap(({ total }) => total ?? []);
  if (side !== undefined && field === 'total') return cells[sides.indexOf(side)]?.total ?? null;
  if (field === 'mean')
    return known.length === 0 ? null : known.reduce((sum, total) => sum + total, 0) / known.length;
  if (field === 'spread') return known.length < 2 ? null : Math.max(...known) - Math.min(...known);
  return position;
}

function refusal(message: string): FailedRequest {
  return new FailedRequest({
    code: 'usage-invalid',
    message,
    remedy: 'Open the runs with `touchstone view` for every field.',
  });
}
