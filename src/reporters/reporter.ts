import type { ReportInput } from '../report/report-input.ts';

export type { ReportInput } from '../report/report-input.ts';

/** How the reader will see a report. Formats for machines ignore it. */
export interface ReportView {
  /** Also show question, answer, tools, expected against actual and each component's score of every case. */
  readonly verbose: boolean;
  /** Cut no text, however long: for a few cases that are read closely. Only with `verbose`. */
  readonly full?: boolean | undefined;
  /** Also tell of every number its n, clusters, coverage and method; so does `verbose`. */
  readonly methods?: boolean | undefined;
  /** Columns of the terminal. */
  readonly width: number;
  readonly color: boolean;
}

/** One form in which a run can be told. */
export interface Reporter {
  readonly name: string;
  /** Lower-case file name endings that choose this form, with the dot; none for the terminal's. */
  readonly extensions: readonly string[];
  /** Yields the text of the report in pieces. */
  report(input: ReportInput, view: ReportView): AsyncIterable<string>;
}
