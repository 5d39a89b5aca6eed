import { comparedPhrases } from './compared-phrases.ts';
import { comparedRanges } from './compared-ranges.ts';
import { comparedQuantities } from './compared-quantities.ts';
import { comparedStatements } from './compared-statements.ts';
import { everydayComparisons } from './everyday-comparisons.ts';
import { reportedComparisons } from './reported-comparisons.ts';

/** An answer beside what is expected, and whether it passes by default. */
export interface ComparisonRow {
  readonly expected: string;
  readonly answer: string;
  readonly passes: boolean;
}

/** A row as it is written. */
export type Row = readonly [expected: string, answer: string, passes: boolean];

const tables = [
  comparedQuantities,
  comparedStatements,
  everydayComparisons,
  reportedComparisons,
  comparedPhrases,
  comparedRanges,
];
const subjects = [...new Set(tables.flatMap((table) => Object.keys(table)))];

/** The rows of the comparison with an expected answer, by subject: the rows of the tests and of docs/expected-answers.md. */
export const comparisonRows: readonly {
  readonly subject: string;
  readonly rows: readonly ComparisonRow[];
}[] = subjects.map((subject) => ({
  subject,
  rows: tables
    .flatMap((table) => table[subject] ?? [])
    .map(([expected, answer, passes]) => ({ expected, answer, passes })),
}));
