/**
 * Returns the cycles in a directed graph: one for each edge that leads back to a node from which it was reached, as the
 * nodes of the cycle, with the first one again at the end. Empty if and only if there is no cycle.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    if (finished.has(node)) return;
    const begin = trail.indexOf(node);
    if (begin !== -1) {
      cycles.push([...trail.slice(begin), node]);
      return;
    }
    trail.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    trail.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}
