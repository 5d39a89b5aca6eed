/** Items that are safe and wait for their next step, and the say over how many more may come. */
export interface Backlog<Item> {
  put(items: readonly Item[]): void;
  /** Nothing more comes; with a failure, `take` throws it once everything before it was taken. */
  end(failure?: { readonly error: unknown }): void;
  /** All that waits, in groups, until the end. Leaving early ends `pace` as well. */
  take(): AsyncGenerator<Item[]>;
  /** Yields from a source only while there is room, and nothing more once the backlog is left or `stop` is aborted. */
  pace<Source>(source: AsyncIterable<Source>, stop: AbortSignal): AsyncIterableIterator<Source>;
}

/** A backlog that has room while fewer than `limit` items wait. */
export function createBacklog<Item>(limit: number): Backlog<Item> {
  let waiting: Item[] = [];
  let ended: { readonly failure?: { readonly error: unknown } } | undefined;
  let isLeft = false;
  let wakeTaker = () => {};
  let wakePaced: (() => void)[] = [];

  const release = () => {
    const paced = wakePaced;
    wakePaced = [];
    for (const wake of paced) wake();
  };

  return {
    put: (items) => {
      waiting.push(...items);
      wakeTaker();
    },
    end: (failure) => {
      ended = failure === undefined ? {} : { failure };
      wakeTaker();
    },
    take: async function* () {
      try {
        for (;;) {
          if (waiting.length === 0 && ended === undefined) {
            await new Promise<void>((resolve) => {
              wakeTaker = resolve;
            });
          }
          const taken = waiting;
          waiting = [];
          release();
          if (taken.length > 0) yield taken;
          else if (ended?.failure !== undefined) throw ended.failure.error;
          else if (ended !== undefined) return;
        }
      } finally {
        isLeft = true;
        release();
      }
    },
    // By hand and not as a generator, which would cost every trial a turn of its own.
    pace: <Source>(source: AsyncIterable<Source>, stop: AbortSignal): AsyncIterableIterator<Source> => {
      const iterator = source[Symbol.asyncIterator]();
      const leave = async (): Promise<IteratorResult<Source>> => {
        await iterator.return?.();
        return { done: true, value: undefined };
      };
      const nextWithRoom = async (): Promise<IteratorResult<Source>> => {
        while (waiting.length >= limit && !isLeft) {
          await new Promise<void>((resolve) => wakePaced.push(resolve));
        }
        return await (isLeft || stop.aborted ? leave() : iterator.next());
      };
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        next: () => (waiting.length < limit && !isLeft ? iterator.next() : nextWithRoom()),
        return: leave,
      };
    },
  };
}
