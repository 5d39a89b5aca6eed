import type { ExecutionLimits, Executor } from './executor.ts';

/** Results that may wait to be taken before no more work is started. */
const waitingLimit = 200;

/** How long a result waits for others that are about to come, in milliseconds: one write for many costs little more. */
const gatherMs = 2;

/** An executor in this process: a fixed number of lanes that each take the next item when they are free. */
export function createLocalExecutor(): Executor {
  return { execute };
}

async function* execute<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  { concurrency, stop }: ExecutionLimits,
): AsyncGenerator<Result[]> {
  const outbox = createOutbox<Result>();
  const source = items[Symbol.asyncIterator]();
  let isClosed = false;

  async function lane(): Promise<void> {
    while (!stop.aborted && !isClosed) {
      const next = await source.next();
      if (next.done === true) return;
      outbox.put(await work(next.value));
      if (outbox.isFull()) await outbox.emptied();
    }
  }

  const lanes = Promise.all(Array.from({ length: concurrency }, lane)).then(outbox.end, outbox.fail);
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
function createOutbox<Result>() {
  let waiting: Result[] = [];
  let isDone = false;
  let failure: { error: unknown } | undefined;
  let wakeConsumer = () => {};
  let wakeLanes: (() => void)[] = [];

  const woken = (atMostMs?: number) =>
    new Promise<void>((resolve) => {
      const timer = atMostMs === undefined ? undefined : setTimeout(resolve, atMostMs);
      wakeConsumer = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const release = () => {
    const lanes = wakeLanes;
    wakeLanes = [];
    for (const wake of lanes) wake();
  };

  return {
    put: (result: Result) => {
      waiting.push(result);
      if (waiting.length === 1 || waiting.length === waitingLimit) wakeConsumer();
    },
    isFull: () => waiting.length >= waitingLimit,
    emptied: () => new Promise<void>((resolve) => wakeLanes.push(resolve)),
    /** All that is there, after what is about to come has had its time; empty only at the end. */
    take: async (): Promise<Result[]> => {
      if (waiting.length === 0 && !isDone) await woken();
      if (waiting.length < waitingLimit && !isDone) await woken(gatherMs);
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
      failure = { error };
      isDone = true;
      wakeConsumer();
    },
    discard: () => {
      waiting = [];
      release();
    },
  };
}
