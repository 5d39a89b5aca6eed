/** The kinds of records of runs that may hold texts of people and that are otherwise never changed. */
export const textKinds = ['case', 'trial', 'scores', 'judgement'] as const;
export type TextKind = (typeof textKinds)[number];

/** A record that may hold texts of people. */
export interface TextRecord {
  readonly kind: TextKind;
  /** The ids of the runs that have the record; empty where it belongs to none. */
  readonly runs: readonly string[];
  /** The name of the plan that a case, a trial or scores belong to: the same for all runs that share its trials; else empty. */
  readonly plan: string;
  /** The position of a case in its plan, and of the case of a trial; else null. */
  readonly position: number | null;
  /** The place of a trial in its plan, and the place of the trial of scores; else null. */
  readonly ordinal: number | null;
  /** The record as JSON. The record of a trial may lack a transcript that follows from the input and the answer. */
  readonly record: object;
}

/** A change of the texts of records. Both functions may be called several times for one text, and must change nothing. */
export interface TextChange {
  /** Returns the record in place of one; the same object to leave it as it is. The names in it that rows are found by, such as ids, stay. */
  record(held: TextRecord): object;
  /** Returns the text in place of one that a database keeps next to a record, such as the name of a case. */
  column(text: string): string;
}

/**
 * The part of a store by which texts are erased. It reads and changes all records of a kind, so it costs as much as reading them
 * all. A run whose records are changed must be claimed by the caller.
 */
export interface TextRecords {
  /** Yields all records of a kind, in batches. Throws `store-damaged` for a record that has changed since it was written. */
  read(kind: TextKind): AsyncIterable<readonly TextRecord[]>;
  /** Changes records of a kind, each in one step. Returns their number. A process that dies midway has changed some of them. */
  rewrite(kind: TextKind, change: TextChange): Promise<number>;
  /**
   * Removes from the medium what was overwritten or removed before, as far as the store can: the free pages and the log of a file,
   * old versions of rows in a database. Throws `store-unreadable` when another process keeps the file busy. Returns a sentence on what
   * stays there, and what removes it; undefined where nothing stays.
   */
  purge(): Promise<string | undefined>;
}
