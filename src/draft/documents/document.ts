/** A document from which questions are drafted. */
export interface SourceDocument {
  /** The id that cases expect: the path of its file below the folder, without extension, or the id in a JSONL line. */
  readonly id: string;
  /** Its place for messages: a file, or a file and a line. */
  readonly place: string;
  readonly text: string;
  /** The hash of the text, by which a later change of the document shows. */
  readonly hash: string;
}

/** A part of a document that is small enough for a prompt. */
export interface Passage {
  /** The id of the document and the number of the passage in it, from 1: `fees#2`. */
  readonly id: string;
  readonly document: string;
  /** The headings above its first line, the outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** The documents of files and folders. */
export interface FoundDocuments {
  readonly documents: readonly SourceDocument[];
  /** Sentences on the files that were left out, and why. */
  readonly notices: readonly string[];
}
