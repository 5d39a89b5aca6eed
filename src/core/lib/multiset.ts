/** Counts the occurrences of each item. */
export function countItems(items: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Counts the items that two multisets share: the sum of the lesser count of each item. */
export function countShared(first: ReadonlyMap<string, number>, second: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [item, count] of first) shared += Math.min(count, second.get(item) ?? 0);
  return shared;
}

/** Returns every sequence of `order` neighbouring items, joined by spaces. */
export function joinNeighbours(items: readonly string[], order: number): string[] {
  if (order === 1) return [...items];
  const runs: string[] = [];
  for (let start = 0; start + order <= items.length; start++) {
    runs.push(items.slice(start, start + order).join(' '));
  }
  return runs;
}
