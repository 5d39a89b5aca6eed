import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutionLimits, Executor } from './executor.ts';

/**
 * The number of results that may wait to be taken before no more work is started; the concurrency when that is larger.
 */
const leastWaiting = 200;

/** Creates an executor in this process: a fixed number of workers that each take the next item when they are free. */
export function createLocalExecutor(): Executor {
  return { execute };
}

async function* execute<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  { concurrency, stop, onLastBegun }: ExecutionLimits,
): AsyncGenerator<Result[]> {
  const outbox = createOutbox<Result>(Math.max(leastWaiting, concurrency));
  const source = items[Symbol.asyncIterator]();
  let isClosed = false;

  async function workThrough(): Promise<void> {
    while (!stop.aborted && !isClosed) {
      const next = await source.next();
      if (next.done === true) {
        onLastBegun?.();
        return;
      }
      outbox.put(await work(next.value));
      if (outbox.isFull()) await outbox.emptied();
    }
  }

  /**
   * When a worker fails, the others start nothing new, and the results of their work in flight come out before the
   * error does.
   */
  const worker = () =>
    workThrough().catch((error: unknown) => {
      isClosed = true;
      outbox.fail(error);
    });

  const workers = Promise.all(Array.from({ length: concurrency }, worker)).then(outbox.end);
  try {
    for (let results = await outbox.take(); results.length > 0; results = await outbox.take()) yield results;
  } finally {
    isClosed = true;
    outbox.discard();
    await workers;
    await source.return?.();
  }
}

/** Creates an outbox for results on their way from the workers to the consumer. */
function createOutbox<Result>(waitingLimit: number) {
  let waiting: Result[] = [];
  let isDone = false;
  let failure: { error: unknown } | undefined;
  let wakeConsumer = () => {};
  let wakeWorkers: (() => void)[] = [];

  const woken = () =>
    new Promise<void>((resolve) => {
      wakeConsumer = resolve;
    });

  // Results that come as fast as the event loop turns are taken together, since one write for many costs little more.
  // They are taken only after the workers that they come from have begun their next work, in the turn after.
  const gather = async (): Promise<void> => {
    for (let quietTurns = 0; quietTurns < 2 && !isDone; quietTurns += 1) {
      const before = waiting.length;
      await nextTurn();
      if (waiting.length > before) quietTurns = -1;
    }
  };

  const release = () => {
    const workers = wakeWorkers;
    wakeWorkers = [];
    for (const wake of workers) wake();
  };

  return {
    put: (result: Result) => {
      waiting.push(result);
      if (waiting.length === 1) wakeConsumer();
    },
    isFull: () => waiting.length >= waitingLimit,
    emptied: () => new Promise<void>((resolve) => wakeWorkers.push(resolve)),
    /** Takes all results that are ready; the list is empty only at the end. */
    take: async (): Promise<Result[]> => {
      if (waiting.length === 0 && !isDone) await woken();
      await gather();
      const taken = waiting;
      waiting = [];
      release();
      if (taken.length === 0 && failure !== undefined) throw failure.error;
      return taken;
    },
    end: () => {
      isDone = true;
      wakeConsumer();
    },
    fail: (error: unknown) => {
      failure ??= { error };
    },
    discard: () => {
      waiting = [];
      release();
    },
  };
}
