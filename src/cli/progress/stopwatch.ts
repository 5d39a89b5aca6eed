/** How a run has gone on in time. Milliseconds. */
export interface Pace {
  /** Since the run began, all its waits included. */
  readonly elapsedMs: number;
  /** Since something was done, where that is far longer than usual; undefined while it goes on as it did. */
  readonly stalledMs: number | undefined;
}

/** So many times the longest wait so far is unusual. */
const unusual = 2;
/** A shorter silence says nothing, however fast a run is. */
const shortestStallMs = 3000;

/** Watches when trials are done, to tell a run that goes on from one that waits. */
export function createStopwatch() {
  let startedAt = performance.now();
  let doneAt = startedAt;
  let longestWaitMs: number | undefined;

  return {
    begin: () => {
      startedAt = performance.now();
      doneAt = startedAt;
    },
    /** Something was done. */
    note: () => {
      const now = performance.now();
      longestWaitMs = Math.max(longestWaitMs ?? 0, now - doneAt);
      doneAt = now;
    },
    read: (): Pace => {
      const now = performance.now();
      const silentMs = now - doneAt;
      const isStalled =
        longestWaitMs !== undefined && silentMs > Math.max(shortestStallMs, unusual * longestWaitMs);
      return { elapsedMs: now - startedAt, stalledMs: isStalled ? silentMs : undefined };
    },
  };
}
