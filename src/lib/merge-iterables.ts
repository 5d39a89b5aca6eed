/** Yields from several iterables as items come, until all have ended. Leaving early ends them all. */
export async function* mergeIterables<Item>(sources: readonly AsyncIterable<Item>[]): AsyncGenerator<Item> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const pull = (iterator: AsyncIterator<Item>) => iterator.next().then((next) => ({ iterator, next }));
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
