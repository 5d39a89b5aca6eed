import type { AttachmentDraft } from './forms/chat-messages.ts';
import type { SuspiciousColumn } from './suspicious-columns.ts';
import { type Place, TouchstoneError } from '../../core/errors.ts';
import type { Attachment } from '../../core/schema/message.ts';

/** The reason why a row, or a field in it, cannot be read, and what to do about it. */
export interface RowProblem {
  readonly place: Place;
  readonly message: string;
  readonly remedy?: string;
}

/** One row of a dataset as it is in its file, before its fields are mapped. */
export interface DatasetRow {
  readonly value: unknown;
  /**
   * Set when the row is not valid in its format but the rows after it can still be read; `value` is then meaningless.
   */
  readonly problem?: RowProblem;
  /** The beginning of the row. */
  readonly place: Place;
  /** The object that is the whole file, with the first row of a list in it. */
  readonly whole?: unknown;
  /**
   * Returns the place of the value at a path inside the row, as exactly as the format allows. Slow: only for messages.
   */
  locate(path: readonly PropertyKey[]): Place;
}

/** A dataset's text: decoded, without a byte order mark, in pieces of any size. */
export interface TextSource {
  /** The name for messages: a path as the user wrote it, or `<stdin>`. */
  readonly name: string;
  read(): AsyncIterable<string>;
  /** Yields the bytes of the file, not decoded; absent when there is no file. */
  readonly bytes?: () => AsyncIterable<Uint8Array>;
  /** True for a pipe or a device, which can be read only once. */
  readonly isReadOnce?: true;
}

/** A file format of golden sets. It yields rows one at a time, so that a file of any size streams. */
export interface DatasetReader {
  /** The name after `format:` in a config. */
  readonly name: string;
  /** Lower-case endings of file names, with the dot. */
  readonly extensions: readonly string[];
  /** True when the format has only text cells: a list is a text with separators, and so on. */
  readonly hasTextCells?: boolean;
  /** True when the format is not text: it is recognized only by the name of a file, and its `bytes` are read. */
  readonly isBinary?: boolean;
  /**
   * Returns whether a text begins as only this format does, whatever the name of its file. Throws `TouchstoneError` for
   * a text of a similar format, with what to do about it.
   */
  recognizes?(head: string, name: string): boolean;
  /**
   * Reads the rows. Throws `TouchstoneError` with `dataset-invalid` when the text is not of the format and reading
   * cannot continue; otherwise yields the row with its problem.
   */
  read(source: TextSource): AsyncIterable<DatasetRow>;
}

/** A picture or another file that a row names, before it is read. */
export interface PlacedAttachment {
  readonly draft: AttachmentDraft;
  /** The message of the case that holds it. */
  readonly message: Record<string, unknown>;
  /** The path of its name in the case or the row. */
  readonly path: readonly PropertyKey[];
}

/** The bytes of a picture or another file that a case names by its hash. */
export interface DraftedAttachment {
  readonly hash: string;
  readonly mediaType: Attachment['mediaType'];
  /** Returns the bytes, perhaps by reading the file once more. */
  read(): Promise<Uint8Array>;
}

/** A row whose fields have been mapped: a case in our spelling, not yet checked. */
export interface CaseDraft {
  /** The pictures and other files that it names and that are still to be read; absent when there are none. */
  readonly named?: readonly PlacedAttachment[];
  /** The pictures and other files of its messages, which were read; absent when there are none. */
  readonly attachments?: readonly DraftedAttachment[];
  /** The value to be parsed with `caseSchema`. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly place: Place;
  /** Set when the row cannot become a case at all; `value` is then meaningless. */
  readonly problem?: RowProblem;
  /** Names of fields that were moved to `value.metadata`: unknown ones, or synonyms of another field of the row. */
  readonly unknownFields: readonly string[];
  /** The unknown fields that look like an expectation; absent when there are none. */
  readonly suspicious?: readonly SuspiciousColumn[];
  /**
   * Returns the place in the user's file of the value at a path of `value`, and the name of the field there. Slow: only
   * for messages.
   */
  locate(path: readonly PropertyKey[]): { readonly place: Place; readonly field: string };
}

export type { SuspiciousColumn } from './suspicious-columns.ts';

/** A file that another tool wrote, and that is no dataset. */
export interface ForeignFile {
  /** A clause that names the file and says what it is. */
  readonly message: string;
  readonly remedy: string;
}

/** The beginning of a file: enough to tell who wrote it. */
export interface FileHead {
  /** The path of the file; undefined for standard input. */
  readonly path: string | undefined;
  /** The first rows, before their fields are mapped. */
  readonly rows: readonly unknown[];
  /** True when the format has only text cells. */
  readonly hasTextCells: boolean;
  /** The object that is the whole file; absent for a list, a table and JSON Lines. */
  readonly whole?: unknown;
}

/** The formats that a user can name: the formats of all readers that are recognized by more than their content. */
export const datasetFormats = ['jsonl', 'json', 'csv', 'xlsx', 'parquet', 'yaml'] as const;

/** An opened golden set: its files exist and have a readable format. */
export interface Dataset {
  /** The source files, as the user named them; `<stdin>` for standard input. */
  readonly sources: readonly string[];
  /** True when a source is a stream, such as standard input, which can be read once. */
  readonly isReadOnce?: boolean;
  /** Reads the files from the beginning, in the order of `sources`. */
  drafts(): AsyncIterable<CaseDraft>;
  /** Returns a file of it that another tool wrote; asked when the rows cannot be read, so that the answer is what to do with it. */
  recognize?(): Promise<ForeignFile | undefined>;
  /** Returns a warning for each name in the config that no row has had, once all rows have been read. */
  findUnused?(): readonly { readonly message: string; readonly remedy: string }[];
}

/** The error about a file that is known to be of another tool. */
export class ForeignFileError extends TouchstoneError {
  constructor({ message, remedy }: ForeignFile, cause?: unknown) {
    super('dataset-invalid', message, { remedy, cause });
  }
}

/** The codes of errors about the content of a file, which may be a file of another tool. */
const ofContent: ReadonlySet<string> = new Set([
  'dataset-invalid',
  'dataset-format',
  'dataset-unreadable',
  'dataset-empty',
  'target-invalid',
]);

/** Returns the error that says which tool wrote a file, in place of one about its content; any other error as it is. */
export async function explainForeign(
  error: unknown,
  recognize: (() => Promise<ForeignFile | undefined>) | undefined,
): Promise<unknown> {
  if (!(error instanceof TouchstoneError) || !ofContent.has(error.code)) return error;
  const found = await recognize?.();
  return found === undefined ? error : new ForeignFileError(found, error);
}
