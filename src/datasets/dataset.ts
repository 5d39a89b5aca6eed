import type { SuspiciousColumn } from './suspicious-columns.ts';
import type { Place } from '../errors.ts';

/** Why a row, or a field in it, cannot be read, and what to do about it. */
export interface RowProblem {
  readonly place: Place;
  readonly message: string;
  readonly remedy?: string | undefined;
}

/** One row of a dataset as it stands in its file, before any field is given a meaning. */
export interface DatasetRow {
  readonly value: unknown;
  /** Set where the row is not of the format but the rows after it can still be read; `value` means nothing then. */
  readonly problem?: RowProblem;
  /** Where the row begins. */
  readonly place: Place;
  /**
   * Where the value at a path inside the row stands, as exactly as the format allows. Slow: only for messages.
   */
  locate(path: readonly PropertyKey[]): Place;
}

/** A dataset's text as it is read: decoded, without a byte order mark, in pieces of any size. */
export interface TextSource {
  /** The name for messages: a path as the user wrote it, or `<stdin>`. */
  readonly name: string;
  read(): AsyncIterable<string>;
  /** What the file holds, not decoded; absent where there is no file. */
  readonly bytes?: () => AsyncIterable<Uint8Array>;
  /** A pipe or a device: there is no reading it again. */
  readonly isReadOnce?: true;
}

/** A file format that golden sets come in. Rows are yielded one at a time, so that a file of any size streams. */
export interface DatasetReader {
  /** What a config says after `format:`. */
  readonly name: string;
  /** Lower-case file name endings, with the dot. */
  readonly extensions: readonly string[];
  /** The format knows texts only: a list is a text with separators in it, and so on. */
  readonly hasTextCells?: boolean;
  /** The format is no text, so it is known by the name of a file alone, and its `bytes` are read. */
  readonly isBinary?: boolean;
  /**
   * Whether a text begins so that it can only be of this format, whatever the name of its file. Throws `TouchstoneError`
   * for a text that is of a format close to it, with what to do about that.
   */
  recognizes?(head: string, name: string): boolean;
  /**
   * Throws `TouchstoneError` with `dataset-invalid` where the text is not of the format and reading on makes no
   * sense; where it does, yields the row with its problem.
   */
  read(source: TextSource): AsyncIterable<DatasetRow>;
}

/** A row whose fields have been given their meaning: a case in our spelling, not yet checked. */
export interface CaseDraft {
  /** What `caseSchema` is to be applied to. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly place: Place;
  /** Set where the row cannot become a case at all; `value` means nothing then. */
  readonly problem?: RowProblem;
  /** Names of fields that went to `value.metadata`: not known, or meaning the same as another field of the row. */
  readonly unknownFields: readonly string[];
  /** Those of them that look like an expectation; absent where there are none. */
  readonly suspicious?: readonly SuspiciousColumn[];
  /** Where the user's file holds the value at a path of `value`, and under which name. Slow: only for messages. */
  locate(path: readonly PropertyKey[]): { readonly place: Place; readonly field: string };
}

export type { SuspiciousColumn } from './suspicious-columns.ts';

/** A golden question set, opened: its files are known to exist and to be of a format that can be read. */
export interface Dataset {
  /** The files it comes from, as the user named them; `<stdin>` for standard input. */
  readonly sources: readonly string[];
  /** Reads the files from the beginning, in the order of `sources`. */
  drafts(): AsyncIterable<CaseDraft>;
  /** What a config names and no row has had, once all have been read. */
  findUnused?(): readonly { readonly message: string; readonly remedy: string }[];
}
