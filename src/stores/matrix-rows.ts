import type { Filter } from '../core/lib/filter/filter.ts';
import type {
  MatrixColumn,
  MatrixCount,
  MatrixPage,
  MatrixQuery,
  UnpairedCases,
} from '../core/trials/trial-queries.ts';

/**
 * The rows of a matrix: the cases that the runs of all columns have in common, paired by content. There is at least one column,
 * and each run has its target. All methods throw `run-not-found` for an unknown run.
 */
export interface MatrixRows {
  /** Returns a part of the rows that match a filter, sorted. */
  select(columns: readonly MatrixColumn[], query: MatrixQuery): Promise<MatrixPage>;
  /** Counts the rows that match a filter by the results of their cells. */
  count(columns: readonly MatrixColumn[], where: Filter): Promise<MatrixCount[]>;
  /** Finds, for each column, the cases of its run that not all others have. */
  unpaired(columns: readonly MatrixColumn[]): Promise<UnpairedCases[]>;
}
