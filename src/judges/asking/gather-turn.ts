/**
 * Gathers what is asked for in one turn of the event loop and answers together what belongs together: to the same object,
 * with the same value of `part`.
 * @param answer - Told such items, one or more; gives one result for each, in the same order.
 */
export function gatherTurn<Item, Result>(
  answer: (items: readonly Item[], owner: object) => Promise<readonly Result[]>,
  part: (item: Item) => number,
): (item: Item, owner: object) => Promise<Result> {
  interface Group {
    readonly items: Item[];
    readonly results: Promise<readonly Result[]>;
  }
  const open = new WeakMap<object, Map<number, Group>>();

  const openGroup = (groups: Map<number, Group>, key: number, owner: object): Group => {
    const items: Item[] = [];
    const results = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      groups.delete(key);
      return await answer(items, owner);
    });
    const group = { items, results };
    groups.set(key, group);
    return group;
  };

  return async (item, owner) => {
    const groups = open.get(owner) ?? new Map<number, Group>();
    open.set(owner, groups);
    const key = part(item);
    const { items, results } = groups.get(key) ?? openGroup(groups, key, owner);
    const place = items.push(item) - 1;
    return (await results)[place] as Result;
  };
}
