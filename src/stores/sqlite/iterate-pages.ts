import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * The items of pages, one at a time. By hand and not as a generator, which would cost every item more turns than it costs
 * to read it. What `openPages` throws is thrown when the first item is asked for.
 */
export function iteratePages<Item>(openPages: () => Iterator<readonly Item[]>): AsyncIterableIterator<Item> {
  let pages: Iterator<readonly Item[]> | undefined;
  let page: readonly Item[] = [];
  let index = 0;

  const nextPage = async (): Promise<IteratorResult<Item>> => {
    // Between pages, whatever else is going on has its turn: a million rows take seconds.
    if (pages !== undefined) await nextTurn();
    pages ??= openPages();
    for (;;) {
      const next = pages.next();
      if (next.done === true) return { done: true, value: undefined };
      if (next.value.length === 0) continue;
      page = next.value;
      index = 1;
      return { done: false, value: page[0] as Item };
    }
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => {
      if (index >= page.length) return nextPage();
      index += 1;
      return Promise.resolve({ done: false, value: page[index - 1] as Item });
    },
    return: async () => {
      [pages, page] = [[][Symbol.iterator](), []];
      return { done: true, value: undefined };
    },
  };
}

/** The same, page by page. */
export async function* eachPage<Item>(
  openPages: () => Iterable<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  for (const page of openPages()) {
    yield page;
    await nextTurn();
  }
}
