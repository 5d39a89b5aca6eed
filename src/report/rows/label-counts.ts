/** How often each class was given, the most frequent first. */
export function labelCounts(labels: Readonly<Record<string, number>>): [label: string, count: number][] {
  return Object.entries(labels).toSorted(([, count], [, other]) => other - count);
}
