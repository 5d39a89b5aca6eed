/** The longest time in milliseconds for a timer of Node.js; a longer timer fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Waits; rejects with the reason of the signal when it is aborted first. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let leftMs = milliseconds;
  do {
    await waitOnce(Math.min(leftMs, longestTimerMs), signal);
    leftMs -= longestTimerMs;
  } while (leftMs > 0);
}

async function waitOnce(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const cancel = onAbort(signal, () => reject(signal.reason as Error));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    cancel();
  }
}

interface Listening {
  readonly works: Set<() => void>;
  readonly end: () => void;
}

const listening = new WeakMap<AbortSignal, Listening>();

/**
 * Calls a function when a signal is aborted, as `addEventListener` does. Returns a function that cancels this. When
 * hundreds wait for one signal, cancelling stays as cheap as for one: an `EventTarget` searches all of its listeners.
 */
export function onAbort(signal: AbortSignal, work: () => void): () => void {
  const { works, end } = listening.get(signal) ?? listenTo(signal);
  // A new function, so that the same work can be registered twice.
  const waits = () => work();
  works.add(waits);
  return () => {
    if (works.delete(waits) && works.size === 0) end();
  };
}

function listenTo(signal: AbortSignal): Listening {
  const works = new Set<() => void>();
  const doAll = () => {
    for (const work of works) if (works.delete(work)) work();
  };
  // A signal made from others stays in memory as long as it has listeners.
  const end = () => {
    signal.removeEventListener('abort', doAll);
    if (listening.get(signal)?.works === works) listening.delete(signal);
  };
  const begun = { works, end };
  listening.set(signal, begun);
  signal.addEventListener('abort', doAll, { once: true });
  return begun;
}

/**
 * Returns the result of the work. Rejects with the reason of the signal one turn of the event loop after it is aborted,
 * whether or not the work reacts to it; work that does react settles first and can report its progress. `onLate` is
 * called when a result arrives after that.
 */
export async function raceWithAbort<Result>(
  work: PromiseLike<Result>,
  signal: AbortSignal,
  onLate?: () => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const giveUp = () => setImmediate(() => reject(signal.reason as Error));
  // A listener that is not cancelled lives as long as the signal, which may be the signal of the whole run.
  const cancel = onAbort(signal, giveUp);
  if (signal.aborted) giveUp();
  work.then((result) => {
    if (signal.aborted) onLate?.();
    else resolve(result);
  }, reject);
  try {
    return await promise;
  } finally {
    cancel();
  }
}

/** Yields the items of a source until the signal is aborted. */
export async function* takeUntilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  for await (const item of source) {
    if (signal.aborted) return;
    yield item;
  }
}

/** One piece of work that may have to wait for its turn. */
export interface QueuedWork {
  /** Aborted when the work is to end. */
  readonly signal: AbortSignal;
  /** Must be called when the work begins (true) and ends (false) to wait. */
  readonly onWaiting: (isWaiting: boolean) => void;
  /** Returns whether the work was given up while it waited. */
  readonly isGivenUp: () => boolean;
  /** Must be called when the work is over. */
  readonly end: () => void;
}

/**
 * Creates work that ends when `stop` is aborted while it waits; work under way continues to its end unless `abort` is
 * aborted.
 */
export function createQueuedWork(stop: AbortSignal, abort: AbortSignal): QueuedWork {
  const givenUp = new AbortController();
  let cancel: (() => void) | undefined;
  const end = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    signal: AbortSignal.any([abort, givenUp.signal]),
    onWaiting: (isWaiting) => {
      end();
      if (!isWaiting) return;
      if (stop.aborted) givenUp.abort();
      else cancel = onAbort(stop, () => givenUp.abort());
    },
    isGivenUp: () => givenUp.signal.aborted,
    end,
  };
}

/** The delay in milliseconds from which a timer was late because this process was computing. */
const lateMs = 10;
/** The longest time in milliseconds that is granted again at once. */
const mostGraceMs = 1000;

/**
 * Calls `onOver` when the time is over. The clock is paused while the work waits for its turn. When this process itself
 * was busy at the end of the time, the lost time is granted again: replies that arrived meanwhile are read only after
 * the timers and would be lost.
 */
export function startClock(limitMs: number, onOver: () => void) {
  let leftMs = limitMs;
  let waits = 0;
  let startedAt = 0;
  let isStopped = false;

  function start(): NodeJS.Timeout {
    startedAt = performance.now();
    return setTimeout(onTimer, Math.min(leftMs, longestTimerMs));
  }

  function onTimer(): void {
    const late = performance.now() - startedAt - leftMs;
    if (late < lateMs) {
      onOver();
      return;
    }
    leftMs = Math.min(late, mostGraceMs);
    timer = start();
  }

  let timer = start();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    onWaiting: (isWaiting: boolean) => {
      waits += isWaiting ? 1 : -1;
      if (isStopped || waits !== Number(isWaiting)) return;
      clearTimeout(timer);
      if (isWaiting) leftMs -= performance.now() - startedAt;
      else timer = start();
    },
  };
}

/** Returns a gate through which at most `most` pieces of work pass at the same time; the others wait in order. */
export function limitConcurrency(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) inFlight -= 1;
    else next();
  };
  return async (work) => {
    if (inFlight < most) inFlight += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/**
 * Returns a function that collects the items of one turn of the event loop and answers them together.
 * @param answer - Receives one or more items and returns one result for each, in the same order.
 */
export function batchPerTurn<Item, Result>(
  answer: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface Group {
    readonly items: Item[];
    readonly results: Promise<readonly Result[]>;
  }
  let open: Group | undefined;

  function openGroup(): Group {
    const items: Item[] = [];
    const results = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      open = undefined;
      return await answer(items);
    });
    return { items, results };
  }

  return async (item) => {
    open ??= openGroup();
    const { items, results } = open;
    const place = items.push(item) - 1;
    return (await results)[place] as Result;
  };
}
