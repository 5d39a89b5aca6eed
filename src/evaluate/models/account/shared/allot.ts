/** The demand of a process on an account, and its share of the calls in flight. */
export interface AllottedWorker {
  readonly inFlight: number;
  readonly waiting: number;
  readonly share: number;
  /** The time at which its share last grew. */
  readonly servedAt: number;
}

/**
 * Returns the number of calls that a process may have in flight, of a limit for all of them: in proportion to its demand, as
 * far as the others have left it: until their calls in flight are over, these count. So all together never exceed the limit. Where there are more processes than calls, they
 * take turns: the one that has waited longest is next.
 */
export function allot(workers: Readonly<Record<string, AllottedWorker>>, id: string, limit: number): number {
  const mine = workers[id];
  if (mine === undefined) return 0;
  const asking = Object.entries(workers).filter(([, worker]) => demandOf(worker) > 0);
  const total = asking.reduce((sum, [, worker]) => sum + demandOf(worker), 0);
  if (demandOf(mine) === 0) return 0;
  const others = Object.entries(workers).filter(([other]) => other !== id);
  const taken = others.reduce((sum, [, { share, inFlight }]) => sum + Math.max(share, inFlight), 0);
  const fair =
    asking.length <= limit
      ? Math.max(1, Math.floor((limit * demandOf(mine)) / total))
      : Number(asking.toSorted(isServedBefore).findIndex(([each]) => each === id) < limit);
  return Math.max(0, Math.min(fair, limit - taken, mostUseful(demandOf(mine))));
}

/** Returns the number of calls that a process with some demand can soon make use of. When its demand exceeds it, it asks again. */
export function mostUseful(demand: number): number {
  return 2 * demand + 2;
}

function demandOf({ inFlight, waiting }: AllottedWorker): number {
  return inFlight + waiting;
}

function isServedBefore(
  [one, { servedAt: before }]: [string, AllottedWorker],
  [other, { servedAt: after }]: [string, AllottedWorker],
): number {
  return before - after || (one < other ? -1 : 1);
}
