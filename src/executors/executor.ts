/** How many pieces of work are in flight, and what ends them. */
export interface ExecutionLimits {
  readonly concurrency: number;
  /** Once aborted, nothing new is started; what is in flight ends in its own time. */
  readonly stop: AbortSignal;
}

/** Where and how many at a time. Knows nothing of what the work is. */
export interface Executor {
  /**
   * Works through the items and yields results as they come, in groups of all that is there, so that they can be kept
   * together. `work` must not throw. Pulls items only as fast as results are taken.
   */
  execute<Item, Result>(
    items: AsyncIterable<Item>,
    work: (item: Item) => Promise<Result>,
    limits: ExecutionLimits,
  ): AsyncIterable<Result[]>;
}
