import { comparedQuantities } from './compared-quantities.ts';
import { comparedStatements } from './compared-statements.ts';

/** An answer beside what is expected, and whether it passes by default. */
export interface ComparisonRow {
  readonly expected: string;
  readonly answer: string;
  readonly passes: boolean;
}

/** A row as it is written. */
export type Row = readonly [expected: string, answer: string, passes: boolean];

const rows = { ...comparedQuantities, ...comparedStatements };

/** The rows of the comparison with an expected answer, by subject: those of the tests and of docs/expectations.md. */
export const comparisonRows: readonly {
  readonly subject: string;
  readonly rows: readonly ComparisonRow[];
}[] = Object.entries(rows).map(([subject, list]) => ({
  subject,
  rows: list.map(([expected, answer, passes]) => ({ expected, answer, passes })),
}));
