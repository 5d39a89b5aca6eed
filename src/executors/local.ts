import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutionLimits, Executor } from './executor.ts';

/** So many results may wait to be taken before no more work is started, or as many as there are lanes. */
const leastWaiting = 200;

/** An executor in this process: a fixed number of lanes that each take the next item when they are free. */
export function createLocalExecutor(): Executor {
  return { execute };
}

async function* execute<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  { concurrency, stop }: ExecutionLimits,
): AsyncGenerator<Result[]> {
  const outbox = createOutbox<Result>(Math.max(leastWaiting, concurrency));
  const source = items[Symbol.asyncIterator]();
  let isClosed = false;

  async function workThrough(): Promise<void> {
    while (!stop.aborted && !isClosed) {
      const next = await source.next();
      if (next.done === true) return;
      outbox.put(await work(next.value));
      if (outbox.isFull()) await outbox.emptied();
    }
  }

  /** Where it fails, the others start nothing new, and what they have in flight comes out before the fault does. */
  const lane = () =>
    workThrough().catch((error: unknown) => {
      isClosed = true;
      outbox.fail(error);
    });

  const lanes = Promise.all(Array.from({ length: concurrency }, lane)).then(outbox.end);
  try {
    for (let results = await outbox.take(); results.length > 0; results = await outbox.take()) yield results;
  } finally {
    isClosed = true;
    outbox.discard();
    await lanes;
    await source.return?.();
  }
}

/** Results on their way from the lanes to the consumer. */
function createOutbox<Result>(waitingLimit: number) {
  let waiting: Result[] = [];
  let isDone = false;
  let failure: { error: unknown } | undefined;
  let wakeConsumer = () => {};
  let wakeLanes: (() => void)[] = [];

  const woken = () =>
    new Promise<void>((resolve) => {
      wakeConsumer = resolve;
    });

  // Results that come as fast as the event loop turns are taken together, since one write for many costs little more; and
  // what is done with them waits until the lanes that they come from have begun their next work, in the turn after.
  const gather = async (): Promise<void> => {
    for (let quietTurns = 0; quietTurns < 2 && !isDone; quietTurns += 1) {
      const before = waiting.length;
      await nextTurn();
      if (waiting.length > before) quietTurns = -1;
    }
  };

  const release = () => {
    const lanes = wakeLanes;
    wakeLanes = [];
    for (const wake of lanes) wake();
  };

  return {
    put: (result: Result) => {
      waiting.push(result);
      if (waiting.length === 1) wakeConsumer();
    },
    isFull: () => waiting.length >= waitingLimit,
    emptied: () => new Promise<void>((resolve) => wakeLanes.push(resolve)),
    /** All that is there; empty only at the end. */
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
