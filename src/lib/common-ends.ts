/** What lies between the items that two lists begin and end with in common. */
export interface CommonEnds {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** How many items were taken off each. */
  readonly shared: number;
}

/** Takes off what two lists begin and end with in common. */
export function trimCommonEnds(first: readonly string[], second: readonly string[]): CommonEnds {
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start++;
  let firstEnd = first.length;
  let secondEnd = second.length;
  while (firstEnd > start && secondEnd > start && first[firstEnd - 1] === second[secondEnd - 1]) {
    firstEnd--;
    secondEnd--;
  }
  return {
    first: first.slice(start, firstEnd),
    second: second.slice(start, secondEnd),
    shared: start + first.length - firstEnd,
  };
}
