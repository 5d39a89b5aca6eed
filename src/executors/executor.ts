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
   * together. Pulls items only as fast as results are taken. Throws what `items` or `work` throws first, once all that was in
   * flight has ended and come out.
   */
  execute<Item, Result>(
    items: AsyncIterable<Item>,
    work: (item: Item) => Promise<Result>,
    limits: ExecutionLimits,
  ): AsyncIterable<Result[]>;
}
