/** A document from which questions are drafted. */
export interface SourceDocument {
  /** The id that cases expect: the path of its file below the folder, without extension, or the id in a JSONL line. */
  readonly id: string;
  /** Its place for messages: a file, or a file and a line. */
  readonly place: string;
  readonly text: string;
  /** The hash of the text, by which a later change of the document shows. */
  readonly hash: string;
  /** Present for what a trace shows, which is asked about like a document. */
  readonly trace?: TraceEvidence;
}

/** The trace that a document is from, and the place of each of its texts in it. */
export interface TraceEvidence {
  readonly traceId: string;
  /** The span that stands for the whole trace. */
  readonly spanId: string;
  /** The day of the trace, such as `2026-12-31`. */
  readonly day: string;
  /** The question of the user, without what was said before. */
  readonly question: string;
  readonly texts: readonly TraceText[];
}

/** A text of a trace that can prove a fact. */
export type TraceText = { readonly text: string } & (
  | { readonly type: 'tool'; readonly name: string; readonly spanId: string }
  | { readonly type: 'document'; readonly id: string }
  | { readonly type: 'correction'; readonly feedback: string }
  | { readonly type: 'answer' }
);

/** A part of a document that is small enough for a prompt. */
export interface Passage {
  /** The id of the document and the number of the passage in it, from 1: `fees#2`. */
  readonly id: string;
  readonly document: string;
  /** The headings above its first line, the outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
  /** Present for a part of what a trace shows. */
  readonly trace?: TraceEvidence;
}

/** The documents of files and folders. */
export interface FoundDocuments {
  readonly documents: readonly SourceDocument[];
  /** Sentences on the files that were skipped, and why. */
  readonly notices: readonly string[];
}
