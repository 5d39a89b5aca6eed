/** Yields items in groups of a size; the last may be smaller. */
export async function* inBatches<Item>(items: AsyncIterable<Item>, size = 200): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Yields the items of several iterables as they arrive, until all have ended. Leaving early ends them all. */
export async function* mergeIterables<Item>(sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const pull = (iterator: AsyncIterator<Item>) => {
    const pulled = iterator.next().then((next) => ({ iterator, next }));
    // It is looked at when the next item is asked for, and never if that does not happen: until then, a fault of it is not reported.
    pulled.catch(() => {});
    return pulled;
  };
  const pending = new Map(iterators.map((iterator) => [iterator, pull(iterator)]));
  try {
    while (pending.size > 0) {
      const { iterator, next } = await Promise.race(pending.values());
      if (next.done === true) {
        pending.delete(iterator);
      } else {
        pending.set(iterator, pull(iterator));
        yield next.value;
      }
    }
  } finally {
    await Promise.allSettled([...pending.keys()].map(async (iterator) => await iterator.return?.()));
  }
}

/**
 * Yields the items of pages, one at a time. When fewer than `least` items are left, the next page is fetched in a
 * timer, after more urgent work; a caller that takes many items at once does not wait for it.
 */
export function readAhead<Item>(
  pages: AsyncIterable<readonly Item[]>,
  least: number,
): AsyncIterableIterator<Item> {
  const source = pages[Symbol.asyncIterator]();
  let ready: readonly Item[] = [];
  let taken = 0;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let fetching: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const fetchPage = async (): Promise<void> => {
    try {
      const next = await source.next();
      isOver = next.done === true;
      ready = [...ready.slice(taken), ...(next.done === true ? [] : next.value)];
      taken = 0;
    } catch (error) {
      [isOver, failure] = [true, { error }];
    } finally {
      fetching = undefined;
    }
  };

  const fetchSoon = () => {
    if (isOver || ready.length - taken >= least) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      fetching ??= fetchPage();
      void fetching.then(fetchSoon);
    }, 1);
  };

  const nextFetched = async (): Promise<IteratorResult<Item>> => {
    while (taken === ready.length && !isOver) await (fetching ??= fetchPage());
    if (taken < ready.length) return { done: false, value: take() };
    const toThrow = failure;
    failure = undefined;
    if (toThrow !== undefined) throw toThrow.error;
    return { done: true, value: undefined };
  };

  const take = (): Item => {
    taken += 1;
    fetchSoon();
    return ready[taken - 1] as Item;
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => {
      if (taken === ready.length) return nextFetched();
      return Promise.resolve({ done: false, value: take() });
    },
    return: async () => {
      clearTimeout(timer);
      [ready, taken, isOver] = [[], 0, true];
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
}
