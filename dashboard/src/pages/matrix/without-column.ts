import { type MatrixHead, writeColumns } from '../../../../src/core/schema/api/comparison/matrix.ts';

/** The parts of the address of a matrix that depend on its columns. */
interface MatrixSearch {
  readonly where?: string;
  readonly sort?: string;
}

/** A part of a filter or an order that names a column by its place. */
const namesColumn = /(^|[\s-])[a-h]\.|only-[a-h]-fails/;

/**
 * Returns the address of a matrix without one of its columns. A filter or an order that names columns by their places is dropped,
 * since these are others then.
 */
export function withoutColumn(
  { where = '', sort = '' }: MatrixSearch,
  columns: readonly MatrixHead[],
  at: number,
) {
  const kept = (text: string) => (text === '' || namesColumn.test(text) ? undefined : text);
  return { columns: writeColumns(columns.toSpliced(at, 1)), where: kept(where), sort: kept(sort) };
}
