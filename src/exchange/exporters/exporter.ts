import type { Ledger } from '../importers/ledger.ts';
import type { ReportInput } from '../../look/report/report-input.ts';

/** A run with its summary, and its results in the order of the plan; they can be read more than once. */
export type ExportInput = ReportInput;

/** A file of an export. It is read to its end before the next one. */
export interface ExportedFile {
  /** A name without a path, or below a folder that it names: `data/results.parquet`. */
  readonly name: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** True for a file that is not written when it has no pieces. */
  readonly isOptional?: true;
}

/** Writes a run in the form of another tool. */
export interface Exporter {
  /** The name after `--to`. */
  readonly name: string;
  /** The name of the tool as it writes itself, or of the format. */
  readonly title: string;
  /** The content, as a phrase for lists: `results, which its viewer opens`. */
  readonly writes: string;
  /** Returns the command of the tool that opens what was written to a file or a folder; undefined for a name that it does not take. */
  readonly opensWith?: (place: string) => string | undefined;
  /**
   * Returns the files, which are written while they are read. What becomes of every part of the run is counted in the ledger by
   * then.
   */
  write(input: ExportInput, ledger: Ledger): readonly ExportedFile[];
}
