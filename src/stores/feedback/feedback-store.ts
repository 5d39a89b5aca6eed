import type { Feedback, FeedbackMatch } from '../../core/schema/feedback/feedback.ts';

/** The fate of feedback that was handed to a store. */
export interface AddedFeedback {
  readonly added: number;
  /** The number of records that were stored before with the same content. */
  readonly known: number;
  /** The ids of records that were refused, since the store has them with another content. */
  readonly conflicts: readonly string[];
  /** The number of added records whose answer or whose trace is in the store. */
  readonly matched: number;
}

/** A feedback with the answer that it belongs to, null while no such answer is known, and with its trace. */
export interface KeptFeedback {
  readonly feedback: Feedback;
  readonly match: FeedbackMatch | null;
  /** The id of the stored trace that it is about; absent while no such trace is known. */
  readonly trace?: string;
}

/** The numbers of feedback in a store. */
export interface FeedbackCounts {
  readonly all: number;
  readonly matched: number;
  /** Without an answer or a trace so far, and matched again. */
  readonly waiting: number;
  /** Without an answer or a trace: none came in time. */
  readonly unmatched: number;
}

/** The secret with which users are hashed. */
export interface UserKey {
  readonly id: string;
  /** 32 random bytes in hexadecimal digits. */
  readonly secret: string;
}

/**
 * The part of a store for feedback of users. Feedback never changes and is not removed with the run whose answers it is
 * about. When the promise of a write resolves, the data is stored, even if the process dies right afterwards.
 */
export interface FeedbackStore {
  /**
   * Stores feedback, each record for itself, and looks for its answers and traces. The id decides: a record that is stored already with
   * the same content is left out, one with another content is refused.
   */
  add(records: readonly Feedback[]): Promise<AddedFeedback>;
  /**
   * Looks again for the answers and traces of waiting feedback, which may have come in since. Feedback waits for an answer for seven
   * days after it was received. Returns the number of newly matched records.
   * @param now - ISO 8601.
   */
  match(now: string): Promise<number>;
  /**
   * Yields feedback by the time of the reaction, then by id. Throws `store-damaged` when a record has changed or is missing.
   * @param onLost - Called with a description of each damaged record, which is left out in place of the error.
   */
  read(onLost?: (what: string) => void): AsyncIterable<KeptFeedback>;
  /** Returns the feedback about a stored trace, in the order of `read`. It reads no other feedback. */
  readOfTrace(traceId: string): Promise<Feedback[]>;
  count(): Promise<FeedbackCounts>;
  /**
   * Removes feedback that was received before a time, ISO 8601, with its matches: at most so many records. Returns their number.
   */
  trim(before: string, most: number): Promise<number>;

  /** Returns the key for the hashes of users, which is made when there is none. */
  readUserKey(): Promise<UserKey>;
  /** Removes the key: stored hashes can no longer be traced to a user, and later ones differ. */
  eraseUserKey(): Promise<void>;
}
