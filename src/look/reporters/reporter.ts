import type { ReportInput } from '../report/report-input.ts';

export type { ReportInput } from '../report/report-input.ts';

/** The options of a report for people. Formats for machines ignore them. */
export interface ReportView {
  /** True to also show question, answer, tools, expected against actual and the component scores of every case. */
  readonly verbose: boolean;
  /** True to shorten no text, for a few cases that are read closely. It needs `verbose`. */
  readonly full?: boolean;
  /** True to also show n, clusters, coverage and method of every number; `verbose` includes it. */
  readonly methods?: boolean;
  /** True for what somebody reads first after a run: the score in words, what did not pass, what to do next. */
  readonly isShort?: boolean;
  /** The pictures in a page in one file: all or none of them; as many as fit by default. */
  readonly attachments?: 'all' | 'none';
  /** The columns of the terminal. */
  readonly width: number;
  readonly color: boolean;
}

/** A format in which a run can be reported, as text or as bytes. */
export interface Reporter<Piece extends string | Uint8Array = string> {
  readonly name: string;
  /** The lower-case file extensions that select this format, with the dot; none for the terminal. */
  readonly extensions: readonly string[];
  /** Yields the report in pieces. */
  report(input: ReportInput, view: ReportView): AsyncIterable<Piece>;
}
