/**
 * Gathers what is asked for in one turn of the event loop and answers it together.
 * @param answer - Told the items, one or more; gives one result for each, in the same order.
 */
export function gatherTurn<Item, Result>(
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
