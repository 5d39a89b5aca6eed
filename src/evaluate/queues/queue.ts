/** The numbers of the parts of a queue. */
export interface QueueCounts {
  /** Not given to a process yet, or to be given to one again later. */
  readonly waiting: number;
  /** Given to a process that works on them. */
  readonly active: number;
}

/** The options of a process that takes parts from a queue. */
export interface TakeOptions {
  /** The number of parts that it works on at a time. */
  readonly concurrency: number;
  /** Ends the work: no more parts are taken. */
  readonly signal: AbortSignal;
}

/**
 * The queue of one run: the names of the parts of its plan that are still to be done, each given to one process at a time. It
 * is a hint: what is done, and who may write, is decided by the store, so that a queue that is lost costs time and nothing else.
 * It contains names of parts and nothing else: no question, no config and no secret.
 */
export interface Queue {
  /** Adds parts. One that is in the queue already, waiting or worked on, is not added again. */
  add(parts: readonly string[]): Promise<void>;
  /**
   * Calls back with one part after the other until the signal says to stop, and resolves when the last call has ended. A part whose
   * call rejects, or whose process dies, is given to a process again, later each time; after ten times it is dropped.
   */
  work(handle: (part: string) => Promise<void>, options: TakeOptions): Promise<void>;
  /** Lets no process take parts, until `resume`. Parts can still be added. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Removes the queue with all parts in it. */
  remove(): Promise<void>;
  count(): Promise<QueueCounts>;
  /** Closes the connections. The queue and its parts stay. */
  close(): Promise<void>;
}

/** The number of times that a part is given to a process. */
export const mostAttempts = 10;
