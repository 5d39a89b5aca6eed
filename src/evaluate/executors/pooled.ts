import { createPlaces, type Places } from '../../core/lib/places.ts';
import type { Executor } from './executor.ts';

/**
 * Wraps an executor so that executions with the same pool share their concurrency: altogether no more of their work is in flight
 * than one of them may have. So one can begin as the last work of another ends.
 */
export function createPooledExecutor(executor: Executor): Executor {
  const pools = new Map<string, Places>();
  return {
    execute: (items, work, limits) => {
      const { pool, concurrency } = limits;
      if (pool === undefined) return executor.execute(items, work, limits);
      const places = pools.get(pool) ?? createPlaces(concurrency);
      pools.set(pool, places);
      const workInPlace: typeof work = async (item) => {
        try {
          return await work(item);
        } finally {
          places.leave();
        }
      };
      return executor.execute(takePlaces(items, places), workInPlace, limits);
    },
  };
}

/** Yields items as their work may begin. The place of an item is left by its work, which every item that is yielded must have. */
function takePlaces<Item>(items: AsyncIterable<Item>, places: Places): AsyncIterable<Item> {
  const source = items[Symbol.asyncIterator]();
  const iterator: AsyncIterableIterator<Item> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      await places.take();
      try {
        const next = await source.next();
        if (next.done === true) places.leave();
        return next;
      } catch (error) {
        places.leave();
        throw error;
      }
    },
    return: async () => (await source.return?.()) ?? { done: true, value: undefined },
  };
  return iterator;
}
