import type { PairComparison, RunDifference } from '../../schema/run-comparison.ts';

/** The rows of a report, and how many were left out. */
export interface PickedRows {
  readonly rows: readonly RunDifference[];
  readonly more: number;
}

const mostCategories = 20;

/** The rows that have something to say; of many categories, only those with the greatest differences unless all are wanted. */
export function pickRows({ differences }: PairComparison, isAll: boolean): PickedRows {
  const told = differences.filter(({ difference }) => difference.n > 0);
  const categories = told.filter(({ measure }) => measure === 'category');
  if (isAll || categories.length <= mostCategories) return { rows: told, more: 0 };
  const size = ({ difference }: RunDifference) => Math.abs(difference.value ?? 0);
  const greatest = new Set(
    categories.toSorted((one, other) => size(other) - size(one)).slice(0, mostCategories),
  );
  return {
    rows: told.filter((row) => row.measure !== 'category' || greatest.has(row)),
    more: categories.length - mostCategories,
  };
}

/** The word for what a row finds; empty where nothing is visible. */
export function findingWord({ finding }: Pick<RunDifference, 'finding'>): string {
  if (finding === 'too-few') return 'too few to say';
  return finding === 'not-visible' ? '' : finding;
}
